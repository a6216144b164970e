import ssh2, { type ParsedKey } from 'ssh2';

const { utils } = ssh2;

/** A key pair for one run of the demo. */
export interface KeyPair {
  /** In OpenSSH's format. */
  readonly privateKey: string;
  readonly publicKey: ParsedKey;
}

/**
 * Makes a key pair that exists in memory alone.
 *
 * ECDSA on purpose: the Ed25519 generator of ssh2 1.17 strips leading zero bytes from the public half
 * (lib/keygen.js), so that one key in 256 cannot be read back.
 */
export function makeKeyPair(): KeyPair {
  const made = utils.generateKeyPairSync('ecdsa', { bits: 256 });
  const publicKey = utils.parseKey(made.public);
  if (publicKey instanceof Error) throw publicKey;
  return { privateKey: made.private, publicKey };
}
