import type { AppEvent, Envelope } from '../../shared/contract';

/** Version of what is said over the socket; another one is not spoken to. */
export const protocolVersion = 1;

/** One line from a client. `hello` and `listen` are answered by the socket itself, every other name by the application. */
export interface RequestLine {
  readonly id: number;
  readonly name: string;
  readonly params: unknown;
}

/** One line from the owner. A closing owner answers `closing` to what it did not begin, and ends with `bye`: what has no answer by then never will. */
export type ReplyLine =
  | { readonly id: number; readonly envelope: Envelope<unknown> }
  | { readonly id: number; readonly closing: true }
  | { readonly event: AppEvent }
  | { readonly bye: true };

/** A JSON value as one line. JSON text never holds a newline. */
export function toLine(value: RequestLine | ReplyLine): string {
  return `${JSON.stringify(value)}\n`;
}

/** Cuts what arrives into lines. Text must arrive decoded; `longest` bounds a line that does not end. */
export class LineCutter {
  readonly #longest: number;
  #pieces: string[] = [];
  #length = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The lines that are complete now; null when one is too long. */
  push(text: string): readonly string[] | null {
    const lines: string[] = [];
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      lines.push(this.#pieces.join('') + text.slice(from, at));
      this.#pieces = [];
      this.#length = 0;
      from = at + 1;
    }
    this.#pieces.push(text.slice(from));
    this.#length += text.length - from;
    return this.#length > this.#longest ? null : lines;
  }
}

/** A parsed object; null for anything else. */
export function parseObject(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}
