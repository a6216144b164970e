import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The two secrets of a web host: a token that opens the window once, and the cookie it is exchanged for. */
export interface WebKeys {
  /** Goes into the address that is printed. */
  readonly token: string;
  /** The value of a `Set-Cookie` header when the token is right and was not used before; otherwise null. */
  redeem(token: string): string | null;
  /** Whether a request's `Cookie` header holds this host's cookie. */
  admits(cookieHeader: string | undefined): boolean;
}

/** Compares digests, so that neither length nor content shows in the time it takes. */
function same(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/**
 * New secrets for one run of the host. Cookies do not know ports, so the name carries the port:
 * two hosts on one computer would overwrite each other's cookie otherwise.
 */
export function createWebKeys(port: number): WebKeys {
  const token = randomBytes(32).toString('base64url');
  const cookie = randomBytes(32).toString('base64url');
  const name = `ebbgate-${port}`;
  let used = false;
  return {
    token,
    redeem: (given) => {
      if (used || !same(given, token)) return null;
      used = true;
      return `${name}=${cookie}; HttpOnly; SameSite=Strict; Path=/`;
    },
    admits: (header) =>
      (header ?? '').split(';').some((part) => {
        const at = part.indexOf('=');
        return at > 0 && part.slice(0, at).trim() === name && same(part.slice(at + 1).trim(), cookie);
      }),
  };
}
