/** What a connection attempt waits for. All but `agent` want an answer; the agent is answered where it lives. */
export type PromptQuestion =
  | { readonly kind: 'agent'; readonly keys: readonly string[] }
  /** `again`: the last answer did not open the key. */
  | { readonly kind: 'passphrase'; readonly file: string; readonly again: boolean }
  | { readonly kind: 'password'; readonly again: boolean }
  /** Title, instructions and texts are the remote's own words. `echo`: what is typed may be seen. */
  | { readonly kind: 'interactive'; readonly title: string; readonly instructions: string; readonly fields: readonly PromptField[] };

export interface PromptField {
  readonly text: string;
  readonly echo: boolean;
}

/** A question only a person can settle. It belongs to one connection attempt and ends with it. */
export interface Prompt {
  readonly id: string;
  readonly connection: { readonly id: string; readonly name: string };
  /** `user@host[:port]` of the machine that lets in: the remote, or one on the way to it. */
  readonly machine: string;
  readonly question: PromptQuestion;
  /** The answer can be remembered: it is a passphrase or a password, and the operating system encrypts what is kept. */
  readonly canRemember: boolean;
}

/** How many answers a question takes, in the order of its fields. */
export function answersWanted(question: PromptQuestion): number {
  if (question.kind === 'agent') return 0;
  return question.kind === 'interactive' ? question.fields.length : 1;
}
