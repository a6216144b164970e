import { beforeEach, describe, expect, it } from 'vitest';
import { createPrompts, type Prompts } from '../../../electron/app/prompts';
import type { Prompt, PromptQuestion } from '../../../shared/prompt';

const box = { id: 'c1', name: 'box' };
const passphrase: PromptQuestion = { kind: 'passphrase', file: '/keys/one', again: false };
const never = new AbortController().signal;

let told: (readonly Prompt[])[];
let listened: boolean;
let trusted: boolean;
let prompts: Prompts;
beforeEach(() => {
  told = [];
  listened = true;
  trusted = true;
  prompts = createPrompts({
    tell: (open) => {
      told.push(open);
      return listened;
    },
    canRemember: () => trusted,
  });
});

const ask = (question: PromptQuestion = passphrase, signal: AbortSignal = never) => prompts.personFor(box).ask('ann@box', question, signal);
const onlyId = (): string => prompts.list()[0]?.id ?? '';

describe('a question', () => {
  it('is shown to everybody until it is answered, and its answer to nobody', async () => {
    const answered = ask();
    expect(prompts.list()).toEqual([
      { id: expect.any(String), connection: box, machine: 'ann@box', question: passphrase, canRemember: true },
    ]);
    prompts.answer(onlyId(), ['open sesame'], true);
    expect(await answered).toEqual({ answers: ['open sesame'], remember: true });
    expect(told).toEqual([[expect.objectContaining({ machine: 'ann@box' })], []]);
    expect(JSON.stringify(told)).not.toContain('sesame');
  });

  it('ends unanswered when the person gives up, when its attempt ends and when nobody listens', async () => {
    const given = ask();
    prompts.cancel(onlyId());
    expect(await given).toBeNull();
    const attempt = new AbortController();
    const ended = ask(passphrase, attempt.signal);
    attempt.abort();
    expect(await ended).toBeNull();
    listened = false;
    expect(await ask()).toBeNull();
    expect(prompts.list()).toEqual([]);
  });

  it('ends by itself when nobody answers for long', async () => {
    prompts = createPrompts({ tell: () => true, canRemember: () => false, patienceMs: 1 });
    expect(await ask()).toBeNull();
  });

  it('is settled by its own id alone', async () => {
    const [first, second] = [ask(), ask({ kind: 'password', again: false })];
    const [one, two] = prompts.list();
    prompts.answer(two?.id ?? '', ['b'], false);
    prompts.answer(one?.id ?? '', ['a'], false);
    expect([await first, await second].map((answer) => answer?.answers)).toEqual([['a'], ['b']]);
    expect(() => prompts.answer(one?.id ?? '', ['again'], false)).toThrowError(expect.objectContaining({ code: 'prompt.closed' }));
    expect(() => prompts.cancel('never')).toThrowError(expect.objectContaining({ code: 'prompt.closed' }));
  });

  it('can be remembered only when it is a passphrase or a password and this computer can keep it', async () => {
    const fields = [{ text: 'Code: ', echo: false }];
    const questions = [
      passphrase,
      { kind: 'password', again: false },
      { kind: 'interactive', title: '', instructions: '', fields },
    ] as const;
    for (const question of questions) void ask(question);
    trusted = false;
    const answered = ask();
    expect(prompts.list().map(({ canRemember }) => canRemember)).toEqual([true, true, false, false]);
    prompts.answer(prompts.list()[3]?.id ?? '', ['open sesame'], true);
    expect(await answered).toMatchObject({ remember: false });
  });

  it('takes as many answers as it has fields', async () => {
    const fields = [
      { text: 'Password: ', echo: false },
      { text: 'Code: ', echo: true },
    ];
    const answered = ask({ kind: 'interactive', title: '', instructions: '', fields });
    expect(() => prompts.answer(onlyId(), ['one'], false)).toThrowError(expect.objectContaining({ code: 'usage.invalid' }));
    prompts.answer(onlyId(), ['one', 'two'], true);
    // What the remote words itself may be a code, and is never kept.
    expect(await answered).toEqual({ answers: ['one', 'two'], remember: false });
  });

  it('about the agent stays open without a listener, and takes no answer', async () => {
    listened = false;
    const attempt = new AbortController();
    const waiting = ask({ kind: 'agent', keys: ['laptop'] }, attempt.signal);
    expect(() => prompts.answer(onlyId(), [], false)).toThrowError(expect.objectContaining({ code: 'usage.invalid' }));
    attempt.abort();
    expect(await waiting).toBeNull();
  });
});
