import { connect, type Socket } from 'node:net';
import ssh2, { type Client, type ServerHostKeyAlgorithm } from 'ssh2';
import { AppError } from '../../shared/errors';
import { type AuthPlan, planAuthentication } from './auth';
import {
  appendHostKey,
  fingerprintOf,
  type HostName,
  judgeHostKey,
  type KnownKey,
  keyTypeOf,
  knownKeyTypes,
  readKnownHosts,
} from './host-keys';
import { SshLink } from './link';
import type { Person } from './person';
import type { SshConnection } from './ssh-connection';
import { type SshPhase, stopError, translateSshError } from './ssh-errors';
import type { SshTarget } from './target';

/** How one connection attempt behaves. */
export interface ConnectOptions {
  readonly signal: AbortSignal;
  /** A fingerprint the person consented to; an unknown host that shows it is added to known_hosts. */
  readonly acceptHostKey: string | null;
  /** Who may be asked for passphrases and the like; left out, nobody is, and the attempt fails where it would ask. */
  readonly person?: Person | undefined;
  /** From the first packet to the end of the login. Default 20 000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Four silent intervals in a row end the connection. Default 10 000. */
  readonly keepaliveMs?: number | undefined;
}

const hostKeyAlgorithms: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
];

/** Opens a connection. The host key is verified before any login is tried. */
export async function connectSsh(target: SshTarget, options: ConnectOptions): Promise<SshConnection> {
  if (options.signal.aborted) throw stopError(options.signal);
  const known = await readKnownHosts(target.knownHostsFiles);
  const plan = await planAuthentication(target);
  if (options.signal.aborted) throw stopError(options.signal);
  return new Attempt(target, options, known, plan).run();
}

class Attempt {
  private readonly client: Client = new ssh2.Client();
  private readonly socket: Socket;
  private readonly tried: string[] = [];
  private readonly name: HostName;
  private readonly timeoutMs: number;
  private phase: SshPhase = 'socket';
  private verified: Buffer | null = null;
  private failure: AppError | null = null;

  constructor(
    private readonly target: SshTarget,
    private readonly options: ConnectOptions,
    private readonly known: readonly KnownKey[],
    private readonly plan: AuthPlan,
  ) {
    this.name = { host: target.host, port: target.port, alias: target.hostKeyAlias };
    this.timeoutMs = options.connectTimeoutMs ?? 20_000;
    // The short default between address attempts fails over slow links.
    this.socket = connect({ host: target.host, port: target.port, noDelay: true, autoSelectFamilyAttemptTimeout: 2500 });
  }

  run(): Promise<SshConnection> {
    const { client, socket, options } = this;
    const keepaliveMs = options.keepaliveMs ?? 10_000;
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        finish();
        reject(this.failure ?? this.translate(error));
        socket.destroy();
      };
      const cancel = (): void => fail(stopError(options.signal));
      const timer = setTimeout(() => fail({ level: 'client-timeout', message: 'no answer' }), this.timeoutMs);
      const finish = (): void => {
        clearTimeout(timer);
        options.signal.removeEventListener('abort', cancel);
        client.removeAllListeners();
        // Once the outcome is decided, later events of the same socket say nothing new.
        client.on('error', () => undefined);
      };
      options.signal.addEventListener('abort', cancel, { once: true });
      client.on('connect', () => {
        this.phase = 'handshake';
      });
      client.on('handshake', () => {
        this.phase = 'authentication';
      });
      client.on('error', (error) => {
        // The agent could not list or sign; the library goes on with the next method.
        if ((error as { level?: string }).level !== 'agent') fail(error);
      });
      client.on('close', () => fail(new Error('the other side closed the connection')));
      client.on('ready', () => {
        finish();
        resolve(
          new SshLink({ client, socket, target: this.target, hostKey: fingerprintOf(this.verified ?? Buffer.alloc(0)), keepaliveMs }),
        );
      });
      this.start(keepaliveMs);
    });
  }

  private start(keepaliveMs: number): void {
    const offers = [...this.plan.offers];
    this.client.connect({
      sock: this.socket,
      username: this.target.user,
      readyTimeout: 0,
      keepaliveInterval: keepaliveMs,
      // The library only sends the probes: it would call a link dead whose answers queue behind a long upload.
      keepaliveCountMax: Number.MAX_SAFE_INTEGER,
      algorithms: { serverHostKey: [...this.preferredAlgorithms()] },
      hostVerifier: (key: Buffer, verify: (valid: boolean) => void) => {
        void this.verifyHostKey(key).then(verify, (error: unknown) => {
          this.failure = this.translate(error);
          verify(false);
        });
      },
      authHandler: (_left, _partial, next) => {
        const offer = offers.shift();
        if (offer) this.tried.push(offer.label);
        // The library takes `false` as "nothing left", which its types leave out.
        next(offer ? offer.method : (false as never));
      },
    });
  }

  private preferredAlgorithms(): readonly ServerHostKeyAlgorithm[] {
    const types = knownKeyTypes(this.known, this.name);
    const isKnown = (algorithm: string): boolean => types.includes(algorithm.startsWith('rsa-sha2-') ? 'ssh-rsa' : algorithm);
    return [...hostKeyAlgorithms.filter(isKnown), ...hostKeyAlgorithms.filter((algorithm) => !isKnown(algorithm))];
  }

  private async verifyHostKey(key: Buffer): Promise<boolean> {
    // Also asked when keys are renewed later on: then it must be the key of the beginning.
    if (this.verified) return this.verified.equals(key);
    const { host, port } = this.target;
    const verdict = judgeHostKey(this.known, this.name, key);
    const shown = { host, port, keyType: keyTypeOf(key), fingerprint: fingerprintOf(key) };
    switch (verdict.kind) {
      case 'match':
        break;
      case 'changed': {
        const { expected, file, line, forget } = verdict;
        throw new AppError('ssh.host-key-changed', { ...shown, expected, file, line, forget });
      }
      case 'revoked':
        throw new AppError('ssh.host-key-revoked', { host, port, fingerprint: shown.fingerprint, file: verdict.file, line: verdict.line });
      case 'unknown': {
        const file = this.target.knownHostsFiles[0];
        if (this.options.acceptHostKey !== shown.fingerprint || file === undefined)
          throw new AppError('ssh.host-key-unknown', { ...shown, authority: verdict.authority });
        await appendHostKey(file, this.name, key);
      }
    }
    this.verified = Buffer.from(key);
    return true;
  }

  private translate(error: unknown): AppError {
    const { host, port, user } = this.target;
    return translateSshError(error, { host, port, user, tried: this.tried, phase: this.phase, seconds: Math.ceil(this.timeoutMs / 1000) });
  }
}
