import type { PromptQuestion } from '../../shared/prompt';

/** The person one connection attempt may turn to. */
export interface Person {
  /**
   * The answers, in order; null when nobody answers or the person gives up. Nothing may keep them. Of an agent it is
   * only told that it is waited for, until `signal` fires; null before that means that the person gives up.
   */
  ask(machine: string, question: PromptQuestion, signal: AbortSignal): Promise<readonly string[] | null>;
}
