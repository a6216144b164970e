import { getCiphers } from 'node:crypto';
import type { CipherAlgorithm, KexAlgorithm, MacAlgorithm } from 'ssh2';
import { AppError } from '../../shared/errors';
import type { OpenSshAnswer } from './openssh-config';
import type { Algorithms } from './target';

// What ssh2 has of OpenSSH's names (its README, "algorithms"), in its order: the quickest for it comes first.
const usableCiphers: readonly CipherAlgorithm[] = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'aes128-ctr',
  'aes192-ctr',
  'aes256-ctr',
  // Electron's build of the crypto library is without it.
  ...(getCiphers().includes('chacha20') ? (['chacha20-poly1305@openssh.com'] as const) : []),
  'aes256-cbc',
  'aes192-cbc',
  'aes128-cbc',
];
const usableMacs: readonly MacAlgorithm[] = [
  'hmac-sha2-256-etm@openssh.com',
  'hmac-sha2-512-etm@openssh.com',
  'hmac-sha1-etm@openssh.com',
  'hmac-sha2-256',
  'hmac-sha2-512',
  'hmac-sha1',
];
const usableKex: readonly KexAlgorithm[] = [
  'curve25519-sha256@libssh.org',
  'curve25519-sha256',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
  'diffie-hellman-group-exchange-sha256',
  'diffie-hellman-group14-sha256',
  'diffie-hellman-group16-sha512',
  'diffie-hellman-group18-sha512',
  'diffie-hellman-group-exchange-sha1',
  'diffie-hellman-group14-sha1',
  'diffie-hellman-group1-sha1',
];

/** The configured algorithms that can be used. Fails with `connection.unsupported-option` where none of the named ones can. */
export function algorithmsOf(host: string, answer: OpenSshAnswer | null): Algorithms {
  const cipher = usableOf(host, answer, 'Ciphers', usableCiphers);
  const hmac = usableOf(host, answer, 'MACs', usableMacs);
  const kex = usableOf(host, answer, 'KexAlgorithms', usableKex);
  return { ...(cipher && { cipher }), ...(hmac && { hmac }), ...(kex && { kex }) };
}

function usableOf<Name extends string>(host: string, answer: OpenSshAnswer | null, option: string, usable: readonly Name[]): Name[] | null {
  const listed = answer?.first(option.toLowerCase()) ?? null;
  // The files alone may say what to add or take away instead of naming all; only OpenSSH knows its own list.
  if (listed === null || /^[+^-]|[*?]/.test(listed)) return null;
  const named = listed.split(',');
  const left = usable.filter((name) => named.includes(name));
  if (left.length > 0) return left;
  const reason = `none of the named ones can be used, while ${usable.join(', ')} can`;
  throw new AppError('connection.unsupported-option', { host, option, reason });
}
