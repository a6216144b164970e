import type { Tally } from '../../shared/run-report';
import type { IncomingFile } from './endpoint';
import type { RunInput } from './run';

/** Counts content as it passes. */
export class Transfer {
  files = 0;
  bytes = 0;

  constructor(
    private readonly total: number,
    private readonly progress: RunInput['progress'],
  ) {}

  count(file: IncomingFile): IncomingFile {
    this.files += 1;
    return { ...file, body: this.pass(file.body) };
  }

  private async *pass(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      this.bytes += chunk.length;
      this.progress('transferring', this.bytes, this.total, 'bytes');
      yield chunk;
    }
  }

  tally(): Tally {
    return { files: this.files, bytes: this.bytes };
  }
}
