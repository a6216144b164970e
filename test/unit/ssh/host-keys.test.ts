import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  appendHostKey,
  fingerprintOf,
  judgeHostKey,
  knownKeyTypes,
  parseKnownHosts,
  readKnownHosts,
} from '../../../electron/ssh/host-keys';
import { keygenFingerprint, makeKey, publicBlob } from '../../support/keys';

let dir: string;
let keys: { readonly a: Buffer; readonly b: Buffer; readonly ec: Buffer; readonly gone: Buffer };

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'ebbgate-known-'));
  const key = (name: string, type: 'ed25519' | 'ecdsa' = 'ed25519'): Buffer => publicBlob(makeKey(dir, name, { type }));
  keys = { a: key('a'), b: key('b'), ec: key('ec', 'ecdsa'), gone: key('gone') };
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const at = (host: string, port = 22, alias: string | null = null) => ({ host, port, alias });
const b64 = (key: Buffer): string => key.toString('base64');

function sample(): string {
  return [
    '# comment',
    '',
    `build.example,10.1.2.3 ssh-ed25519 ${b64(keys.a)} someone`,
    `[127.0.0.1]:2222 ssh-ed25519 ${b64(keys.b)}`,
    `*.lab,!bad.lab ecdsa-sha2-nistp256 ${b64(keys.ec)}`,
    `@revoked * ssh-ed25519 ${b64(keys.gone)}`,
    `@cert-authority *.corp ssh-ed25519 ${b64(keys.a)}`,
    `node?.grid ssh-ed25519 ${b64(keys.a)}`,
    `[::1]:2222 ssh-ed25519 ${b64(keys.a)}`,
    'broken ssh-ed25519 not-a-key',
    'short ssh-ed25519',
    `cut.example ssh-ed25519 ${b64(keys.a.subarray(0, 40))}`,
    'dss.example ssh-dss AAAAB3NzaC1kc3MAAAABAQAAAAEBAAAAAQEAAAABAQ==',
    `|1|${b64(Buffer.alloc(8))}|${b64(Buffer.alloc(20))} ssh-ed25519 ${b64(keys.a)}`,
  ].join('\r\n');
}

describe('judgeHostKey', () => {
  const cases: readonly (readonly [string, ReturnType<typeof at>, 'a' | 'b' | 'ec' | 'gone', string])[] = [
    ['finds a name whatever its case', at('BUILD.example'), 'a', 'match'],
    ['tells another key of the same type as changed', at('10.1.2.3'), 'b', 'changed'],
    ['tells a key of a type that is not listed as changed', at('10.1.2.3'), 'ec', 'changed'],
    ['finds an address with its port', at('127.0.0.1', 2222), 'b', 'match'],
    ['does not take an entry with a port for the standard port', at('127.0.0.1'), 'b', 'unknown'],
    ['accepts a key listed under the bare name for another port', at('build.example', 2200), 'a', 'match'],
    ['does not call a key changed because of the bare name', at('build.example', 2200), 'b', 'unknown'],
    ['finds a name through a pattern', at('x.lab'), 'ec', 'match'],
    ['passes over a name that a pattern excludes', at('bad.lab'), 'ec', 'unknown'],
    ['finds a name through a one-letter pattern', at('node7.grid'), 'a', 'match'],
    ['does not stretch a one-letter pattern', at('node77.grid'), 'a', 'unknown'],
    ['finds a bracketed IPv6 address', at('::1', 2222), 'a', 'match'],
    ['tells a revoked key everywhere', at('nobody.example'), 'gone', 'revoked'],
    ['does not take a certificate authority for a host key', at('x.corp'), 'a', 'unknown'],
    ['looks up the alias instead of the address', at('192.0.2.9', 2200, 'build.example'), 'a', 'match'],
    ['passes over a line without a readable key', at('broken'), 'a', 'unknown'],
    ['passes over a line whose key is cut', at('cut.example'), 'a', 'unknown'],
    ['asks anew where only a type is listed that no server can show us', at('dss.example'), 'a', 'unknown'],
  ];

  it.each(cases)('%s', (_name, host, key, verdict) => {
    expect(judgeHostKey(parseKnownHosts(sample(), 'known'), host, keys[key]).kind).toBe(verdict);
  });

  it('names file, line and fingerprints of the key it expected', () => {
    expect(judgeHostKey(parseKnownHosts(sample(), 'known'), at('build.example'), keys.b)).toEqual({
      kind: 'changed',
      expected: [fingerprintOf(keys.a)],
      file: 'known',
      line: 3,
      forget: "ssh-keygen -R 'build.example' -f 'known'",
    });
    expect(judgeHostKey(parseKnownHosts(sample(), 'known'), at('x'), keys.gone)).toEqual({ kind: 'revoked', file: 'known', line: 6 });
  });

  it('offers no command where a pattern names the host, since ssh-keygen would leave that line', () => {
    const verdict = judgeHostKey(parseKnownHosts(sample(), 'known'), at('x.lab'), keys.a);
    expect(verdict).toMatchObject({ kind: 'changed', line: 5, forget: null });
  });

  it('gives the command that makes the host unknown again, whatever the names of file and host', () => {
    const file = join(dir, "it's known");
    writeFileSync(file, `other ssh-ed25519 ${b64(keys.a)}\n[::1]:2222 ssh-ed25519 ${b64(keys.a)}\n`);
    execFileSync('ssh-keygen', ['-q', '-H', '-f', file], { stdio: 'pipe' });
    const judge = () => judgeHostKey(parseKnownHosts(readFileSync(file, 'utf8'), file), at('::1', 2222), keys.b);
    const verdict = judge();
    if (verdict.kind !== 'changed' || verdict.forget === null) throw new Error(`not changed: ${verdict.kind}`);
    execFileSync('sh', ['-c', verdict.forget], { stdio: 'pipe' });
    expect(judge().kind).toBe('unknown');
    expect(judgeHostKey(parseKnownHosts(readFileSync(file, 'utf8'), file), at('other'), keys.a).kind).toBe('match');
  });

  it('names the certificate authority that is trusted instead of a key', () => {
    const verdict = judgeHostKey(parseKnownHosts(sample(), 'known'), at('x.corp', 2200), keys.b);
    expect(verdict).toEqual({ kind: 'unknown', authority: { file: 'known', line: 7 } });
  });

  it('judges a file that ssh-keygen hashed like the plain one', () => {
    const file = join(dir, 'hashed');
    const plain = sample()
      .replace(/^.*(\*|\?|broken|short).*$\r?\n?/gm, '')
      .replace(/\r/g, '');
    writeFileSync(file, plain);
    execFileSync('ssh-keygen', ['-q', '-H', '-f', file], { stdio: 'pipe' });
    const hashed = parseKnownHosts(readFileSync(file, 'utf8'), file);
    expect(hashed.filter((entry) => entry.names.startsWith('|1|')).length).toBeGreaterThanOrEqual(3);
    expect(judgeHostKey(hashed, at('Build.example'), keys.a).kind).toBe('match');
    expect(judgeHostKey(hashed, at('10.1.2.3'), keys.b).kind).toBe('changed');
    expect(judgeHostKey(hashed, at('127.0.0.1', 2222), keys.b).kind).toBe('match');
    expect(judgeHostKey(hashed, at('127.0.0.1'), keys.b).kind).toBe('unknown');
  });

  it('reads every key of a host across several files', async () => {
    const [first, second] = [join(dir, 'first'), join(dir, 'second')];
    writeFileSync(first, `m ssh-ed25519 ${b64(keys.a)}\n`);
    writeFileSync(second, `m ssh-ed25519 ${b64(keys.b)}\nm ecdsa-sha2-nistp256 ${b64(keys.ec)}\n`);
    const known = await readKnownHosts([first, join(dir, 'absent'), second]);
    expect(judgeHostKey(known, at('m'), keys.b).kind).toBe('match');
    expect(knownKeyTypes(known, at('m'))).toEqual(['ssh-ed25519', 'ecdsa-sha2-nistp256']);
    expect(judgeHostKey(known, at('m'), keys.gone)).toMatchObject({ kind: 'changed', file: first, line: 1 });
  });

  it('fails on a file it cannot read instead of calling hosts unknown', async () => {
    await expect(readKnownHosts([dir])).rejects.toMatchObject({ code: 'local.failed', details: { path: dir } });
  });
});

describe('fingerprintOf', () => {
  it('prints what ssh-keygen prints', () => {
    expect(fingerprintOf(keys.ec)).toBe(keygenFingerprint(join(dir, 'ec')));
  });
});

describe('appendHostKey', () => {
  let file: string;
  beforeEach(() => {
    file = join(mkdtempSync(join(dir, 'append-')), 'new', '.ssh', 'known_hosts');
  });

  it('makes the file for its owner alone, and ssh-keygen finds the key in it', async () => {
    await appendHostKey(file, at('127.0.0.1', 2222), keys.a);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
    expect(execFileSync('ssh-keygen', ['-F', '[127.0.0.1]:2222', '-f', file], { encoding: 'utf8' })).toContain(b64(keys.a));
  });

  it('keeps what was there, also when it did not end with a newline', async () => {
    await appendHostKey(file, at('one'), keys.a);
    appendFileSync(file, `two ssh-ed25519 ${b64(keys.b)}`);
    await appendHostKey(file, at('three'), keys.ec);
    expect(readFileSync(file, 'utf8')).toBe(
      `one ssh-ed25519 ${b64(keys.a)}\ntwo ssh-ed25519 ${b64(keys.b)}\nthree ecdsa-sha2-nistp256 ${b64(keys.ec)}\n`,
    );
  });

  it('writes through a link and leaves it one', async () => {
    await appendHostKey(file, at('one'), keys.a);
    const link = join(dir, 'link-to-known-hosts');
    symlinkSync(file, link);
    await appendHostKey(link, at('two'), keys.b);
    expect(readFileSync(file, 'utf8').split('\n').length).toBe(3);
  });

  it('writes its line whole beside others who append at the same moment', async () => {
    const hosts = Array.from({ length: 40 }, (_, index) => at(`host${index}`));
    await Promise.all(hosts.map((host) => appendHostKey(file, host, keys.a)));
    const known = await readKnownHosts([file]);
    expect(known).toHaveLength(40);
    for (const host of hosts) expect(judgeHostKey(known, host, keys.a).kind).toBe('match');
  });

  it('gives the line to add by hand when the file cannot be written', async () => {
    await expect(appendHostKey(dir, at('one'), keys.a)).rejects.toMatchObject({
      code: 'ssh.host-key-not-kept',
      details: { file: dir, line: `one ssh-ed25519 ${b64(keys.a)}` },
    });
  });
});
