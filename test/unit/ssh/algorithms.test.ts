import { describe, expect, it } from 'vitest';
import { algorithmsOf, choose } from '../../../electron/ssh/algorithms';
import { parseAnswer } from '../../../electron/ssh/openssh-config';
import { hostKeyAlgorithms, knownAlgorithms, refuseUnsupported } from '../../../electron/ssh/options';

const read = (...lines: readonly string[]) => parseAnswer(lines.join('\n'), '/home/ann', {});
const chosen = (...lines: readonly string[]) => algorithmsOf('box', read(...lines));

describe('choose', () => {
  const known = { usual: ['a-1', 'a-2', 'b-1'], more: ['old-1', 'old-2'] };
  it.each([
    ['b-1,strange,a-1', ['b-1', 'a-1']],
    ['a-?', ['a-1', 'a-2']],
    ['+old-2', ['a-1', 'a-2', 'b-1', 'old-2']],
    ['+a-2', ['a-1', 'a-2', 'b-1']],
    ['+strange', []],
    ['-a-*', ['b-1']],
    ['-strange', ['a-1', 'a-2', 'b-1']],
    ['-*', []],
    ['^b-1,old-1', ['b-1', 'old-1', 'a-1', 'a-2']],
    ['^strange', []],
  ])('makes of %s', (listed, names) => {
    expect(choose(listed, known)).toEqual(names);
  });
});

describe('algorithmsOf', () => {
  it('says nothing where nothing is configured', () => {
    expect(chosen()).toEqual({});
  });

  it('adds, takes away and prefers for each kind', () => {
    const { cipher, hmac, kex } = chosen('ciphers ^aes256-ctr', 'macs -*-etm@openssh.com', 'kexalgorithms +diffie-hellman-group14-sha1');
    const inOrder = (names: unknown) => names as readonly string[];
    expect(inOrder(cipher).slice(0, 2)).toEqual(['aes256-ctr', 'aes128-gcm@openssh.com']);
    expect(hmac).toEqual(['hmac-sha2-256', 'hmac-sha2-512', 'hmac-sha1']);
    expect([inOrder(kex).at(0), inOrder(kex).at(-1)]).toEqual(['curve25519-sha256@libssh.org', 'diffie-hellman-group14-sha1']);
  });

  it.each([
    ['ciphers +3des-cbc', 'Ciphers'],
    ['ciphers -*', 'Ciphers'],
    ['macs ^umac-128@openssh.com', 'MACs'],
    ['kexalgorithms +sntrup761x25519-sha512@openssh.com', 'KexAlgorithms'],
  ])('names what it cannot honour of %s', (line, option) => {
    expect(() => chosen(line)).toThrowError(
      expect.objectContaining({
        code: 'connection.unsupported-option',
        details: { host: 'box', option, reason: expect.stringContaining('none of') },
      }),
    );
  });

  it('needs no MAC that it has where every cipher authenticates by itself', () => {
    const umac = 'macs umac-64-etm@openssh.com,umac-128@openssh.com';
    expect(chosen('ciphers aes256-gcm@openssh.com,aes128-gcm@openssh.com', umac)).toEqual({
      cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com'],
    });
    for (const ciphers of ['ciphers aes256-gcm@openssh.com,aes256-ctr', '']) {
      expect(() => chosen(ciphers, umac)).toThrowError(expect.objectContaining({ details: expect.objectContaining({ option: 'MACs' }) }));
    }
  });
});

describe('hostKeyAlgorithms', () => {
  it('follows the same signs, and names what leaves nothing', () => {
    expect(hostKeyAlgorithms(read('hostkeyalgorithms -ecdsa-*,*rsa*'))).toEqual(['ssh-ed25519']);
    expect(hostKeyAlgorithms(read('hostkeyalgorithms ^rsa-sha2-512'))).toEqual([
      'rsa-sha2-512',
      ...knownAlgorithms.filter((name) => name !== 'rsa-sha2-512'),
    ]);
    expect(hostKeyAlgorithms(read())).toBeNull();
    expect(() => refuseUnsupported('box', read('hostkeyalgorithms +ssh-dss'), false)).toThrowError(
      expect.objectContaining({ details: expect.objectContaining({ option: 'HostKeyAlgorithms' }) }),
    );
  });
});
