import { PassThrough, Writable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerPrompts } from '../../../electron/cli/prompt-answers';
import { type ReadAnswer, terminalReader } from '../../../electron/cli/read-answer';
import type { Prompt, PromptQuestion } from '../../../shared/prompt';
import { createScriptedHost, type ScriptedHost } from '../../support/scripted-host';

const never = new AbortController().signal;
const prompt = (id: string, question: PromptQuestion, name = 'box'): Prompt => ({
  ...{ id, connection: { id: `id of ${name}`, name }, machine: 'ann@box', question, canRemember: true },
});
const passphrase: PromptQuestion = { kind: 'passphrase', file: '/keys/one', again: false };

describe('answerPrompts', () => {
  let host: ScriptedHost;
  let said: string;
  let shown: (readonly [string, boolean])[];
  beforeEach(() => {
    host = createScriptedHost();
    host.answer('prompt.answer', () => ({ ok: true, value: {} }));
    host.answer('prompt.cancel', () => ({ ok: true, value: {} }));
    said = '';
    shown = [];
  });
  const open = (...prompts: readonly Prompt[]) => host.emit({ event: 'prompts', data: { prompts } });
  const listen = (readAnswer: ReadAnswer | null) =>
    answerPrompts(host, 'Box', {
      readAnswer,
      stderr: (text) => {
        said += text;
      },
    });
  const answering =
    (...answers: readonly (string | null)[]): ReadAnswer =>
    async (question, echo) => {
      shown.push([question, echo]);
      return answers[shown.length - 1] ?? null;
    };

  it('asks without echo and passes the answer on', async () => {
    listen(answering('open sesame'));
    open(prompt('p1', passphrase));
    await expect
      .poll(() => host.asked)
      .toEqual([{ name: 'prompt.answer', params: { id: 'p1', answers: ['open sesame'], remember: false } }]);
    expect(shown).toEqual([['Passphrase of /keys/one for ann@box: ', false]]);
    expect(said).toBe('');
  });

  it('asks every field of a login, and shows the words of the remote without its control characters', async () => {
    listen(answering('secret', '123456'));
    const fields = [
      { text: 'Password:', echo: false },
      { text: 'Code:\u001b[2J', echo: true },
    ];
    open(prompt('p1', { kind: 'interactive', title: 'Two steps', instructions: '', fields }));
    await expect.poll(() => host.asked.length).toBe(1);
    expect(host.asked[0]?.params).toEqual({ id: 'p1', answers: ['secret', '123456'], remember: false });
    expect(shown.map(([, echo]) => echo)).toEqual([false, true]);
    expect(`${said}${shown.join('')}`).not.toContain('\u001b');
  });

  it('gives up at once without a terminal, and when the person does', async () => {
    const stop = listen(null);
    open(prompt('p1', passphrase));
    await expect.poll(() => host.asked).toEqual([{ name: 'prompt.cancel', params: { id: 'p1' } }]);
    stop();
    listen(answering(null));
    open(prompt('p2', passphrase));
    await expect.poll(() => host.asked.at(-1)).toEqual({ name: 'prompt.cancel', params: { id: 'p2' } });
  });

  it('leaves the questions of other connections, and asks each one once', async () => {
    listen(answering('a', 'b'));
    open(prompt('other', passphrase, 'other'), prompt('p1', passphrase));
    open(prompt('p1', passphrase), prompt('p2', passphrase));
    await expect.poll(() => host.asked.map(({ params }) => (params as { id: string }).id)).toEqual(['p1', 'p2']);
  });

  it('says that the agent is waited for, and asks nothing', () => {
    listen(answering());
    open(prompt('p1', { kind: 'agent', keys: ['laptop'] }));
    expect([said, shown, host.asked]).toEqual(['Waiting for your key agent (laptop)…\n', [], []]);
  });
});

describe('terminalReader', () => {
  const makeTerminal = () => {
    let screen = '';
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        screen += String(chunk);
        done();
      },
    });
    const reader = terminalReader(
      input as unknown as NodeJS.ReadStream,
      Object.assign(output, { isTTY: true }) as unknown as NodeJS.WriteStream,
    );
    return { input, screen: () => screen, read: reader ?? (async () => 'no terminal') };
  };

  it('shows nothing of what is typed', async () => {
    const terminal = makeTerminal();
    const answer = terminal.read('Passphrase: ', false, never);
    terminal.input.write('hush hush\r');
    expect(await answer).toBe('hush hush');
    expect(terminal.screen()).toBe('Passphrase: \n');
  });

  it('shows what may be seen', async () => {
    const terminal = makeTerminal();
    const answer = terminal.read('Code: ', true, never);
    terminal.input.write('123\r');
    expect(await answer).toBe('123');
    expect(terminal.screen()).toContain('123');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('has no answer after %s', async (_name, key) => {
    const terminal = makeTerminal();
    const answer = terminal.read('Passphrase: ', false, never);
    terminal.input.write(key);
    expect(await answer).toBeNull();
  });

  it('has no answer once the question is over', async () => {
    const over = new AbortController();
    const answer = makeTerminal().read('Passphrase: ', false, over.signal);
    over.abort();
    expect(await answer).toBeNull();
  });

  it('is not there without a terminal', () => {
    expect(terminalReader({ isTTY: false } as NodeJS.ReadStream, { isTTY: true } as NodeJS.WriteStream)).toBeNull();
  });
});
