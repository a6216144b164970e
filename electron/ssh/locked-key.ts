import { readFile } from 'node:fs/promises';
import ssh2, { type IdentityCallback, type ParsedKey, type SignCallback, type SigningRequestOptions } from 'ssh2';
import { keyTypeOf } from './host-keys';
import type { KeyFile } from './key-file';

const { BaseAgent, utils } = ssh2;

/** Keys that were unlocked within one attempt, by file: several machines on the way may want the same one. */
export type UnlockedKeys = Map<string, ParsedKey>;

/** A key file behind a passphrase, in the shape of an agent: the library can then offer the public half and wait for a signature. */
export class LockedKey extends BaseAgent {
  private unlocking: Promise<ParsedKey | null> | null = null;

  /** `ask` resolves with null when there is no answer; it is asked `tries` times at most, and not at all for a key unlocked before. */
  constructor(
    private readonly file: KeyFile,
    private readonly unlocked: UnlockedKeys,
    private readonly ask: (again: boolean) => Promise<string | null>,
    private readonly tries: number,
  ) {
    super();
  }

  override getIdentities(done: IdentityCallback<ParsedKey>): void {
    const known = this.file.publicBlob === null ? null : publicKey(this.file.publicBlob);
    if (known !== null) done(null, [known]);
    else void this.unlock().then((key) => done(null, key === null ? [] : [key]));
  }

  override sign(_key: ParsedKey, data: Buffer, options: SigningRequestOptions | SignCallback, done?: SignCallback): void {
    const hash = typeof options === 'function' ? undefined : options.hash;
    const answer: SignCallback = typeof options === 'function' ? options : (done ?? (() => undefined));
    void this.unlock().then((key) => {
      const signature = key?.sign(data, hash);
      if (signature === undefined || signature instanceof Error) answer(signature ?? new Error('the key stayed locked'));
      else answer(null, signature);
    });
  }

  private unlock(): Promise<ParsedKey | null> {
    this.unlocking ??= this.tryToUnlock();
    return this.unlocking;
  }

  private async tryToUnlock(): Promise<ParsedKey | null> {
    const before = this.unlocked.get(this.file.file);
    if (before !== undefined) return before;
    const text = await readFile(this.file.file, 'latin1').catch(() => '');
    for (let round = 0; round < this.tries; round += 1) {
      const passphrase = await this.ask(round > 0);
      if (passphrase === null) return null;
      const key = parse(text, passphrase);
      if (key === null) continue;
      this.unlocked.set(this.file.file, key);
      return key;
    }
    return null;
  }
}

function publicKey(blob: Buffer): ParsedKey | null {
  return parse(`${keyTypeOf(blob)} ${blob.toString('base64')}`);
}

function parse(text: string, passphrase?: string): ParsedKey | null {
  try {
    const parsed: ParsedKey | ParsedKey[] | Error = utils.parseKey(text, passphrase);
    if (parsed instanceof Error) return null;
    return Array.isArray(parsed) ? (parsed[0] ?? null) : parsed;
  } catch {
    // A wrong passphrase may also end in a decoder's own error.
    return null;
  }
}
