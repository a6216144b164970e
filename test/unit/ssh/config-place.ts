import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection, RemoteAddress } from '../../../shared/connection';

export const byAddress: RemoteAddress = { kind: 'address', user: 'ann', host: '192.0.2.5', port: 2200 };
export const byAlias: RemoteAddress = { kind: 'alias', alias: 'box' };

/** A home with an SSH folder of its own, and the environment that leads there. */
export interface ConfigPlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** The environment of a computer without OpenSSH. */
  readonly bare: Readonly<Record<string, string>>;
  configure(text: string): void;
  /** Puts a file into the SSH folder. */
  put(name: string): string;
}

/** Makes the home; the caller removes it. */
export function makeConfigPlace(): ConfigPlace {
  const home = mkdtempSync(join(tmpdir(), 'ebbgate-config-'));
  mkdirSync(join(home, '.ssh'), { mode: 0o700 });
  return {
    home,
    env: { HOME: home, PATH: process.env.PATH ?? '' },
    bare: { HOME: home, PATH: home },
    configure: (text) => writeFileSync(join(home, '.ssh', 'config'), text, { mode: 0o600 }),
    put: (name) => {
      const file = join(home, '.ssh', name);
      writeFileSync(file, 'key');
      return file;
    },
  };
}

/** A saved connection where nothing special is wanted. */
export function connection(address: RemoteAddress, changes: Partial<Connection> = {}): Connection {
  return {
    id: 'c1',
    name: 'box',
    address,
    identityFile: null,
    knownHostsFile: null,
    acceptedHostKey: null,
    useSshConfig: true,
    localHome: '/nowhere',
    remoteHome: null,
    profile: null,
    roots: ['skills'],
    newSkills: 'bring',
    userRules: [],
    lifted: [],
    createdAt: '2026-01-01T00:00:00Z',
    ...changes,
  };
}
