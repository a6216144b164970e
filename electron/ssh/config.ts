import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '../../shared/connection';
import { AppError } from '../../shared/errors';
import { askOpenSsh, type OpenSshAnswer, unquotePaths } from './openssh-config';
import type { SshEnvironment, SshTarget } from './target';

const defaultKeyNames = ['id_ed25519', 'id_ecdsa', 'id_rsa'] as const;
const windowsAgentPipe = '\\\\.\\pipe\\openssh-ssh-agent';

/**
 * Everything needed to connect. Values come from OpenSSH's own reading of the configuration where that is wanted and
 * installed; what the connection itself states wins. Nothing is sent.
 */
export async function resolveTarget(connection: Connection, env: SshEnvironment): Promise<SshTarget> {
  const { address } = connection;
  const asked = address.kind === 'alias' ? address.alias : address.host;
  if (!isPlainName(asked)) throw new AppError('usage.invalid', { what: `"${asked}" cannot be a remote's address.` });
  const home = homeOf(env);
  const answer = connection.useSshConfig ? await askOpenSsh(address, env, home) : null;
  if (answer === null && address.kind === 'alias') {
    const reason = connection.useSshConfig
      ? 'OpenSSH ("ssh") is not installed here'
      : 'the SSH configuration is switched off for this connection';
    throw new AppError('connection.alias-unresolved', { alias: asked, reason });
  }
  refuseProxies(asked, answer);
  return {
    host: address.kind === 'address' ? address.host : (answer?.first('hostname') ?? asked),
    port: address.kind === 'address' ? address.port : Number(answer?.first('port') ?? 22),
    user: (address.kind === 'address' && address.user) || answer?.first('user') || userInfo().username,
    identityFiles: identityFiles(connection, answer, home),
    identitiesOnly: connection.identityFile !== null || answer?.first('identitiesonly') === 'yes',
    agentSocket: agentSocket(answer, env, home),
    knownHostsFiles: connection.knownHostsFile === null ? knownHostsFiles(answer, home) : [connection.knownHostsFile],
    hostKeyAlias: answer?.first('hostkeyalias') ?? null,
  };
}

/** The user's home as the environment states it. */
function homeOf(env: SshEnvironment): string {
  return env.HOME || env.USERPROFILE || homedir();
}

// A name that begins with a dash would be read as an option; blanks and control characters are never part of one.
function isPlainName(name: string): boolean {
  return name !== '' && !name.startsWith('-') && !/[\s\p{Cc}]/u.test(name);
}

function refuseProxies(asked: string, answer: OpenSshAnswer | null): void {
  for (const [key, option] of [
    ['proxyjump', 'ProxyJump'],
    ['proxycommand', 'ProxyCommand'],
  ] as const) {
    const value = answer?.first(key) ?? null;
    if (value !== null && value.toLowerCase() !== 'none') throw new AppError('connection.unsupported-option', { host: asked, option });
  }
}

// A named file is kept even when missing, so that this is said; of the usual ones only those that exist count.
function identityFiles(connection: Connection, answer: OpenSshAnswer | null, home: string): readonly string[] {
  if (connection.identityFile !== null) return [connection.identityFile];
  const usual = answer === null ? defaultKeyNames.map((name) => join(home, '.ssh', name)) : answer.all('identityfile');
  return usual.filter((file) => existsSync(file));
}

function agentSocket(answer: OpenSshAnswer | null, env: SshEnvironment, home: string): string | null {
  const fallback = env.SSH_AUTH_SOCK || (process.platform === 'win32' ? windowsAgentPipe : null);
  const configured = answer?.first('identityagent') ?? null;
  if (configured === null || configured === 'SSH_AUTH_SOCK') return fallback;
  if (configured.toLowerCase() === 'none') return null;
  if (configured.startsWith('$')) return env[configured.replace(/^\$\{?|\}$/g, '')] || null;
  return configured.startsWith('~/') ? join(home, configured.slice(2)) : configured;
}

function knownHostsFiles(answer: OpenSshAnswer | null, home: string): readonly string[] {
  const own = join(home, '.ssh', 'known_hosts');
  const system = process.platform === 'win32' ? 'C:\\ProgramData\\ssh\\ssh_known_hosts' : '/etc/ssh/ssh_known_hosts';
  if (answer === null) return [own, system];
  const user = unquotePaths(answer.first('userknownhostsfile') ?? '', home);
  const files = [...(user.length > 0 ? user : [own]), ...unquotePaths(answer.first('globalknownhostsfile') ?? '', home)];
  return [...new Set(files)];
}
