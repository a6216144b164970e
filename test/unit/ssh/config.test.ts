import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveTarget } from '../../../electron/ssh/config';
import { byAddress, byAlias, type ConfigPlace, connection, makeConfigPlace } from './config-place';

let place: ConfigPlace;
let home: string;
let env: Readonly<Record<string, string>>;

beforeEach(() => {
  place = makeConfigPlace();
  ({ home, env } = place);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('resolveTarget', () => {
  it('takes an alias apart as OpenSSH does, includes and patterns too', async () => {
    const key = place.put('special key');
    writeFileSync(join(home, '.ssh', 'more'), `Host b*\n  Port 2022\n  IdentitiesOnly yes\n  IdentityFile "${key}"\n`);
    place.configure(
      `Include ${home}/.ssh/more\nHost box\n  HostName 192.0.2.7\n  User bob\n  HostKeyAlias pinned\n  IdentityAgent "${home}/ag ent"\n`,
    );
    const target = await resolveTarget(connection(byAlias), env);
    expect(target).toMatchObject({
      host: '192.0.2.7',
      port: 2022,
      user: 'bob',
      identityFiles: [key],
      identitiesOnly: true,
      agentSockets: [`${home}/ag ent`],
      hostKeyAlias: 'pinned',
    });
    expect(target.knownHostsFiles[0]).toBe(join(home, '.ssh', 'known_hosts'));
  });

  it('lets what the connection states win over the configuration', async () => {
    place.configure(
      'Host *\n  HostName 192.0.2.99\n  Port 1\n  User eve\n  IdentityFile ~/.ssh/other\n  UserKnownHostsFile ~/.ssh/elsewhere\n',
    );
    place.put('other');
    const stated = { identityFile: '/keys/mine', knownHostsFile: '/keys/known' };
    expect(await resolveTarget(connection(byAddress, stated), env)).toMatchObject({
      host: '192.0.2.5',
      port: 2200,
      user: 'ann',
      identityFiles: ['/keys/mine'],
      identitiesOnly: true,
      knownHostsFiles: ['/keys/known'],
    });
  });

  it('uses the address, the agent and the usual keys that exist without a configuration', async () => {
    place.configure('Host *\n  User eve\n  ProxyJump bastion\n');
    const [rsa, ed] = [place.put('id_rsa'), place.put('id_ed25519')];
    const target = await resolveTarget(connection(byAddress, { useSshConfig: false }), { ...env, SSH_AUTH_SOCK: '/run/agent' });
    expect(target).toEqual({
      host: '192.0.2.5',
      port: 2200,
      user: 'ann',
      identityFiles: [ed, rsa],
      identitiesOnly: false,
      agentSockets: ['/run/agent'],
      knownHostsFiles: [join(home, '.ssh', 'known_hosts'), '/etc/ssh/ssh_known_hosts'],
      hostKeyAlias: null,
      hostKeyAlgorithms: null,
      algorithms: {},
      loginMethods: ['publickey', 'keyboard-interactive', 'password'],
      asks: true,
      keepalive: null,
      route: { kind: 'direct', family: 0, bindAddress: null },
    });
  });

  it('uses the address when OpenSSH is not installed', async () => {
    expect(await resolveTarget(connection(byAddress), place.bare)).toMatchObject({
      host: '192.0.2.5',
      port: 2200,
      user: 'ann',
    });
  });

  it('cannot resolve an alias while the configuration is switched off', async () => {
    await expect(resolveTarget(connection(byAlias, { useSshConfig: false }), env)).rejects.toMatchObject({
      code: 'connection.alias-unresolved',
    });
  });

  it('falls back to the person’s own name where none is stated', async () => {
    expect((await resolveTarget(connection(byAlias), env)).user).toBe(userInfo().username);
  });

  it('honours a proxy that is switched off', async () => {
    place.configure('Host box\n  ProxyJump none\nHost *\n  ProxyJump bastion\n');
    expect((await resolveTarget(connection(byAlias), env)).host).toBe('box');
  });

  it('uses no agent when the configuration says so, and the one a variable names', async () => {
    place.configure('Host box\n  IdentityAgent none\nHost vault\n  IdentityAgent $VAULT_SOCK\n');
    const withAgents = { ...env, SSH_AUTH_SOCK: '/run/agent', VAULT_SOCK: '/run/vault' };
    expect((await resolveTarget(connection(byAlias), withAgents)).agentSockets).toEqual([]);
    expect((await resolveTarget(connection({ kind: 'alias', alias: 'vault' }), withAgents)).agentSockets).toEqual(['/run/vault']);
  });

  it('quotes OpenSSH when the configuration is broken', async () => {
    place.configure('Host box\n  NoSuchOption yes\n');
    await expect(resolveTarget(connection(byAlias), env)).rejects.toMatchObject({
      code: 'connection.alias-unresolved',
      details: { reason: expect.stringMatching(/nosuchoption/i) },
    });
  });

  it.each(['-oProxyCommand=touch pwned', '', 'two words', 'line\nbreak'])('refuses %j as a name and runs nothing', async (alias) => {
    const bin = join(home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'ssh'), `#!/bin/sh\necho ran > ${home}/ran\n`);
    chmodSync(join(bin, 'ssh'), 0o755);
    await expect(resolveTarget(connection({ kind: 'alias', alias }), { ...env, PATH: bin })).rejects.toMatchObject({
      code: 'usage.invalid',
    });
    expect(() => rmSync(join(home, 'ran'))).toThrow(/ENOENT/);
  });

  it('reads several known-hosts files, also with blanks in their names', async () => {
    place.configure(`Host box\n  UserKnownHostsFile "${home}/my hosts" ~/.ssh/more_hosts\n  GlobalKnownHostsFile none\n`);
    const files = (await resolveTarget(connection(byAlias), env)).knownHostsFiles;
    expect(files).toEqual([`${home}/my hosts`, join(home, '.ssh', 'more_hosts')]);
  });
});
