import ssh2 from 'ssh2';
import { describe, expect, it } from 'vitest';
import { makeKeyPair } from '../../../electron/demo/keys';

describe('a key pair of the demo', () => {
  it('can be read back and used, whichever bytes chance gives it', () => {
    const message = Buffer.from('signed');
    for (let made = 0; made < 600; made += 1) {
      const { privateKey, publicKey } = makeKeyPair();
      const key = ssh2.utils.parseKey(privateKey);
      if (key instanceof Error) throw key;
      expect(publicKey.verify(message, key.sign(message))).toBe(true);
    }
  });
});
