import { join } from 'node:path';
import type { SshEnvironment } from './target';

/** Where OpenSSH's agent listens on Windows, and the name of PuTTY's, which has no path. */
const windowsAgents = ['\\\\.\\pipe\\openssh-ssh-agent', 'pageant'] as const;

/** What decides which agents are asked. */
export interface AgentPlace {
  readonly platform: NodeJS.Platform;
  readonly env: SshEnvironment;
  readonly home: string;
}

/**
 * The agents to ask, in order. `identityAgent` is the configured value, null where nothing is said: it replaces SSH_AUTH_SOCK
 * (ssh_config(5), IdentityAgent). On Windows both kinds of agent are asked where neither is set.
 */
export function chooseAgents(identityAgent: string | null, { platform, env, home }: AgentPlace): readonly string[] {
  const wanted = identityAgent ?? 'SSH_AUTH_SOCK';
  if (wanted === 'SSH_AUTH_SOCK') return env.SSH_AUTH_SOCK ? [env.SSH_AUTH_SOCK] : platform === 'win32' ? windowsAgents : [];
  if (wanted.toLowerCase() === 'none') return [];
  const variable = /^\$(?:\{(\w+)\}|(\w+))$/.exec(wanted);
  if (variable !== null) return [env[variable[1] ?? variable[2] ?? ''] ?? ''].filter((socket) => socket !== '');
  if (platform === 'win32' && wanted.toLowerCase() === 'pageant') return ['pageant'];
  return [/^~[\\/]/.test(wanted) ? join(home, wanted.slice(2)) : wanted];
}
