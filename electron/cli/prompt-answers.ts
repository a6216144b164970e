import type { Prompt } from '../../shared/prompt';
import type { Host } from '../ipc/host';
import type { CliDeps } from './deps';
import { forTerminal, oneLine } from './text';

/**
 * Lets the person at the terminal answer what the attempts of one connection ask; where there is no terminal, every
 * question is given up at once. Returns the function that ends this.
 */
export function answerPrompts(app: Host, connection: string, deps: Pick<CliDeps, 'readAnswer' | 'stderr'>): () => void {
  const over = new AbortController();
  const seen = new Set<string>();
  let isOpen: ReadonlySet<string> = new Set();
  let turn = Promise.resolve();
  const settle = async (prompt: Prompt): Promise<void> => {
    // Another surface may have answered while this one waited for its turn.
    if (over.signal.aborted || !isOpen.has(prompt.id)) return;
    const answers = await readAnswers(prompt, deps, over.signal);
    // A question that closed meanwhile needs no answer.
    if (answers === null) await app.dispatch('prompt.cancel', { id: prompt.id });
    else await app.dispatch('prompt.answer', { id: prompt.id, answers, remember: false });
  };
  const stop = app.listen((event) => {
    if (event.event !== 'prompts') return;
    isOpen = new Set(event.data.prompts.map(({ id }) => id));
    for (const prompt of event.data.prompts) {
      if (seen.has(prompt.id) || !isAbout(prompt, connection)) continue;
      seen.add(prompt.id);
      if (prompt.question.kind === 'agent') deps.stderr(`Waiting for your key agent (${prompt.question.keys.map(oneLine).join(', ')})…\n`);
      else turn = turn.then(() => settle(prompt));
    }
  });
  return () => {
    over.abort();
    stop();
  };
}

function isAbout({ connection: { id, name } }: Prompt, wanted: string): boolean {
  return id === wanted || name.toLowerCase() === wanted.toLowerCase();
}

/** Null: nobody answers. */
async function readAnswers(
  { machine, question }: Prompt,
  { readAnswer, stderr }: Pick<CliDeps, 'readAnswer' | 'stderr'>,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  if (readAnswer === null || question.kind === 'agent') return null;
  if (question.kind === 'passphrase' || question.kind === 'password') {
    if (question.again) stderr('That was not it.\n');
    const what = question.kind === 'passphrase' ? `Passphrase of ${question.file}` : 'Password';
    const answer = await readAnswer(`${oneLine(what)} for ${oneLine(machine)}: `, false, signal);
    return answer === null ? null : [answer];
  }
  const said = [question.title, question.instructions].filter((text) => text !== '');
  stderr(`${oneLine(machine)} asks:\n${said.map((text) => `${forTerminal(text)}\n`).join('')}`);
  const answers: string[] = [];
  for (const { text, echo } of question.fields) {
    const answer = await readAnswer(`${oneLine(text)} `, echo, signal);
    if (answer === null) return null;
    answers.push(answer);
  }
  return answers;
}
