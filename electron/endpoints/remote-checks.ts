import type { ConnectionCheck, ConnectionTest } from '../../shared/connection';
import { isAppError, toWireError } from '../../shared/errors';
import { createRules } from '../../shared/rules';
import type { SshConnection } from '../ssh/ssh-connection';
import { probeRemote, type RemoteFacts } from './remote-probe';
import { createSftpEndpoint } from './remote-sftp';

export interface CheckRequest {
  connect(signal: AbortSignal): Promise<SshConnection>;
  readonly remoteHome: string | null;
  readonly profile: string | null;
  readonly roots: readonly string[];
  readonly now: () => number;
}

/** The first two steps of a connection, by the error that tells which of them failed. */
const stepOf: Readonly<Record<string, 'reach' | 'host-key' | 'login'>> = {
  'ssh.host-key-unknown': 'host-key',
  'ssh.host-key-changed': 'host-key',
  'ssh.host-key-revoked': 'host-key',
  'ssh.host-key-not-kept': 'host-key',
  'ssh.auth-rejected': 'login',
  'ssh.passphrase-needed': 'login',
  'ssh.answer-needed': 'login',
  'ssh.agent-waiting': 'login',
  'ssh.key-unusable': 'login',
};
const steps = ['reach', 'host-key', 'login'] as const;
/** A push needs room; below this the test warns. */
const littleSpaceBytes = 1_000_000_000;

/** Clocks may differ by so much; beyond it, times and ids of both sides cannot be compared. */
const clockSlackMs = 120_000;

/** Tests a connection step by step with a verdict each. Writes nothing, except a host key the user accepted. */
export async function checkConnection(request: CheckRequest): Promise<ConnectionTest> {
  const { signal } = new AbortController();
  let connection: SshConnection;
  try {
    connection = await request.connect(signal);
  } catch (error) {
    return verdict(failedSteps(error));
  }
  try {
    const { host, port, user } = connection.target;
    const reached = [
      passed('reach', `${host} answers on port ${port}`),
      passed('host-key', connection.hostKey),
      passed('login', `as ${user}`),
    ];
    return verdict([...reached, ...(await checkRemote(connection, request, signal))]);
  } finally {
    await connection.close();
  }
}

function verdict(checks: readonly ConnectionCheck[]): ConnectionTest {
  return { ok: checks.every(({ ok }) => ok), checks };
}

function passed(id: string, detail: string): ConnectionCheck {
  return { id, ok: true, detail, fix: null };
}

function failedSteps(error: unknown): readonly ConnectionCheck[] {
  const step = stepOf[toWireError(error).code] ?? 'reach';
  const before = steps.slice(0, steps.indexOf(step)).map((id) => passed(id, 'passed'));
  return [...before, failed(step, error)];
}

/** The sentence says what happened and what to do; the detail names the error. */
function failed(id: string, error: unknown): ConnectionCheck {
  const unknown = isAppError(error, 'ssh.host-key-unknown') ? { unknownKey: error.details.fingerprint } : {};
  const wire = toWireError(error);
  return { id, ok: false, detail: wire.code, fix: wire.message, error: wire, ...unknown };
}

async function checkRemote(connection: SshConnection, request: CheckRequest, signal: AbortSignal): Promise<readonly ConnectionCheck[]> {
  try {
    return describeShell(await probeRemote(connection, request, signal), request);
  } catch (error) {
    if (isAppError(error, 'ssh.no-shell')) return checkSftp(connection, request, error.details.detail, signal);
    return [passed('shell', 'a POSIX shell answers'), failed('home', error)];
  }
}

function describeShell(facts: RemoteFacts, request: CheckRequest): readonly ConnectionCheck[] {
  const { system, tools, tar, hermes, freeBytes, clockAheadMs } = facts;
  return [
    passed('shell', `${system}, ${tools} tools`),
    homeCheck(facts, request),
    passed('tar', tar || 'present; it does not say whose'),
    spaceCheck(freeBytes),
    passed('hermes', hermes === null ? 'not installed there: the remote is only a shell' : `runs there (${hermes})`),
    clockCheck(clockAheadMs),
  ];
}

function homeCheck({ home, exists, unwritable, missing, profiles, hermes }: RemoteFacts, request: CheckRequest): ConnectionCheck {
  if (unwritable !== null) {
    const fix = 'Log in as its owner, give the account the folder (chown), or choose another one with --remote-home.';
    return { id: 'home', ok: false, detail: `${unwritable} cannot be written by this account`, fix };
  }
  const others = profiles.filter((name) => name !== request.profile);
  const known =
    others.length === 0 ? '' : `; ${request.profile === null ? 'profiles there' : 'other profiles there'}: ${others.join(', ')}`;
  if (!exists) return passed('home', `${home} is not there yet; the first push creates it${known}`);
  if (missing.length < request.roots.length || hermes?.startsWith(`${home}/`)) return passed('home', `${home} is there${known}`);
  return passed(
    'home',
    `${home} is there, but this account has no Hermes data in it. If it is elsewhere, name it with --remote-home${known}`,
  );
}

function clockCheck(aheadMs: number | null): ConnectionCheck {
  if (aheadMs === null) return passed('clock', 'cannot be told');
  if (Math.abs(aheadMs) <= clockSlackMs) return passed('clock', 'agrees with this computer');
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const detail = `${minutes} minutes ${aheadMs > 0 ? 'ahead of' : 'behind'} this computer`;
  return { id: 'clock', ok: false, detail, fix: 'Set both clocks by a time server ("timedatectl set-ntp true" on most Linux systems).' };
}

function spaceCheck(freeBytes: number | null): ConnectionCheck {
  if (freeBytes === null) return passed('space', 'not known');
  const ok = freeBytes >= littleSpaceBytes;
  return {
    id: 'space',
    ok,
    detail: `${freeBytes} bytes free`,
    fix: ok ? null : 'Less than 1 GB is free on the remote. Free space there before the next push.',
  };
}

async function checkSftp(
  connection: SshConnection,
  request: CheckRequest,
  why: string,
  signal: AbortSignal,
): Promise<readonly ConnectionCheck[]> {
  const endpoint = createSftpEndpoint({
    connection,
    remoteHome: request.remoteHome,
    profile: request.profile,
    clientId: '',
    now: Date.now,
  });
  try {
    const rules = createRules({ platform: 'posix', folds: { case: false, unicode: false } });
    const { home, freeBytes } = await endpoint.list({ roots: [], rules, memory: null }, signal);
    return [
      passed('shell', `no usable shell (${why}); SFTP is used instead, which is slower`),
      passed('home', home),
      passed('tar', 'not needed: files go over SFTP'),
      spaceCheck(freeBytes),
      passed('hermes', 'cannot be told over SFTP; "inspect" looks for its files'),
      clockCheck(null),
    ];
  } catch (error) {
    return [isAppError(error, 'ssh.no-shell') ? failed('shell', error) : failed('home', error)];
  } finally {
    await endpoint.close();
  }
}
