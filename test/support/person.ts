import type { Person } from '../../electron/ssh/person';
import type { PromptQuestion } from '../../shared/prompt';

/** A person who gives these answers in turn, then none, and remembers what was asked. */
export interface ScriptedPerson extends Person {
  readonly asked: readonly { readonly machine: string; readonly question: PromptQuestion }[];
}

export function scriptedPerson(...answers: readonly (readonly string[])[]): ScriptedPerson {
  const left = [...answers];
  const asked: { machine: string; question: PromptQuestion }[] = [];
  return {
    asked,
    ask: async (machine, question) => {
      asked.push({ machine, question });
      const answers = left.shift();
      return answers === undefined ? null : { answers, remember: false };
    },
  };
}
