import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/errors';
import { choose, unusable } from './algorithms';
import { type OpenSshAnswer, unquotePaths } from './openssh-config';
import { type LoginMethod, loginMethods, type SshTarget } from './target';

/** Host key algorithms that can be verified, in the order in which they are asked for. */
export const knownAlgorithms = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
] as const;

/** Key files offered where none is named, in order. */
const usualKeys = ['id_ed25519', 'id_ecdsa', 'id_rsa'] as const;
/** What OpenSSH lists where none is named; which of them depends on its version (ssh_config(5), IdentityFile). */
const openSshKeys = /[\\/]\.ssh[\\/]id_(rsa|ecdsa|ecdsa_sk|ed25519|ed25519_sk|xmss|dsa)$/;

/** Loss must be noticed within a minute, however patient the configuration is. */
const noticeWithinMs = 60_000;

interface Unsupported {
  readonly option: string;
  readonly reason: string;
  readonly isUsed: (value: string) => boolean;
}

const isSet = (value: string): boolean => !['none', ''].includes(value.toLowerCase());

const unsupported: Readonly<Record<string, Unsupported>> = {
  proxyusefdpass: {
    option: 'ProxyUseFdpass',
    reason: 'a command that hands over a socket cannot be used, while one that speaks on its standard input and output can',
    isUsed: (value) => value === 'yes',
  },
  pkcs11provider: {
    option: 'PKCS11Provider',
    reason: 'keys on a smart card can be used through the SSH agent alone; "ssh-add -s" adds them to it',
    isUsed: isSet,
  },
  bindinterface: { option: 'BindInterface', reason: 'the network interface cannot be chosen, while BindAddress can', isUsed: isSet },
  revokedhostkeys: {
    option: 'RevokedHostKeys',
    reason: 'that list is not read, while lines marked @revoked in known_hosts are',
    isUsed: isSet,
  },
  knownhostscommand: {
    option: 'KnownHostsCommand',
    reason: 'host keys are looked up in files alone; add the key to known_hosts',
    isUsed: isSet,
  },
};

/** Fails for the first option that decides about the way, the identity or the trust and cannot be honoured. */
export function refuseUnsupported(host: string, answer: OpenSshAnswer | null, statesIdentity: boolean): void {
  for (const [keyword, { option, reason, isUsed }] of Object.entries(unsupported)) {
    const value = answer?.first(keyword) ?? null;
    if (value !== null && isUsed(value)) throw new AppError('connection.unsupported-option', { host, option, reason });
  }
  // An identity that the connection states replaces the configured one, its certificate too.
  if (!statesIdentity && answer?.all('certificatefile').some(isSet)) {
    const reason =
      'certificates cannot be presented; let the plain public key in there (authorized_keys) and name its file with --identity';
    throw new AppError('connection.unsupported-option', { host, option: 'CertificateFile', reason });
  }
  if (hostKeyAlgorithms(answer)?.length === 0) {
    throw unusable(host, 'HostKeyAlgorithms', knownAlgorithms);
  }
}

/**
 * The key files to offer, and whether nothing else may be. A file that the connection names is kept even when missing,
 * so that this is said; of the others those count that exist, if only with their public half.
 */
export function identities(
  stated: string | null,
  answer: OpenSshAnswer | null,
  home: string,
): Pick<SshTarget, 'identityFiles' | 'identitiesOnly'> {
  if (stated !== null) return { identityFiles: [stated], identitiesOnly: true };
  const only = answer?.first('identitiesonly') === 'yes';
  const listed = answer?.all('identityfile').filter(isSet) ?? [];
  const isUsual = answer === null || (listed.length > 1 && listed.every((file) => openSshKeys.test(file)));
  if (isUsual) {
    const usual = answer === null ? usualKeys.map((name) => join(home, '.ssh', name)) : listed;
    return { identityFiles: usual.filter((file) => existsSync(file)), identitiesOnly: only };
  }
  const configured = listed.filter((file) => existsSync(file) || existsSync(`${file}.pub`));
  return { identityFiles: configured, identitiesOnly: only || configured.length > 0 };
}

/** The user's files, then the system's. */
export function knownHostsFiles(answer: OpenSshAnswer | null, home: string): readonly string[] {
  const own = join(home, '.ssh', 'known_hosts');
  const system = process.platform === 'win32' ? 'C:\\ProgramData\\ssh\\ssh_known_hosts' : '/etc/ssh/ssh_known_hosts';
  const user = unquotePaths(answer?.first('userknownhostsfile') ?? '', home);
  const global = answer?.first('globalknownhostsfile') ?? system;
  return [...new Set([...(user.length > 0 ? user : [own]), ...unquotePaths(global, home)])];
}

/** The host key algorithms to accept, of those that can be verified; null where nothing is said. */
export function hostKeyAlgorithms(answer: OpenSshAnswer | null): readonly string[] | null {
  const listed = answer?.first('hostkeyalgorithms') ?? null;
  return listed === null ? null : choose(listed, { usual: knownAlgorithms, more: [] });
}

/** The ways to log in that are not switched off, in the preferred order. */
export function loginMethodsOf(answer: OpenSshAnswer | null): readonly LoginMethod[] {
  const isOff = (keyword: string): boolean => ['no', 'false'].includes(answer?.first(keyword) ?? '');
  const off: Readonly<Record<LoginMethod, boolean>> = {
    publickey: isOff('pubkeyauthentication'),
    'keyboard-interactive': isOff('kbdinteractiveauthentication') || isOff('challengeresponseauthentication'),
    password: isOff('passwordauthentication'),
  };
  const preferred = answer?.first('preferredauthentications')?.split(',') ?? loginMethods;
  return preferred.flatMap((name) => loginMethods.filter((method) => method === name && !off[method]));
}

/** A shorter interval than ours is kept, and so is the number of silent ones, as far as loss is noticed in time. */
export function keepalive(answer: OpenSshAnswer | null): SshTarget['keepalive'] {
  const seconds = Number(answer?.first('serveraliveinterval') ?? 0);
  if (!(seconds > 0)) return null;
  const intervalMs = Math.min(seconds * 1000, noticeWithinMs / 4);
  const wanted = Math.max(1, Number(answer?.first('serveralivecountmax') ?? 3));
  return { intervalMs, silentIntervals: Math.min(wanted, Math.floor(noticeWithinMs / intervalMs)) };
}
