import { describe, expect, it } from 'vitest';
import { AppError, type ErrorCode, type ErrorDetails, errorCodes, fromWireError, toWireError } from '../shared/errors';
import { type Import, readSources, type Source, withoutComments } from './support/imports';

const sources = readSources();
const product = sources.filter(({ path }) => /^(electron|renderer|shared)\//.test(path));

const under =
  (...folders: readonly string[]) =>
  (path: string) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** `who -> what` for every import of the matching files that is not allowed. */
function offences(applies: (path: string) => boolean, allows: (found: Import, source: Source) => boolean): readonly string[] {
  return sources
    .filter(({ path }) => applies(path))
    .flatMap((source) => source.imports.filter((found) => !allows(found, source)).map((found) => `${source.path} -> ${found.specifier}`));
}

/** Matches imports of files in these folders, or of files with these names. */
const leadsInto =
  (...folders: readonly string[]) =>
  ({ file }: Import) =>
    file !== null && under(...folders)(file);

const packageOf = ({ specifier, file }: Import) =>
  file !== null || specifier.startsWith('node:')
    ? null
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');

describe('the reading of imports', () => {
  it('finds the sources and follows every relative import to a file', () => {
    expect(product.length).toBeGreaterThan(10);
    const known = new Set(sources.map(({ path }) => path));
    const lost = offences(
      under('electron', 'shared', 'renderer'),
      ({ file }) => file === null || known.has(file) || /\.(css|sh|json)$/.test(file),
    );
    expect(lost).toEqual([]);
  });

  it('sees static, dynamic and type-only imports', () => {
    const main = sources.find(({ path }) => path === 'electron/main.ts');
    expect(main?.imports).toContainEqual({ specifier: './compose', file: 'electron/compose.ts', typeOnly: false });
    expect(main?.imports).toContainEqual({ specifier: './shell/start', file: 'electron/shell/start.ts', typeOnly: true });
    expect(main?.imports).toContainEqual({ specifier: 'electron', file: null, typeOnly: false });
  });
});

describe('the import walls', () => {
  it('keep shared to itself', () => {
    expect(offences(under('shared'), leadsInto('shared'))).toEqual([]);
  });

  it('keep the engine to shared, itself, hashing and streams', () => {
    const builtIns = /^node:(crypto|stream|zlib)(\/|$)/;
    expect(
      offences(under('electron/engine'), (found) => leadsInto('shared', 'electron/engine')(found) || builtIns.test(found.specifier)),
    ).toEqual([]);
  });

  it('keep Electron to main, preload, shell and its IPC', () => {
    const may = under('electron/main.ts', 'electron/preload.ts', 'electron/shell', 'electron/ipc/electron.ts');
    expect(offences(under('electron', 'renderer', 'shared'), (found, { path }) => packageOf(found) !== 'electron' || may(path))).toEqual(
      [],
    );
  });

  it('keep ssh2 to the SSH wrapper and the demo, but for types of the SFTP endpoint', () => {
    const may = under('electron/ssh', 'electron/demo');
    const mayType = (path: string) => /^electron\/endpoints\/[\w-]*sftp[\w-]*\.ts$/.test(path);
    expect(
      offences(
        under('electron', 'renderer', 'shared'),
        (found, { path }) => packageOf(found) !== 'ssh2' || may(path) || (found.typeOnly && mayType(path)),
      ),
    ).toEqual([]);
  });

  it('keep the renderer to shared, React and itself', () => {
    const packages = ['react', 'react-dom'];
    expect(
      offences(under('renderer'), (found) => leadsInto('renderer', 'shared')(found) || packages.includes(packageOf(found) ?? '')),
    ).toEqual([]);
  });

  it('keep endpoints to engine, ssh and platform', () => {
    const may = leadsInto('shared', 'electron/endpoints', 'electron/engine', 'electron/ssh', 'electron/platform');
    expect(offences(under('electron/endpoints'), (found) => found.file === null || may(found))).toEqual([]);
  });

  it('keep command line, web, IPC and shell away from engine and endpoints', () => {
    const inner = leadsInto('electron/engine', 'electron/endpoints');
    expect(offences(under('electron/cli', 'electron/web', 'electron/ipc', 'electron/shell'), (found) => !inner(found))).toEqual([]);
  });

  it('keep the shell, IPC and command line out of everything below', () => {
    const upper = leadsInto('electron/shell', 'electron/ipc/electron.ts', 'electron/cli', 'electron/compose.ts', 'electron/main.ts');
    const lower = ['app', 'endpoints', 'engine', 'hermes', 'hygiene', 'platform', 'ssh', 'store'].map((folder) => `electron/${folder}`);
    expect(offences(under(...lower), (found) => !upper(found))).toEqual([]);
  });

  it('keep the demo out of the app', () => {
    const may = under('electron/demo', 'electron/cli');
    expect(offences(under('electron', 'renderer', 'shared'), (found, { path }) => !leadsInto('electron/demo')(found) || may(path))).toEqual(
      [],
    );
  });

  it('let only the main process, the command line and tests compose', () => {
    const may = under('electron/main.ts', 'electron/cli', 'electron/demo');
    expect(
      offences(under('electron', 'renderer', 'shared'), (found, { path }) => !leadsInto('electron/compose.ts')(found) || may(path)),
    ).toEqual([]);
  });

  it('keep tests and build scripts out of the product', () => {
    expect(offences(under('electron', 'renderer', 'shared'), (found) => !leadsInto('test', 'build')(found))).toEqual([]);
  });
});

describe('the tree', () => {
  it('has no import cycles', () => {
    expect(findCycles()).toEqual([]);
  });

  it('has no barrel files', () => {
    const isBarrel = ({ path, text }: Source) =>
      /\/index\.tsx?$/.test(path) || /^(?:\s*export\s[^;]*?from\s*['"][^'"]+['"];?)+\s*$/.test(withoutComments(text));
    expect(product.filter(isBarrel).map(({ path }) => path)).toEqual([]);
  });

  it('has no default exports but where a tool needs one', () => {
    const needed = /^build\/.*config\.ts$|\/global-setup\.ts$|\.d\.ts$/;
    const found = sources.filter(({ path, text }) => !needed.test(path) && /^export default\b|\bas default\b/m.test(withoutComments(text)));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it('says at the top of each file over 250 lines why it is not cut', () => {
    const long = sources.filter(({ text }) => text.trimEnd().split('\n').length > 250);
    const silent = long.filter(({ text }) => !/\/\/|\/\*/.test(text.split('\n').slice(0, 5).join('\n')));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it('names the excluded directories in the rules alone', () => {
    const may = under('shared/rules.ts', 'electron/hygiene', 'electron/hermes', 'electron/demo');
    const found = sources
      .filter(({ path }) => under('electron', 'shared')(path) && !may(path))
      .filter(({ text }) => withoutComments(text).includes('.curator_backups'));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it('names the IPC channels in one file', () => {
    const found = product.filter(({ text }) => /['"`]ebbgate:(call|event)/.test(text));
    expect(found.map(({ path }) => path)).toEqual(['electron/ipc/channels.ts']);
  });
});

/** Each cycle once, as the list of its files. */
function findCycles(): readonly string[] {
  const byPath = new Map(product.map((source) => [source.path, source]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      return;
    }
    if (done.has(path)) return;
    for (const { file } of byPath.get(path)?.imports ?? []) if (file !== null) visit(file, [...trail, path]);
    done.add(path);
  };
  for (const path of byPath.keys()) visit(path, []);
  return cycles;
}

describe('the error catalogue', () => {
  it.each(errorCodes)('has a whole sentence for %s that survives a process boundary', (code) => {
    const error = new AppError(code, sampleDetails(code));
    expect(error.message).toMatch(/^[A-Z\d"].*\.$/s);
    expect(error.message).not.toMatch(/undefined|null|NaN|\[object|\s{2}|\.\./);
    const back = fromWireError(JSON.parse(JSON.stringify(toWireError(error))));
    expect({ code: back.code, message: back.message, details: back.details }).toEqual({
      code,
      message: error.message,
      details: error.details,
    });
  });

  it('has dotted codes, grouped by area', () => {
    expect(errorCodes.filter((code) => !/^[a-z]+\.[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
  });

  it('turns what it does not know into internal.unexpected', () => {
    expect(toWireError(new RangeError('out of range'))).toMatchObject({ code: 'internal.unexpected', details: { what: 'out of range' } });
    expect(fromWireError({ code: 'future.code', message: 'Later.', details: {} }).code).toBe('internal.unexpected');
  });
});

/** Plain details that a sentence can be built from: a list where the sentence uses one, text everywhere else. */
function sampleDetails<C extends ErrorCode>(code: C): ErrorDetails[C] {
  const found: Record<string, string | readonly string[]> = {};
  const probe = (key: string) =>
    new Proxy(['Sample'], {
      get(list, member) {
        if (member === Symbol.toPrimitive) return () => 'Sample';
        if (member in String.prototype && !(member in Array.prototype)) return Reflect.get(String.prototype, member);
        found[key] = ['Sample'];
        return Reflect.get(list, member);
      },
    });
  const recorder = new Proxy(
    {},
    {
      get: (_target, key) => {
        found[String(key)] ??= 'Sample';
        return probe(String(key));
      },
    },
  );
  new AppError(code, recorder as ErrorDetails[C]);
  return found as ErrorDetails[C];
}
