import { type ChildProcess, spawn } from 'node:child_process';
import { timingSafeEqual } from 'node:crypto';
import { constants } from 'node:os';
import ssh2, { type AuthContext, type Connection, type ParsedKey, type PublicKeyAuthContext, type ServerChannel, type Session } from 'ssh2';
import { fingerprintOf } from '../ssh/host-keys';
import { makeKeyPair } from './keys';
import { serveSftp } from './sftp';

const { Server } = ssh2;

/** Where the made-up remote lives. */
export interface DemoServerOptions {
  /** `$HOME` of every command and the start folder of SFTP. */
  readonly home: string;
  readonly username?: string | undefined;
}

/** An SSH server on a loopback port whose keys exist for this run only. Commands run as the user who started it. */
export interface DemoServer {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  /** The only key that gets in, in OpenSSH's format. */
  readonly privateKey: string;
  /** SHA-256 fingerprint of the host key. */
  readonly hostKey: string;
  /** Cuts every open connection, keeping the listener. */
  dropConnections(): void;
  stop(): Promise<void>;
}

/** Starts the server; nothing outside this computer can reach it. */
export async function startDemoServer(options: DemoServerOptions): Promise<DemoServer> {
  const username = options.username ?? 'demo';
  const clientKey = makeKeyPair();
  const hostKey = makeKeyPair();
  const connections = new Set<Connection>();
  const server = new Server({ hostKeys: [hostKey.privateKey] }, (connection) => {
    connections.add(connection);
    // Without it each small answer waits for the acknowledgement of the one before.
    setNoDelay(connection);
    connection.on('close', () => connections.delete(connection));
    // A client that goes away is nothing a demo has to report.
    connection.on('error', () => undefined);
    connection.on('authentication', (context) => authenticate(context, username, clientKey.publicKey));
    connection.on('ready', () => connection.on('session', (accept) => serveSession(accept(), options.home, username)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the demo server has no port');
  const drop = (): void => {
    for (const connection of connections) socketOf(connection)?.destroy();
  };
  return {
    host: '127.0.0.1',
    port: address.port,
    username,
    privateKey: clientKey.privateKey,
    hostKey: fingerprintOf(hostKey.publicKey.getPublicSSH()),
    dropConnections: drop,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        drop();
      }),
  };
}

// Both exist on the library's connection but not in its types.
interface ConnectionInternals {
  readonly _sock?: { destroy(): void };
  setNoDelay?(on: boolean): void;
}

function setNoDelay(connection: Connection): void {
  (connection as Connection & ConnectionInternals).setNoDelay?.(true);
}

function socketOf(connection: Connection): { destroy(): void } | undefined {
  return (connection as Connection & ConnectionInternals)._sock;
}

function authenticate(context: AuthContext, username: string, allowed: ParsedKey): void {
  if (context.method === 'publickey' && mayEnter(context, username, allowed)) context.accept();
  else context.reject(['publickey']);
}

function mayEnter(context: PublicKeyAuthContext, username: string, allowed: ParsedKey): boolean {
  const known = allowed.getPublicSSH();
  const shown = context.key.data;
  if (context.username !== username || context.key.algo !== allowed.type) return false;
  if (shown.length !== known.length || !timingSafeEqual(shown, known)) return false;
  // Without a signature the client only asks whether the key would do.
  if (!context.signature) return true;
  return context.blob !== undefined && allowed.verify(context.blob, context.signature, context.hashAlgo) === true;
}

/** Answers a session's commands, shells and SFTP out of `home`, as the user who started the server. */
export function serveSession(session: Session, home: string, username: string): void {
  // Variables of the client's are refused, so a command sees the same environment whoever connects.
  session.on('env', (_accept, reject) => reject?.());
  session.on('pty', (accept) => accept?.());
  session.on('exec', (accept, _reject, info) => runCommand(accept(), ['-c', info.command], home, username));
  session.on('shell', (accept) => runCommand(accept(), ['-s'], home, username));
  session.on('sftp', (accept) => serveSftp(accept(), home));
}

function runCommand(channel: ServerChannel, args: readonly string[], home: string, username: string): void {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: home, USER: username, LOGNAME: username, SHELL: '/bin/sh' };
  const child = spawn('/bin/sh', [...args], { cwd: home, env, detached: true });
  let running = true;
  channel.pipe(child.stdin);
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  // A command may end before it has read all its input.
  child.stdin.on('error', () => undefined);
  channel.on('error', () => undefined);
  child.on('error', () => {
    running = false;
    channel.exit(127);
    channel.end();
  });
  child.on('close', (code, signal) => {
    running = false;
    if (signal === null) channel.exit(code ?? 0);
    else channel.exit(signalName(signal), false, '');
    channel.end();
  });
  channel.on('close', () => {
    if (running) hangUp(child);
  });
}

/** The name without "SIG", as the protocol wants it. */
function signalName(signal: NodeJS.Signals): string {
  return signal in constants.signals ? signal.slice(3) : 'TERM';
}

function hangUp(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGHUP');
  } catch {
    // The command ended in between.
  }
}
