import { mkdir, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import ssh2, { type FileEntryWithStats, type SFTPWrapper } from 'ssh2';
import { excludedNames } from '../../shared/rules';
import { listFiles } from './trees';

/**
 * What a plain program over SFTP does: walk the remote with 64 requests in flight, compare size and time, copy what differs.
 * The argument is JSON of `WalkOptions`. Reads lines `pull` and `push`, answers each with the milliseconds it took.
 */
export interface WalkOptions {
  readonly port: number;
  readonly user: string;
  readonly key: string;
  readonly local: string;
  readonly remote: string;
}

const { port, user, key, local, remote } = JSON.parse(process.argv[2] ?? '') as WalkOptions;
const inFlight = 64;
const excluded = new Set(excludedNames);

const client = new ssh2.Client();
const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
  client.on('error', reject);
  client.on('ready', () => client.sftp((error, channel) => (error ? reject(error) : resolve(channel))));
  void readFile(key).then((privateKey) => client.connect({ host: '127.0.0.1', port, username: user, privateKey }));
});

const ask = <T>(start: (done: (error: Error | null | undefined, value: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value))));

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

/** Level by level, all folders of a level at once. */
async function listRemote(): Promise<Map<string, FileEntryWithStats>> {
  const found = new Map<string, FileEntryWithStats>();
  for (let level = ['']; level.length > 0; ) {
    const next: string[] = [];
    await eachOf(level, async (folder) => {
      for (const entry of await ask<FileEntryWithStats[]>((done) => sftp.readdir(join(remote, folder), done))) {
        const path = join(folder, entry.filename);
        if (excluded.has(entry.filename)) continue;
        if (entry.attrs.isDirectory()) next.push(path);
        else found.set(path, entry);
      }
    });
    level = next;
  }
  return found;
}

async function differing(there: ReadonlyMap<string, FileEntryWithStats>, paths: readonly string[]): Promise<string[]> {
  const different: string[] = [];
  for (const path of paths) {
    const here = await stat(join(local, path)).catch(() => null);
    const attrs = there.get(path)?.attrs;
    if (here === null || attrs?.size !== here.size || attrs.mtime !== Math.floor(here.mtimeMs / 1000)) different.push(path);
  }
  return different;
}

async function pull(): Promise<void> {
  const there = await listRemote();
  await eachOf(await differing(there, [...there.keys()]), async (path) => {
    const content = await ask<Buffer>((done) => sftp.readFile(join(remote, path), done));
    const file = join(local, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.part`, content);
    const mtime = there.get(path)?.attrs.mtime ?? 0;
    await utimes(`${file}.part`, mtime, mtime);
    await rename(`${file}.part`, file);
  });
  for (const path of listFiles(local)) if (!there.has(path)) await unlink(join(local, path));
}

async function push(): Promise<void> {
  await ask<void>((done) => sftp.mkdir(remote, () => done(null, undefined)));
  const there = await listRemote();
  const here = listFiles(local);
  const wanted = await differing(there, here);
  const folders = new Set(wanted.flatMap((path) => foldersOf(path)));
  for (const depth of new Set([...folders].map((folder) => folder.split('/').length).sort((a, b) => a - b))) {
    const level = [...folders].filter((folder) => folder.split('/').length === depth);
    // A folder that is there already makes the request fail, and nothing else.
    await eachOf(level, (folder) => ask<void>((done) => sftp.mkdir(join(remote, folder), () => done(null, undefined))));
  }
  await eachOf(wanted, async (path) => {
    const content = await readFile(join(local, path));
    await ask<void>((done) => sftp.writeFile(join(remote, path), content, (error) => done(error, undefined)));
    const { mtimeMs } = await stat(join(local, path));
    await ask<void>((done) => sftp.utimes(join(remote, path), mtimeMs / 1000, mtimeMs / 1000, (error) => done(error, undefined)));
  });
  const kept = new Set(here);
  const gone = [...there.keys()].filter((path) => !kept.has(path));
  await eachOf(gone, (path) => ask<void>((done) => sftp.unlink(join(remote, path), (error) => done(error, undefined))));
}

function foldersOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const startedAt = performance.now();
  await (line === 'push' ? push() : pull());
  process.stdout.write(`${performance.now() - startedAt}\n`);
}
client.end();
