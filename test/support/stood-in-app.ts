import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export interface LogLine {
  readonly what: string;
  readonly detail?: unknown;
}

interface Answer {
  readonly id?: number;
  readonly value?: unknown;
  readonly error?: string;
  readonly exiting?: number;
  readonly log?: readonly LogLine[];
}

/** Builds what the tests run, when a source is newer than the last build. */
export function ensureBuilt(): void {
  execFileSync(process.execPath, [resolve(root, 'build/ensure-build.mjs')], { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** The built main process, run by Node with Electron's stand-in. */
export interface StoodInApp {
  /** The user's home. */
  readonly home: string;
  readonly dataDir: string;
  ask<T>(command: string, args?: Readonly<Record<string, unknown>>): Promise<T>;
  /** Asks again until the answer satisfies, or the process ends. */
  until<T>(command: string, satisfies: (value: T) => boolean): Promise<T>;
  /** Settles when the process has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly log: readonly LogLine[]; readonly stderr: string }>;
  dispose(): Promise<void>;
}

export interface StoodInOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether something here shows tray icons. */
  readonly trayHost?: boolean;
  /** Fills the data folder before the start. */
  readonly prepare?: (dataDir: string) => Promise<void>;
}

/** A `dbus-send` that says that something draws icons; returns a PATH that finds it first. */
export function makeTrayHost(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'dbus-send'), '#!/bin/sh\necho "   boolean true"\n', { mode: 0o755 });
  return `${folder}${delimiter}${process.env.PATH}`;
}

/** Starts it in folders of its own: home, Hermes home and data folder are temporary. */
export async function startStoodInApp({ args = [], env = {}, trayHost = false, prepare }: StoodInOptions = {}): Promise<StoodInApp> {
  const home = mkdtempSync(join(tmpdir(), 'ebbgate-shell-'));
  mkdirSync(join(home, '.hermes/skills'), { recursive: true });
  mkdirSync(join(home, 'data'), { mode: 0o700 });
  await prepare?.(join(home, 'data'));
  const { DBUS_SESSION_BUS_ADDRESS: _bus, SSH_AUTH_SOCK: _agent, XDG_CONFIG_HOME: _config, APPIMAGE: _image, ...inherited } = process.env;
  const own = { HOME: home, HERMES_HOME: join(home, '.hermes'), EBBGATE_DATA_DIR: join(home, 'data') };
  const path = trayHost ? { PATH: makeTrayHost(join(home, 'bin')) } : {};
  const child = fork(resolve(root, 'test/support/electron-hook.mjs'), [resolve(root, 'out/main/index.js'), ...args], {
    execArgv: [],
    env: { ...inherited, ...own, ...path, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return connect(child, home);
}

function connect(child: ChildProcess, home: string): StoodInApp {
  const waiting = new Map<number, { done: (value: unknown) => void; fail: (error: Error) => void }>();
  let last: readonly LogLine[] = [];
  let stderr = '';
  let isOver = false;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.on('message', (answer: Answer) => {
    if (answer.log) last = answer.log;
    const entry = answer.id === undefined ? undefined : waiting.get(answer.id);
    if (entry === undefined || answer.id === undefined) return;
    waiting.delete(answer.id);
    if (answer.error === undefined) entry.done(answer.value);
    else entry.fail(new Error(answer.error));
  });
  const ended = new Promise<{ code: number | null; log: readonly LogLine[]; stderr: string }>((done) => {
    child.once('close', (code) => {
      isOver = true;
      for (const { fail } of waiting.values()) fail(new Error(`the app ended with ${code}: ${stderr}`));
      done({ code, log: last, stderr });
    });
  });
  let nextId = 1;
  const ask = <T>(command: string, args: Readonly<Record<string, unknown>> = {}) =>
    new Promise<T>((done, fail) => {
      if (isOver || !child.connected) return fail(new Error(`the app has ended: ${stderr}`));
      const id = nextId++;
      waiting.set(id, { done: (value) => done(value as T), fail });
      child.send({ id, command, args }, (error) => error && fail(error));
    });
  return {
    home,
    dataDir: join(home, 'data'),
    ask,
    until: async <T>(command: string, satisfies: (value: T) => boolean) => {
      for (;;) {
        const value = await ask<T>(command);
        if (satisfies(value)) return value;
        await new Promise((again) => setTimeout(again, 20));
      }
    },
    ended,
    dispose: async () => {
      if (!isOver) child.kill('SIGKILL');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
