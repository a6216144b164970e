import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { OsCipher } from '../../electron/store/secrets';

/** What the operating system offers, with a key of this process. `trusted` may be changed. */
export function testCipher(): OsCipher & { trusted: boolean } {
  const key = randomBytes(32);
  return {
    trusted: true,
    isTrusted() {
      return this.trusted;
    },
    encrypt(text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
    },
    decrypt(sealed) {
      const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
      cipher.setAuthTag(sealed.subarray(12, 28));
      return Buffer.concat([cipher.update(sealed.subarray(28)), cipher.final()]).toString('utf8');
    },
  };
}
