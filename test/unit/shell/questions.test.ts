import { expect, it } from 'vitest';
import { onQuestion } from '../../../electron/shell/questions';
import type { Prompt, PromptQuestion } from '../../../shared/prompt';
import { createScriptedHost } from '../../support/scripted-host';

const prompt = (id: string, question: PromptQuestion): Prompt => ({
  ...{ id, connection: { id: `c-${id}`, name: id }, machine: 'ann@box', question, canRemember: false },
});

it('shows each new question once, and leaves the agent to its own window', () => {
  const host = createScriptedHost();
  const shown: string[] = [];
  const stop = onQuestion(host, (connection) => void shown.push(connection));
  const tell = (...prompts: readonly Prompt[]) => host.emit({ event: 'prompts', data: { prompts } });
  const [one, two] = [prompt('one', { kind: 'password', again: false }), prompt('two', { kind: 'passphrase', file: '/k', again: false })];
  tell(one);
  tell(one, two);
  tell(two);
  tell(two, prompt('agent', { kind: 'agent', keys: ['laptop'] }));
  tell();
  tell(one);
  expect(shown).toEqual(['c-one', 'c-two', 'c-one']);
  stop();
  expect(host.listeners).toBe(0);
});
