import { randomBytes } from 'node:crypto';
import { quoteWord } from '../../shared/quote';
import type { Rules } from '../../shared/rules';
import source from './remote.sh?raw';

export type ScriptMode = 'list' | 'totals' | 'hash' | 'pack' | 'identify' | 'probe';

/** What the script is told; see the head of remote.sh. */
export interface ScriptSettings {
  readonly mode: ScriptMode;
  readonly remoteHome: string | null;
  readonly profile: string | null;
  readonly clientId: string;
  readonly roots: readonly string[];
  readonly rules: Rules | null;
  /** Digest of the listing the remote keeps for us; null when none is trusted. */
  readonly digest: string | null;
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

/** The text for a mode: without comments, indentation, and what only a listing needs. */
function bodyFor(mode: ScriptMode): string {
  const lines: string[] = [];
  let wanted = true;
  for (const line of source.split('\n')) {
    if (line.startsWith('#@ ')) wanted = line === '#@ all' || mode === 'list';
    else if (wanted && !/^\s*#/.test(line)) lines.push(line.trimStart());
  }
  return lines.join('\n');
}

/** Renders the script for one request. */
export function renderScript(settings: ScriptSettings): Script {
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
    ['proposed', settings.proposedIdentity],
  ];
  const input = Buffer.from(`${values.map(([name, value]) => `${name}=${quoteWord(value)}`).join('\n')}\n${bodyFor(settings.mode)}\n`);
  return { command: `exec /bin/sh -c 'eval "$(head -c ${input.length})"'`, input, mark };
}
