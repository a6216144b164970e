import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf, type HostName, judgeHostKey, keyTypeOf, knownName, linesFor, parseKnownHosts } from '../../electron/ssh/host-keys';
import { makeKey, publicBlob } from '../support/keys';
import { createRandom, type Random, seedFrom } from '../support/random';

const seed = seedFrom('KNOWN_HOSTS_SEED', 5);
const groups = 20;
const filesOfGroup = 50;
const hosts: readonly HostName[] = [
  { host: 'a.example', port: 22, alias: null },
  { host: 'A.example', port: 2222, alias: null },
  { host: 'node1.lab', port: 22, alias: null },
  { host: '10.0.0.1', port: 22, alias: null },
  { host: '::1', port: 2222, alias: null },
  { host: 'anything', port: 2222, alias: 'B.example' },
];
const names = [
  ...hosts.map(knownName),
  ...['A.EXAMPLE', 'c.example', 'bb.example', 'node11.lab', '10.0.0.11', '::1', '[a.example]:22', '[a.example]'],
];
const patterns = ['*', '*.example', '?.example', '*.lab', 'node?.lab', '[*]:2222', '[a.example]:*', '10.0.0.?', '*a*', '?', '**', ''];

let dir: string;
let keys: readonly Buffer[];
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'ebbgate-known-hosts-'));
  keys = (['ed25519', 'ed25519', 'ecdsa', 'rsa'] as const).map((type, index) => publicBlob(makeKey(dir, `key${index}`, { type })));
});
afterAll(() => rmSync(dir, { recursive: true }));

function hashed(random: Random, name: string): string {
  const salt = Buffer.from(Array.from({ length: random.pick([20, 20, 20, 20, 8]) }, () => random.below(256)));
  const digest = createHmac('sha1', salt).update(name).digest('base64');
  return `|${random.pick(['1', '1', '1', '1', '2'])}|${salt.toString('base64')}|${digest}`;
}

function namesField(random: Random): string {
  if (random.below(3) === 0) return hashed(random, random.pick(names));
  const one = () => `${random.below(5) === 0 ? '!' : ''}${random.below(2) === 0 ? random.pick(patterns) : random.pick(names)}`;
  return Array.from({ length: 1 + random.below(3) }, one).join(',');
}

function keyFields(random: Random): string {
  const key = random.pick(keys);
  const type = keyTypeOf(key);
  const whole = `${type} ${key.toString('base64')}`;
  const odd = [
    type,
    `${type} AAAA`,
    `${type} ${key.subarray(0, 30).toString('base64')}`,
    `ssh-rsa ${keys[0]?.toString('base64')}`,
    '1024 35 99',
  ];
  return random.below(8) === 0 ? random.pick(odd) : whole;
}

function randomLine(random: Random): string {
  if (random.below(12) === 0) return random.pick(['', '   ', '# a.example ssh-ed25519 AAAA', 'a.example', '@revoked']);
  const blank = () => random.pick([' ', ' ', '\t', '  ']);
  const marker = random.pick(['', '', '', '', '@revoked', '@cert-authority', '@weird', '@revoked @cert-authority']);
  const words = [namesField(random), keyFields(random), ...(random.below(3) === 0 ? ['me@here x'] : [])];
  // Always a space after a marker: OpenSSH takes a tab there only in a line without spaces, and we do in every line.
  const start = `${random.below(10) === 0 ? blank() : ''}${marker === '' ? '' : `${marker} `}`;
  return `${start}${words.join(blank())}${random.below(10) === 0 ? '\r' : ''}`;
}

interface Found {
  readonly line: number;
  readonly marker: string;
  readonly fingerprint: string;
}

/** What ssh-keygen finds for every host in every file, by file and host; one shell asks for a whole share of them. */
async function askSshKeygen(files: readonly string[]): Promise<ReadonlyMap<string, readonly Found[]>> {
  const script = 'for file do for host in $HOSTS; do echo "== $file $host"; ssh-keygen -lF "$host" -f "$file" 2>/dev/null; done; done';
  const env = { ...process.env, HOSTS: hosts.map(knownName).join(' ') };
  // The host names hold brackets, which the shell would take for a pattern.
  const { stdout } = await promisify(execFile)('sh', ['-fc', `${script}; true`, 'sh', ...files], { env, maxBuffer: 256 << 20 });
  const answers = new Map<string, Found[]>();
  let current: Found[] = [];
  for (const [, asked, line, marker, fingerprint] of stdout.matchAll(
    /^== (.*)$|^# Host .* found: line (\d+) *([A-Z]*) *\n.*?(SHA256:\S+)/gm,
  )) {
    if (asked !== undefined) {
      current = [];
      answers.set(asked, current);
    } else {
      current.push({ line: Number(line), marker: marker ?? '', fingerprint: fingerprint ?? '' });
    }
  }
  return answers;
}

const markers = { none: '', revoked: 'REVOKED', 'cert-authority': 'CA' } as const;

describe('known_hosts', () => {
  it(`reads a thousand random files as ssh-keygen does (seed ${seed})`, { timeout: 300_000 }, async () => {
    const random = createRandom(seed);
    const texts = Array.from({ length: groups }, () =>
      Array.from({ length: filesOfGroup }, () => Array.from({ length: 1 + random.below(12) }, () => randomLine(random)).join('\n')),
    );
    // ssh-keygen takes longer to start than to read: it gets the files of a group one after the other, and they are told apart by line.
    const files = texts.map((group, index) => {
      const file = join(dir, `group${index}`);
      writeFileSync(file, group.join('\n'));
      return file;
    });
    const half = files.length / 2;
    const answers = await Promise.all([askSshKeygen(files.slice(0, half)), askSshKeygen(files.slice(half))]);
    const found = { lines: 0, match: 0, changed: 0, revoked: 0, unknown: 0 };
    for (const [index, group] of texts.entries()) {
      const file = files[index] ?? '';
      for (const host of hosts) {
        const theirs = answers.flatMap((answer) => answer.get(`${file} ${knownName(host)}`) ?? []);
        let before = 0;
        for (const text of group) {
          const known = parseKnownHosts(text, file);
          const ours = linesFor(known, host).map(({ line, marker, key }) => ({
            ...{ line: before + line, marker: markers[marker], fingerprint: fingerprintOf(key) },
          }));
          const end = before + text.split('\n').length;
          const expected = theirs.filter(({ line }) => line > before && line <= end);
          expect(ours, `${knownName(host)} in:\n${text}`).toEqual(expected);
          found.lines += ours.length;
          if (host.port === 22 || host.alias !== null) {
            for (const key of keys) {
              const verdict = verdictOf(expected, fingerprintOf(key));
              expect(judgeHostKey(known, host, key).kind, `${knownName(host)} shows ${fingerprintOf(key)} in:\n${text}`).toBe(verdict);
              found[verdict] += 1;
            }
          }
          before = end;
        }
      }
    }
    // Every kind of answer came up often, so that the comparison means something.
    expect(Math.min(...Object.values(found))).toBeGreaterThan(500);
  });
});

/** What OpenSSH's own finds mean for a key that is shown. */
function verdictOf(found: readonly Found[], shown: string): 'match' | 'changed' | 'revoked' | 'unknown' {
  if (found.some(({ marker, fingerprint }) => marker === 'REVOKED' && fingerprint === shown)) return 'revoked';
  const trusted = found.filter(({ marker }) => marker === '');
  if (trusted.some(({ fingerprint }) => fingerprint === shown)) return 'match';
  return trusted.length > 0 ? 'changed' : 'unknown';
}
