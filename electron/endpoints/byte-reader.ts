/** Reads records, lengths and the rest from a stream of chunks. A stream that ends early gives null, never a guess. */
export class ByteReader {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private held: Buffer = Buffer.alloc(0);
  private ended = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** Everything before the next separator, which is consumed; null when the stream ended without one. */
  async record(separator: string, limit = 1 << 20): Promise<Buffer | null> {
    let from = 0;
    for (;;) {
      const at = this.held.indexOf(separator, from);
      if (at >= 0) {
        const record = this.held.subarray(0, at);
        this.held = this.held.subarray(at + separator.length);
        return record;
      }
      if (this.held.length > limit) return null;
      from = Math.max(0, this.held.length - separator.length + 1);
      if (!(await this.more())) return null;
    }
  }

  /** Exactly `length` bytes; null when the stream ended before. */
  async take(length: number): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.held.length === 0 && !(await this.more())) return null;
      const part = this.held.subarray(0, missing);
      this.held = this.held.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  /** Skips everything up to and including `mark` on a line of its own; false when it never comes. Keeps the end of what was skipped. */
  async skipTo(mark: string): Promise<{ readonly found: boolean; readonly skipped: string }> {
    const separator = `\n${mark}\n`;
    let skipped = '';
    for (;;) {
      const at = this.held.indexOf(separator);
      if (at >= 0) {
        this.held = this.held.subarray(at + separator.length);
        return { found: true, skipped };
      }
      const done = this.held.subarray(0, Math.max(0, this.held.length - separator.length));
      skipped = (skipped + done.toString('utf8')).slice(-2000);
      this.held = this.held.subarray(done.length);
      if (!(await this.more())) return { found: false, skipped: (skipped + this.held.toString('utf8')).slice(-2000) };
    }
  }

  /** What has not been read yet, to the end. */
  async *rest(): AsyncGenerator<Uint8Array> {
    if (this.held.length > 0) yield this.held;
    this.held = Buffer.alloc(0);
    while (await this.more()) {
      yield this.held;
      this.held = Buffer.alloc(0);
    }
  }

  private async more(): Promise<boolean> {
    if (this.ended) return false;
    const next = await this.chunks.next();
    if (next.done === true) {
      this.ended = true;
      return false;
    }
    this.held = this.held.length === 0 ? Buffer.from(next.value) : Buffer.concat([this.held, next.value]);
    return true;
  }
}
