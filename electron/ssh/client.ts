import ssh2, { type Client, type ServerHostKeyAlgorithm } from 'ssh2';
import { AppError } from '../../shared/errors';
import { type Login, planLogin } from './auth';
import { type Carrier, openCarrier } from './carrier';
import {
  appendHostKey,
  fingerprintOf,
  type HostName,
  judgeHostKey,
  type KnownKey,
  type KnownPlace,
  keyTypeOf,
  knownKeyTypes,
  readKnownHosts,
} from './host-keys';
import { SshLink } from './link';
import type { UnlockedKeys } from './locked-key';
import type { RememberedSecrets } from './login-memory';
import { knownAlgorithms } from './options';
import type { Person } from './person';
import { type SshPhase, stopError, translateSshError } from './ssh-errors';
import type { Keepalive, SshTarget } from './target';

/** How one connection attempt behaves. */
export interface ConnectOptions {
  readonly signal: AbortSignal;
  /** A fingerprint the person consented to; an unknown host that shows it is added to known_hosts. */
  readonly acceptHostKey: string | null;
  /** Who may be asked for passphrases and the like; left out, nobody is, and the attempt fails where it would ask. */
  readonly person?: Person | undefined;
  /** What need not be asked for; left out or null, nothing is remembered. */
  readonly remembered?: RememberedSecrets | null | undefined;
  /** From the first packet to the end of the login. Default 20 000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Goes before the target's own; without either, a loss is noticed within a minute. */
  readonly keepalive?: Keepalive | undefined;
}

const usualKeepalive: Keepalive = { intervalMs: 15_000, silentIntervals: 3 };

/**
 * Opens a connection, and first those to the machines on the way, each with its own host key and login. A host key is
 * verified before any login is tried.
 */
export function connectSsh(target: SshTarget, options: ConnectOptions): Promise<SshLink> {
  return connectWith(target, options, new Map());
}

async function connectWith(target: SshTarget, options: ConnectOptions, unlocked: UnlockedKeys): Promise<SshLink> {
  if (options.signal.aborted) throw stopError(options.signal);
  const known = await readKnownHosts(target.knownHostsFiles);
  // Whatever the login asks must not outlive the attempt.
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  try {
    const login = await planLogin(target, { person: options.person ?? null, remembered: options.remembered ?? null, unlocked, signal });
    if (options.signal.aborted) throw stopError(options.signal);
    const carrier = await openCarrier(target, options.signal, (via) => connectWith(via, options, unlocked));
    return await new Attempt(target, options, known, login, carrier).run();
  } finally {
    over.abort();
  }
}

class Attempt {
  private readonly client: Client = new ssh2.Client();
  private readonly name: HostName;
  private readonly timeoutMs: number;
  private phase: SshPhase = 'socket';
  private verified: Buffer | null = null;
  private failure: AppError | null = null;

  constructor(
    private readonly target: SshTarget,
    private readonly options: ConnectOptions,
    private readonly known: readonly KnownKey[],
    private readonly login: Login,
    private readonly carrier: Carrier,
  ) {
    this.name = { host: target.host, port: target.port, alias: target.hostKeyAlias };
    this.timeoutMs = options.connectTimeoutMs ?? 20_000;
  }

  run(): Promise<SshLink> {
    const { client, carrier, login, options, target } = this;
    const keepalive = options.keepalive ?? target.keepalive ?? usualKeepalive;
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        finish();
        const failure = error instanceof AppError ? error : (this.failure ?? login.pending ?? this.translate(error));
        const settled = failure.code === 'ssh.auth-rejected' ? login.memory.refused() : Promise.resolve();
        void settled.then(() => reject(failure));
        carrier.stream.destroy();
      };
      const cancel = (): void => fail(stopError(options.signal));
      const timer = setTimeout(() => {
        // A person takes longer than a server may; the server ends that by itself.
        if (login.pending !== null) timer.refresh();
        else fail({ level: 'client-timeout', message: 'no answer' });
      }, this.timeoutMs);
      login.onGiveUp = fail;
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
        const hostKey = fingerprintOf(this.verified ?? Buffer.alloc(0));
        const link = new SshLink({ client, carrier, target, hostKey, keepalive });
        void login.memory.accepted().then(() => resolve(link));
      });
      this.start(keepalive.intervalMs);
    });
  }

  private start(keepaliveMs: number): void {
    this.client.connect({
      sock: this.carrier.stream,
      username: this.target.user,
      readyTimeout: 0,
      keepaliveInterval: keepaliveMs,
      // The library only sends the probes: it would call a link dead whose answers queue behind a long upload.
      keepaliveCountMax: Number.MAX_SAFE_INTEGER,
      algorithms: { ...this.target.algorithms, serverHostKey: [...this.preferredAlgorithms()] },
      hostVerifier: (key: Buffer, verify: (valid: boolean) => void) => {
        void this.verifyHostKey(key).then(verify, (error: unknown) => {
          this.failure = this.translate(error);
          verify(false);
        });
      },
      authHandler: (left, _partial, next) => {
        void this.login.next(left).then((method) => {
          if (method === null) this.failure = this.login.refusal();
          // The library takes `false` as "nothing left", which its types leave out.
          next(method ?? (false as never));
        });
      },
    });
  }

  private preferredAlgorithms(): readonly ServerHostKeyAlgorithm[] {
    const types = knownKeyTypes(this.known, this.name);
    const isKnown = (algorithm: string): boolean => types.includes(algorithm.startsWith('rsa-sha2-') ? 'ssh-rsa' : algorithm);
    const wanted = (this.target.hostKeyAlgorithms ?? knownAlgorithms) as readonly ServerHostKeyAlgorithm[];
    return [...wanted.filter(isKnown), ...wanted.filter((algorithm) => !isKnown(algorithm))];
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
          throw new AppError('ssh.host-key-unknown', { ...shown, authority: placeOf(verdict.authority) });
        await appendHostKey(file, this.name, key);
      }
    }
    this.verified = Buffer.from(key);
    return true;
  }

  private translate(error: unknown): AppError {
    const { host, port, user } = this.target;
    return translateSshError(error, {
      host,
      port,
      user,
      tried: this.login.tried,
      phase: this.phase,
      seconds: Math.ceil(this.timeoutMs / 1000),
    });
  }
}

function placeOf(place: KnownPlace | null): string | null {
  return place === null ? null : `${place.file}, line ${place.line}`;
}
