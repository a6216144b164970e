import type { ConnectionCheck, ConnectionTest } from '../../shared/connection';
import { isAppError, toWireError } from '../../shared/errors';
import { fill } from '../../shared/phrase';
import { checkPhrases } from '../../shared/phrases/checks';
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
      passed('reach', fill(checkPhrases.answers, { host, port })),
      passed('host-key', connection.hostKey),
      passed('login', fill(checkPhrases['as-user'], { user })),
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
  const before = steps.slice(0, steps.indexOf(step)).map((id) => passed(id, checkPhrases.passed));
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
    return [passed('shell', checkPhrases['posix-shell']), failed('home', error)];
  }
}

function describeShell(facts: RemoteFacts, request: CheckRequest): readonly ConnectionCheck[] {
  const { system, tools, tar, hermes, freeBytes, clockAheadMs } = facts;
  return [
    passed('shell', fill(checkPhrases.tools, { system, tools })),
    homeCheck(facts, request),
    passed('tar', tar || checkPhrases['tar-unnamed']),
    spaceCheck(freeBytes),
    passed('hermes', hermes === null ? checkPhrases['no-hermes'] : fill(checkPhrases['runs-hermes'], { path: hermes })),
    clockCheck(clockAheadMs),
  ];
}

function homeCheck({ home, exists, unwritable, missing, profiles, hermes }: RemoteFacts, request: CheckRequest): ConnectionCheck {
  if (unwritable !== null) {
    const fix = checkPhrases['own-home'];
    return { id: 'home', ok: false, detail: fill(checkPhrases['home-unwritable'], { path: unwritable }), fix };
  }
  const others = profiles.filter((name) => name !== request.profile);
  const known =
    others.length === 0
      ? ''
      : `; ${fill(checkPhrases[request.profile === null ? 'profiles' : 'other-profiles'], { names: others.join(', ') })}`;
  if (!exists) return passed('home', `${fill(checkPhrases['home-new'], { path: home })}${known}`);
  if (missing.length < request.roots.length || hermes?.startsWith(`${home}/`))
    return passed('home', `${fill(checkPhrases['home-there'], { path: home })}${known}`);
  return passed('home', `${fill(checkPhrases['home-bare'], { path: home })}${known}`);
}

function clockCheck(aheadMs: number | null): ConnectionCheck {
  if (aheadMs === null) return passed('clock', checkPhrases['not-told']);
  if (Math.abs(aheadMs) <= clockSlackMs) return passed('clock', checkPhrases['clock-agrees']);
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const detail = fill(checkPhrases[aheadMs > 0 ? 'clock-ahead' : 'clock-behind'], { count: minutes });
  return { id: 'clock', ok: false, detail, fix: checkPhrases['set-clocks'] };
}

function spaceCheck(freeBytes: number | null): ConnectionCheck {
  if (freeBytes === null) return passed('space', checkPhrases['space-unknown']);
  const ok = freeBytes >= littleSpaceBytes;
  return {
    id: 'space',
    ok,
    detail: fill(checkPhrases['space-free'], { bytes: freeBytes }),
    fix: ok ? null : checkPhrases['little-space'],
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
      passed('shell', fill(checkPhrases['only-sftp'], { detail: why })),
      passed('home', home),
      passed('tar', checkPhrases['tar-not-needed']),
      spaceCheck(freeBytes),
      passed('hermes', checkPhrases['hermes-not-told']),
      clockCheck(null),
    ];
  } catch (error) {
    return [isAppError(error, 'ssh.no-shell') ? failed('shell', error) : failed('home', error)];
  } finally {
    await endpoint.close();
  }
}
