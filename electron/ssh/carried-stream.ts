import { Duplex, type Readable, type Writable } from 'node:stream';

/** A stream that counts, as a socket does. */
export interface ByteStream extends Duplex {
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

interface CarriedParts {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends what lies below; called once. */
  end(): Promise<void>;
}

/** Two streams as one that counts its bytes. The end of input is told by `finish`, since who ends first decides what it means. */
export class CarriedStream extends Duplex implements ByteStream {
  bytesRead = 0;
  bytesWritten = 0;
  private isFinished = false;

  constructor(private readonly parts: CarriedParts) {
    super();
    parts.input.on('data', (chunk: Buffer) => {
      this.bytesRead += chunk.length;
      if (!this.isFinished && !this.destroyed && !this.push(chunk)) parts.input.pause();
    });
    // Whoever ended below tells through `finish` or `destroy`.
    parts.input.on('error', () => undefined);
    parts.output.on('error', () => undefined);
  }

  /** Nothing more will arrive. */
  finish(): void {
    if (this.isFinished || this.destroyed) return;
    this.isFinished = true;
    this.push(null);
  }

  override _read(): void {
    this.parts.input.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.bytesWritten += chunk.length;
    // Below, the end is on its way already; the error of a write would only hide its reason.
    if (this.parts.output.writable) this.parts.output.write(chunk, () => done());
    else done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.parts.output.end();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    void this.parts.end().finally(() => done(error));
  }
}
