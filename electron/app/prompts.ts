import { randomBytes } from 'node:crypto';
import { AppError } from '../../shared/errors';
import { answersWanted, type Prompt, type PromptQuestion } from '../../shared/prompt';
import type { Person, PersonAnswer } from '../ssh/person';

/** Questions that wait for a person, from all connection attempts. */
export interface Prompts {
  list(): readonly Prompt[];
  /** Fails with `prompt.closed` when it is no longer open, and with `usage.invalid` when the number of answers is wrong. */
  answer(id: string, answers: readonly string[], remember: boolean): void;
  /** Fails with `prompt.closed` when it is no longer open. */
  cancel(id: string): void;
  personFor(connection: { readonly id: string; readonly name: string }): Person;
}

export interface PromptsOptions {
  /** Tells everybody; false when nobody listens. */
  tell(prompts: readonly Prompt[]): boolean;
  /** Whether this computer can keep a secret. */
  canRemember(): boolean;
  /** Milliseconds after which an unanswered question counts as given up. */
  readonly patienceMs?: number;
}

interface Open {
  readonly prompt: Prompt;
  settle(answer: PersonAnswer | null): void;
}

/** Keeps the open questions. Answers pass through to the one who asked, and nothing else holds them. */
export function createPrompts({ tell, canRemember, patienceMs = 300_000 }: PromptsOptions): Prompts {
  const open = new Map<string, Open>();
  const list = (): readonly Prompt[] => [...open.values()].map(({ prompt }) => prompt);
  const find = (id: string): Open => {
    const found = open.get(id);
    if (found === undefined) throw new AppError('prompt.closed', { id });
    return found;
  };
  const put = (prompt: Prompt, signal: AbortSignal): Promise<PersonAnswer | null> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(null);
      const settle = (answer: PersonAnswer | null): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        open.delete(prompt.id);
        tell(list());
        resolve(answer);
      };
      const leave = (): void => settle(null);
      const timer = setTimeout(leave, patienceMs);
      signal.addEventListener('abort', leave, { once: true });
      open.set(prompt.id, { prompt, settle });
      // A question that nobody can see would only be waited out; the agent has a window of its own.
      if (!tell(list()) && prompt.question.kind !== 'agent') leave();
    });
  return {
    list,
    answer(id, answers, remember) {
      const { prompt, settle } = find(id);
      const wanted = answersWanted(prompt.question);
      if (wanted === 0 || answers.length !== wanted) {
        throw new AppError('usage.invalid', { what: `The question takes ${wanted} answers, not ${answers.length}.` });
      }
      settle({ answers: [...answers], remember: remember && prompt.canRemember });
    },
    cancel: (id) => find(id).settle(null),
    personFor: ({ id, name }) => ({
      ask: (machine, question, signal) => {
        const prompt = { id: randomBytes(8).toString('hex'), connection: { id, name }, machine, question };
        return put({ ...prompt, canRemember: staysTheSame(question) && canRemember() }, signal);
      },
    }),
  };
}

/** What the remote words itself may be a code that is worth nothing a minute later. */
function staysTheSame({ kind }: PromptQuestion): boolean {
  return kind === 'passphrase' || kind === 'password';
}
