import { getCiphers } from 'node:crypto';
import type { CipherAlgorithm, KexAlgorithm, MacAlgorithm } from 'ssh2';
import { AppError } from '../../shared/errors';
import type { OpenSshAnswer } from './openssh-config';
import { globMatches } from './patterns';
import type { Algorithms } from './target';

/** Names that can be used: those that are where nothing is said, and those that are only on request. */
interface Known<Name extends string> {
  readonly usual: readonly Name[];
  readonly more: readonly Name[];
}

// What ssh2 has of OpenSSH's names (its README, "algorithms"), in its order: the quickest for it comes first.
const ciphers: Known<CipherAlgorithm> = {
  usual: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
    // Electron's build of the crypto library is without it.
    ...(getCiphers().includes('chacha20') ? (['chacha20-poly1305@openssh.com'] as const) : []),
  ],
  more: ['aes256-cbc', 'aes192-cbc', 'aes128-cbc'],
};
const macs: Known<MacAlgorithm> = {
  usual: [
    'hmac-sha2-256-etm@openssh.com',
    'hmac-sha2-512-etm@openssh.com',
    'hmac-sha1-etm@openssh.com',
    'hmac-sha2-256',
    'hmac-sha2-512',
    'hmac-sha1',
  ],
  more: [],
};
const keyExchanges: Known<KexAlgorithm> = {
  usual: [
    'curve25519-sha256@libssh.org',
    'curve25519-sha256',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group-exchange-sha256',
    'diffie-hellman-group14-sha256',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group18-sha512',
  ],
  more: ['diffie-hellman-group-exchange-sha1', 'diffie-hellman-group14-sha1', 'diffie-hellman-group1-sha1'],
};

/** The configured algorithms that can be used. Fails with `connection.unsupported-option` where that leaves none. */
export function algorithmsOf(host: string, answer: OpenSshAnswer | null): Algorithms {
  const cipher = usableOf(host, answer, 'Ciphers', ciphers);
  const kex = usableOf(host, answer, 'KexAlgorithms', keyExchanges);
  // A cipher that authenticates by itself uses no MAC, whatever the list of them says.
  const needsMac = (cipher ?? ciphers.usual).some((name) => !/gcm|poly1305/.test(name));
  const hmac = needsMac ? usableOf(host, answer, 'MACs', macs) : null;
  return { ...(cipher && { cipher }), ...(hmac && { hmac }), ...(kex && { kex }) };
}

function usableOf<Name extends string>(host: string, answer: OpenSshAnswer | null, option: string, known: Known<Name>): Name[] | null {
  const listed = answer?.first(option.toLowerCase()) ?? null;
  if (listed === null) return null;
  const chosen = choose(listed, known);
  if (chosen.length === 0) throw unusable(host, option, [...known.usual, ...known.more]);
  // OpenSSH prints its own list where nothing is configured: then the order is no wish of the user's.
  return /^[+^-]/.test(listed) ? [...chosen] : [...known.usual, ...known.more].filter((name) => chosen.includes(name));
}

/** That an option names nothing of what can be used, or leaves nothing of it. */
export function unusable(host: string, option: string, usable: readonly string[]): AppError {
  const reason = `it leaves none of those that can be used: ${usable.join(', ')}`;
  return new AppError('connection.unsupported-option', { host, option, reason });
}

/**
 * What a configured list makes of the known names, in the order of preference; empty where nothing it names is known. After `+` they
 * are added to the usual ones, after `-` taken away from them, after `^` put before them (ssh_config(5), Ciphers).
 */
export function choose<Name extends string>(listed: string, { usual, more }: Known<Name>): readonly Name[] {
  const sign = /^[+^-]/.exec(listed)?.[0] ?? '';
  const patterns = listed.slice(sign.length).split(',');
  const named = [...new Set(patterns.flatMap((pattern) => [...usual, ...more].filter((name) => globMatches(pattern, name))))];
  if (sign === '-') return usual.filter((name) => !named.includes(name));
  if (sign === '' || named.length === 0) return named;
  return [...new Set(sign === '+' ? [...usual, ...named] : [...named, ...usual])];
}
