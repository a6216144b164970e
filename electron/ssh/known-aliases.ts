import { userInfo } from 'node:os';
import { type ConfigLine, configFiles, readConfigLines } from './config-files';
import { valuesFor } from './config-values';

/** A name of the user's SSH configuration that stands for one machine. */
export interface SshAlias {
  readonly alias: string;
  readonly file: string;
  readonly hostName: string;
  /** Null: not stated there. */
  readonly user: string | null;
  readonly port: number;
}

/** The names in the user's own configuration, included files too, in order. `Match exec` is not run. Throws `ConfigFileError`. */
export async function listAliases(home: string): Promise<readonly SshAlias[]> {
  const [own = ''] = configFiles(home);
  const lines = await readConfigLines(own, home);
  const named = new Map<string, string>();
  for (const { file, conditions } of lines) {
    const condition = conditions.at(-1);
    if (condition?.kind !== 'host') continue;
    for (const word of condition.words) if (!/[*?!,]/.test(word) && !named.has(word)) named.set(word, file);
  }
  return [...named].map(([alias, file]) => describeAlias(alias, file, lines));
}

function describeAlias(alias: string, file: string, lines: readonly ConfigLine[]): SshAlias {
  const { values } = valuesFor(lines, { name: alias, user: null, port: null, localUser: userInfo().username });
  const first = (keyword: string): string | null => values.get(keyword)?.[0] ?? null;
  const hostName = (first('hostname') ?? alias).replaceAll('%h', alias);
  return { alias, file, hostName, user: first('user'), port: Number(first('port') ?? 22) };
}
