import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { quoteWord } from '../../shared/quote';
import type { Rules } from '../../shared/rules';
import source from './remote.sh?raw';

export type ScriptMode = 'list' | 'hash' | 'pack' | 'identify' | 'probe';

/** What the script is told; see the head of remote.sh. */
export interface ScriptSettings {
  readonly mode: ScriptMode;
  readonly remoteHome: string | null;
  readonly profile: string | null;
  readonly clientId: string;
  readonly roots: readonly string[];
  readonly rules: Rules | null;
  /** Digest of the listing the remote keeps for us; null when none is trusted, `later` when it comes as a line of its own, with `counts`. */
  readonly digest: string | null;
  /** Whether the remote counts what lies in excluded folders; it can then not be written. */
  readonly counts: boolean;
  /** Contents of up to so many bytes come with the listing. */
  readonly inlineBytes: number;
  readonly proposedIdentity: string;
}

export interface Script {
  /** What the login shell runs: no quote, backslash or exclamation mark inside, so that every shell reads it alike. */
  readonly command: string;
  /** What goes to its stdin first. */
  readonly input: Buffer;
  /** Line that begins the script's own output. */
  readonly mark: string;
}

/** The text for a request: without comments, indentation, and the parts that it does not need. */
function bodyFor({ mode, digest, counts }: ScriptSettings): string {
  const listing = digest === 'later' ? ['count', 'write', 'volumes', 'blocks'] : counts ? ['count'] : ['write', 'volumes'];
  const more = mode === 'list' ? listing : mode === 'probe' ? ['volumes'] : mode === 'pack' ? ['blocks'] : [];
  const parts = ['#@ all', ...[mode, ...more].map((part) => `#@ only ${part}`)];
  const lines: string[] = [];
  let wanted = true;
  for (const line of source.split('\n')) {
    if (line.startsWith('#@ ')) wanted = parts.includes(line);
    else if (wanted && !/^\s*#/.test(line)) lines.push(line.trimStart());
  }
  return lines.join('\n');
}

/** What a remote without gzip answers to a compressed script. */
export const wantsPlain = 'ebbgate: no gzip';

/** Renders the script for one request, compressed unless the remote is known to lack gzip. */
export function renderScript(settings: ScriptSettings, isPlain = false): Script {
  const mark = `ebbgate-${randomBytes(12).toString('hex')}`;
  const filter = settings.rules?.remoteFilter;
  const names = filter?.names ?? [];
  const values: readonly (readonly [string, string])[] = [
    ['mark', mark],
    ['mode', settings.mode],
    ['want', settings.remoteHome ?? ''],
    ['profile', settings.profile ?? ''],
    ['roots', settings.roots.join(' ')],
    ['client', settings.clientId],
    ['names', names.map((name) => name.replace(/[.+^${}()|[\]\\]/g, '\\$&')).join('|')],
    ['prune', names.map((name) => `-name ${name}`).join(' -o ')],
    ['filepat', filter?.filePattern ?? ''],
    ['digest', settings.digest ?? '-'],
    ['inline', String(settings.inlineBytes)],
    ['count', settings.counts ? '1' : '0'],
    ['proposed', settings.proposedIdentity],
  ];
  const text = `${values.map(([name, value]) => `${name}=${quoteWord(value)}`).join('\n')}\n${bodyFor(settings)}\n`;
  const input = isPlain ? Buffer.from(text) : gzipSync(text, { level: 9 });
  const unpack = isPlain ? '' : ` | gzip -dc || echo echo ${wantsPlain}`;
  return { command: `exec /bin/sh -c 'eval "$(head -c ${input.length}${unpack})"'`, input, mark };
}

/** Items as the script reads them from a list: each ended by a zero byte. */
export function zeroEnded(items: readonly string[]): Buffer {
  return Buffer.from(items.map((item) => `${item}\0`).join(''));
}
