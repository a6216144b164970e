import { rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveTarget } from '../../../electron/ssh/config';
import { byAlias, type ConfigPlace, connection, makeConfigPlace } from './config-place';

let place: ConfigPlace;
let home: string;
let env: Readonly<Record<string, string>>;

beforeEach(() => {
  place = makeConfigPlace();
  ({ home, env } = place);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('the way to a remote', () => {
  it('leads through every machine of a ProxyJump, each resolved by its own name', async () => {
    place.configure(
      'Host box\n  ProxyJump ann@one:2201,[::1]:2202,two\nHost one\n  HostName 192.0.2.1\n  ProxyJump zero\nHost two\n  HostName two.example\n  User bob\n  HostKeyAlias second\n',
    );
    const { route } = await resolveTarget(connection(byAlias, { knownHostsFile: '/keys/known', identityFile: '/keys/mine' }), env);
    const places: unknown[] = [];
    for (let way = route; way.kind === 'jump'; way = way.via.route) {
      const { user, host, port, hostKeyAlias, knownHostsFiles, identityFiles } = way.via;
      places.push([user, host, port, hostKeyAlias]);
      expect([knownHostsFiles, identityFiles]).toEqual([['/keys/known'], []]);
    }
    const me = userInfo().username;
    expect(places).toEqual([
      ['bob', 'two.example', 22, 'second'],
      [me, '::1', 2202, null],
      ['ann', '192.0.2.1', 2201, null],
      [me, 'zero', 22, null],
    ]);
  });

  it('names a ProxyJump that leads in a circle', async () => {
    place.configure('Host box\n  ProxyJump one\nHost one\n  ProxyJump box\n');
    await expect(resolveTarget(connection(byAlias), env)).rejects.toMatchObject({
      code: 'connection.unsupported-option',
      details: { host: 'one', option: 'ProxyJump', reason: 'the way to one leads through box and back again' },
    });
  });

  it('fills the tokens of a ProxyCommand in', async () => {
    place.configure('Host box\n  HostName box.example\n  User bob\n  Port 2022\n  ProxyCommand nc -x "%%proxy" %h %p # %n %r\n');
    expect((await resolveTarget(connection(byAlias), env)).route).toEqual({
      kind: 'command',
      command: expect.stringMatching(/^nc -x "%proxy" box\.example 2022/),
    });
  });

  it('lets no name that a shell would run into a ProxyCommand', async () => {
    place.configure('Host *\n  ProxyCommand nc %h %p\n');
    await expect(resolveTarget(connection({ kind: 'alias', alias: 'box;touch$IFS./pwned' }), env)).rejects.toMatchObject({
      code: expect.stringMatching(/^connection\.(unsupported-option|alias-unresolved)$/),
    });
  });
});

describe('the options of a configuration', () => {
  it.each([
    ['CertificateFile ~/.ssh/id-cert.pub', 'CertificateFile'],
    ['ProxyUseFdpass yes', 'ProxyUseFdpass'],
    ['PKCS11Provider /lib/card.so', 'PKCS11Provider'],
    ['RevokedHostKeys /etc/revoked', 'RevokedHostKeys'],
    ['KnownHostsCommand /bin/true', 'KnownHostsCommand'],
    ['Ciphers 3des-cbc', 'Ciphers'],
    ['MACs umac-64@openssh.com', 'MACs'],
    ['KexAlgorithms sntrup761x25519-sha512@openssh.com', 'KexAlgorithms'],
    ['HostKeyAlgorithms sk-ssh-ed25519@openssh.com', 'HostKeyAlgorithms'],
  ])('names %s before it connects, and why', async (line, option) => {
    place.configure(`Host box\n  ${line}\n`);
    await expect(resolveTarget(connection(byAlias), env)).rejects.toMatchObject({
      code: 'connection.unsupported-option',
      details: { host: 'box', option, reason: expect.stringMatching(/\w{3}/) },
    });
  });

  it('needs no certificate where the connection states its own identity', async () => {
    place.configure('Host box\n  CertificateFile ~/.ssh/id-cert.pub\n');
    const target = await resolveTarget(connection(byAlias, { identityFile: '/keys/mine' }), env);
    expect(target.identityFiles).toEqual(['/keys/mine']);
  });

  it.each([true, false])('reads the remaining options alike with and without OpenSSH (%s)', async (installed) => {
    const key = place.put('mine.pub').replace(/\.pub$/, '');
    place.configure(
      [
        'Host box',
        '  HostKeyAlgorithms ecdsa-sha2-nistp256,ssh-ed25519',
        '  Ciphers aes256-ctr,3des-cbc,aes128-ctr',
        '  MACs umac-64@openssh.com,hmac-sha2-512',
        '  KexAlgorithms diffie-hellman-group16-sha512',
        '  PreferredAuthentications password,publickey',
        '  KbdInteractiveAuthentication no',
        '  BatchMode yes',
        '  ServerAliveInterval 5',
        '  ServerAliveCountMax 20',
        '  AddressFamily inet',
        '  BindAddress 127.0.0.1',
        '  IdentityFile %d/.ssh/mine',
        '',
      ].join('\n'),
    );
    expect(await resolveTarget(connection(byAlias), installed ? env : place.bare)).toMatchObject({
      hostKeyAlgorithms: ['ecdsa-sha2-nistp256', 'ssh-ed25519'],
      algorithms: { cipher: ['aes128-ctr', 'aes256-ctr'], hmac: ['hmac-sha2-512'], kex: ['diffie-hellman-group16-sha512'] },
      loginMethods: ['password', 'publickey'],
      asks: false,
      // Loss is noticed within a minute, whatever the configuration would bear.
      keepalive: { intervalMs: 5000, silentIntervals: 12 },
      route: { kind: 'direct', family: 4, bindAddress: '127.0.0.1' },
      identityFiles: [key],
      identitiesOnly: true,
    });
  });

  it('reads the files itself without OpenSSH, and names what only OpenSSH could decide', async () => {
    place.configure(`Host box\n  HostName %h.example\n  ProxyJump hop\nMatch host vpn exec "touch ${home}/ran"\n  Port 1\n`);
    const without = place.bare;
    expect(await resolveTarget(connection(byAlias), without)).toMatchObject({ host: 'box.example', route: { via: { host: 'hop' } } });
    await expect(resolveTarget(connection({ kind: 'alias', alias: 'vpn' }), without)).rejects.toMatchObject({
      code: 'connection.unsupported-option',
      details: { host: 'vpn', option: 'Match exec' },
    });
    expect(() => rmSync(join(home, 'ran'))).toThrow(/ENOENT/);
  });
});
