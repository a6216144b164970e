import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Asks at a terminal; null when the person ends the input (Ctrl-C, Ctrl-D) or `signal` fires. Without `echo` nothing typed is shown. */
export type ReadAnswer = (question: string, echo: boolean, signal: AbortSignal) => Promise<string | null>;

/** The way to ask at this process's terminal; null when it has none. */
export function terminalReader(input: NodeJS.ReadStream, output: NodeJS.WriteStream): ReadAnswer | null {
  if (input.isTTY !== true || output.isTTY !== true) return null;
  return (question, echo, signal) =>
    new Promise((resolve) => {
      output.write(question);
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
      const lines = createInterface({ input, output: echo ? output : silent, terminal: true, historySize: 0 });
      let answer: string | null = null;
      lines.once('line', (line) => {
        answer = line;
        lines.close();
      });
      lines.once('SIGINT', () => lines.close());
      signal.addEventListener('abort', () => lines.close(), { once: true });
      lines.once('close', () => {
        // What was typed ended the line on the screen only where it was shown.
        if (!echo || answer === null) output.write('\n');
        resolve(answer);
      });
      if (signal.aborted) lines.close();
    });
}
