/// <reference path="../raw.d.ts" />
import { randomBytes } from 'node:crypto';
import { quoteWord } from '../../shared/quote';
import type { Rules } from '../../shared/rules';
import { hermesFiles, hermesPrograms } from './collect';
import type { ArchiveSizes } from './findings';
import { hubLockLimit } from './hub-lock';
import source from './inspect.sh?raw';
import { idAt } from './restore-points';

/** What the script looks at. */
export interface InspectScriptSettings {
  readonly remoteHome: string | null;
  readonly profile: string | null;
  readonly rules: Rules;
  readonly hashes: ArchiveSizes;
  /** Milliseconds since 1970: a restore point dated later proves nothing about older ones. Null: no date is too late. */
  readonly now: number | null;
}

/** The script and how it is sent. */
export interface InspectScript {
  /** No quote but the outer ones, no backslash and no exclamation mark inside, so that every login shell reads it alike. */
  readonly command: string;
  readonly input: Buffer;
  /** Random text that frames our output. */
  readonly marker: string;
}

const manifestLimit = 64 * 1024;

const body = source
  .split('\n')
  .filter((line) => !/^\s*#/.test(line))
  .join('\n');

/** Renders the script for one inspection. */
export function renderInspectScript(settings: InspectScriptSettings): InspectScript {
  const marker = `ebbgate-${randomBytes(16).toString('hex')}`;
  const names = settings.rules.remoteFilter.names.map((name) => `-name ${quoteWord(name.replace(/[\\*?[]/g, '\\$&'))}`).join(' -o ');
  const hashes = [...settings.hashes].map(([key, size]) => `${key} ${size}`);
  const values: readonly (readonly [string, string])[] = [
    ['M', marker],
    ['want', settings.remoteHome ?? ''],
    ['profile', settings.profile ?? ''],
    ['now', settings.now === null ? 'Z' : idAt(settings.now)],
    ['hashes', `\n${hashes.join('\n')}\n`],
    ['evidence', [...hermesFiles, ...hermesPrograms].join(' ')],
    ['manifest_limit', String(manifestLimit)],
    ['hub_limit', String(hubLockLimit + 1)],
  ];
  const each = `eval "$FN"; for d do t tree "\${d#"$R"/}" "$(count "$d")"; done`;
  const trees = [
    'trees_in() {',
    '  [ -d "$1/skills" ] || return 0',
    `  R=$1 find -H "$1/skills" -type d \\( ${names} \\) -prune -exec sh -c ${quoteWord(each)} sh {} +`,
    '}',
  ];
  const input = Buffer.from(`${values.map(([name, value]) => `${name}=${quoteWord(value)}`).join('\n')}\n${trees.join('\n')}\n${body}\n`);
  return { command: `exec /bin/sh -c 'eval "$(head -c ${input.length})"'`, input, marker };
}
