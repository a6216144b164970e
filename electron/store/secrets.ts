import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writeDurably } from '../platform/atomic-file';
import type { RememberedSecrets } from '../ssh/login-memory';
import { storeFailure, systemCode } from './store-errors';

/** Encryption under a key that the operating system keeps for this account. */
export interface OsCipher {
  /** Whether it truly encrypts, here and now. */
  isTrusted(): boolean;
  encrypt(text: string): Buffer;
  /** Throws for what another account, another computer or nobody encrypted. */
  decrypt(sealed: Buffer): string;
}

/** What people let this computer remember, by connection. */
export interface SecretStore {
  canRemember(): boolean;
  /** Whether something is kept for a connection, readable now or not. */
  holds(connection: string): boolean;
  of(connection: string): RememberedSecrets;
  forgetAll(connection: string): Promise<void>;
}

const fileSchema = z.object({
  version: z.literal(1),
  secrets: z.array(z.object({ connection: z.string(), name: z.string(), sealed: z.base64() })),
});

type Entry = z.infer<typeof fileSchema>['secrets'][number];

/**
 * Opens the file of encrypted secrets. Without a cipher nothing is read or added, and forgetting still works. A file that cannot
 * be understood counts as empty: what it held is asked for again.
 */
export async function openSecrets(file: string, cipher: OsCipher | null): Promise<SecretStore> {
  let entries = await readEntries(file);
  let turn: Promise<void> = Promise.resolve();
  const change = (edit: (before: readonly Entry[]) => readonly Entry[]): Promise<void> => {
    const mine = turn.then(async () => {
      const next = edit(entries);
      if (next.length === entries.length && next.every((entry, index) => entry === entries[index])) return;
      await writeDurably(file, `${JSON.stringify({ version: 1, secrets: next })}\n`).catch((error: unknown) => {
        throw storeFailure('write', file, error);
      });
      entries = next;
    });
    turn = mine.catch(() => undefined);
    return mine;
  };
  const canRemember = (): boolean => cipher?.isTrusted() === true;
  return {
    canRemember,
    holds: (connection) => entries.some((entry) => entry.connection === connection),
    forgetAll: (connection) => change((before) => before.filter((entry) => entry.connection !== connection)),
    of: (connection) => {
      const isIt = (name: string) => (entry: Entry) => entry.connection === connection && entry.name === name;
      return {
        async get(name) {
          const entry = entries.find(isIt(name));
          return entry !== undefined && cipher !== null && canRemember() ? opened(cipher, entry) : null;
        },
        async set(name, secret) {
          if (cipher === null || !canRemember()) return;
          const sealed = cipher.encrypt(secret).toString('base64');
          await change((before) => [...before.filter((entry) => !isIt(name)(entry)), { connection, name, sealed }]);
        },
        forget: (name) => change((before) => before.filter((entry) => !isIt(name)(entry))),
      };
    },
  };
}

function opened(cipher: OsCipher, { sealed }: Entry): string | null {
  try {
    return cipher.decrypt(Buffer.from(sealed, 'base64'));
  } catch {
    // The key store was changed or is locked: then the person is asked.
    return null;
  }
}

async function readEntries(file: string): Promise<readonly Entry[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw storeFailure('read', file, error);
  }
  try {
    return fileSchema.parse(JSON.parse(text)).secrets;
  } catch {
    // Secrets alone are lost with it, and each is asked for again.
    return [];
  }
}
