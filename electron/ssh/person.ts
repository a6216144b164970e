import type { PromptQuestion } from '../../shared/prompt';

export interface PersonAnswer {
  /** In the order of what was asked. */
  readonly answers: readonly string[];
  /** The person wants it remembered, where that is possible. */
  readonly remember: boolean;
}

/** The person one connection attempt may turn to. */
export interface Person {
  /**
   * Null when nobody answers or the person gives up. Of an agent it is only told that it is waited for, until `signal`
   * fires; null before that means that the person gives up.
   */
  ask(machine: string, question: PromptQuestion, signal: AbortSignal): Promise<PersonAnswer | null>;
}
