import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { excludedNames } from '../../shared/rules';
import type { TestSshd } from '../support/sshd';
import { type Link, startProgram } from './link';
import type { ProductOptions, ProductResult } from './product';
import type { WalkOptions } from './sftp-walk';
import { listFiles } from './trees';

/** What one run of a tool took. */
export interface Measured {
  readonly wallMs: number;
  /** On the wire, both ways, without a handshake; null where nobody counted. */
  readonly wire: number | null;
  readonly product?: ProductResult;
}

/** A tool with two homes of its own; the skills lie in `skills/` of each. */
export interface Tool {
  /** Brings both sides to what it takes as agreed. Not measured. */
  settle(): Promise<unknown>;
  pull(): Promise<Measured>;
  push(): Promise<Measured>;
  /** Forgets what it knows, before a first push. */
  forget(): Promise<unknown>;
  end(): Promise<void>;
}

export interface Place {
  readonly localHome: string;
  readonly remoteHome: string;
  /** For whatever the tool keeps on this computer. */
  readonly stateDir: string;
  readonly link: Link;
  readonly sshd: TestSshd;
}

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-400);
  });
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${said.trim()}`);
}

async function timed(link: Link, work: () => Promise<unknown>): Promise<Measured> {
  const before = await link.bytes();
  const startedAt = performance.now();
  await work();
  const wallMs = performance.now() - startedAt;
  const after = await link.bytes();
  return { wallMs, wire: before === null || after === null ? null : after - before };
}

/** Both directions of a command line tool. */
function commandTool(
  { link }: Place,
  pull: () => Promise<unknown>,
  push: () => Promise<unknown>,
  forget: () => void = () => undefined,
): Tool {
  return {
    settle: pull,
    pull: () => timed(link, pull),
    push: () => timed(link, push),
    forget: async () => forget(),
    end: async () => undefined,
  };
}

/** `rsync -a --delete` with the excluded names, and what is given. */
export function rsyncTool(place: Place, ...options: readonly string[]): Tool {
  const { link, localHome, remoteHome } = place;
  const base = ['-a', '--delete', ...options, '-e', `ssh -F ${link.sshConfig}`, ...excludedNames.map((name) => `--exclude=${name}`)];
  const there = `remote:${remoteHome}/skills/`;
  const push = () => {
    mkdirSync(join(remoteHome, 'skills'), { recursive: true });
    return run('rsync', [...base, `${localHome}/skills/`, there]);
  };
  return commandTool(place, () => run('rsync', [...base, there, `${localHome}/skills/`]), push);
}

/** Unison in batch mode, with archives of its own on both sides. */
export function unisonTool(place: Place): Tool {
  const { link, localHome, remoteHome, stateDir, sshd } = place;
  const ignored = excludedNames.flatMap((name) => ['-ignore', `Name ${name}`]);
  const args = [
    '-sshargs',
    `-F ${link.sshConfig}`,
    '-ui',
    'text',
    '-batch',
    '-auto',
    '-silent',
    '-times',
    '-confirmbigdel=false',
    '-prefer',
    'newer',
    ...ignored,
  ];
  const both = () => {
    mkdirSync(join(remoteHome, 'skills'), { recursive: true });
    return run('unison', [`${localHome}/skills`, `ssh://remote/${remoteHome}/skills`, ...args], { ...process.env, UNISON: stateDir });
  };
  const forget = () => {
    rmSync(stateDir, { recursive: true, force: true });
    rmSync(join(sshd.home, '.unison'), { recursive: true, force: true });
    mkdirSync(stateDir, { recursive: true });
  };
  return commandTool(place, both, both, forget);
}

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The way Hermes's SSH backend works: the whole home as one uncompressed tar, unpacked beside, every file hashed, what differs copied. */
export function wholeTarTool(place: Place): Tool {
  const { link, localHome, remoteHome, stateDir } = place;
  const archive = join(stateDir, 'all.tar');
  const unpacked = join(stateDir, 'unpacked');
  const pull = async () => {
    const ssh = spawn('ssh', ['-F', link.sshConfig, 'remote', `tar cf - -C ${remoteHome} skills`], { stdio: ['ignore', 'pipe', 'ignore'] });
    await pipeline(ssh.stdout, createWriteStream(archive));
    mkdirSync(unpacked, { recursive: true });
    await run('tar', ['xf', archive, '-C', unpacked]);
    for (const path of listFiles(join(unpacked, 'skills'))) {
      const [from, to] = [join(unpacked, 'skills', path), join(localHome, 'skills', path)];
      if (existsSync(to) && hashOf(from) === hashOf(to)) continue;
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(from, to);
    }
    rmSync(unpacked, { recursive: true, force: true });
  };
  const push = () =>
    run('sh', [
      '-c',
      `tar chf - -C ${localHome} skills | ssh -F ${link.sshConfig} remote "mkdir -p ${remoteHome} && tar xf - -C ${remoteHome}"`,
    ]);
  const both = commandTool(place, pull, push);
  // It never removes anything here, so that a difference would stay.
  return { ...both, settle: async () => undefined };
}

/** The walk of `sftp-walk.ts`, over a connection that is up. */
export async function sftpTool(place: Place): Promise<Tool> {
  const { link, sshd, localHome, remoteHome } = place;
  const options: WalkOptions = {
    port: link.port,
    user: sshd.username,
    key: sshd.identityFile,
    local: `${localHome}/skills`,
    remote: `${remoteHome}/skills`,
  };
  const child = startProgram('sftp-walk', [JSON.stringify(options)]);
  await child.line();
  const ask = async (way: 'pull' | 'push'): Promise<Measured> => {
    const before = await link.bytes();
    mkdirSync(remoteHome, { recursive: true });
    const wallMs = Number(await child.ask(way));
    const after = await link.bytes();
    return { wallMs, wire: before === null || after === null ? null : after - before };
  };
  return {
    settle: () => ask('pull'),
    pull: () => ask('pull'),
    push: () => ask('push'),
    forget: async () => undefined,
    end: () => child.end(),
  };
}

/** The product. Unprepared, nothing of the session's start is up any more when it ends. CPU profiles go to a folder, if one is named. */
export async function productTool(place: Place, isPrepared: boolean, profileDir?: string): Promise<Tool> {
  const { link, sshd, localHome, remoteHome, stateDir } = place;
  const options: ProductOptions = {
    dataDir: join(stateDir, 'data'),
    hermesHome: localHome,
    lasting: isPrepared,
    connection: {
      name: 'box',
      address: { kind: 'address', user: sshd.username, host: '127.0.0.1', port: link.port },
      identityFile: sshd.identityFile,
      knownHostsFile: sshd.knownHostsFile,
      useSshConfig: false,
      remoteHome,
    },
  };
  const child = startProgram(
    'product',
    [JSON.stringify(options)],
    profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`],
  );
  await child.line();
  let isOpen = false;
  const ask = async (what: 'start' | 'end'): Promise<Measured> => {
    const product = JSON.parse(await child.ask(what)) as ProductResult & { failed?: string };
    if (product.failed !== undefined) throw new Error(product.failed);
    isOpen = what === 'start';
    return { wallMs: product.wallMs, wire: product.wire, product };
  };
  return {
    settle: async () => {
      if (isOpen) await ask('end');
      await ask('start');
    },
    pull: () => ask('end'),
    // Where the session is open, its link is up and the script of its end waits there: a push goes over it as well.
    push: () => ask('start'),
    forget: async () => {
      isOpen = false;
      await child.ask('forget');
    },
    end: () => child.end(),
  };
}
