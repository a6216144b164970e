import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfigLines } from '../../../electron/ssh/config-files';
import { type ConfigRequest, valuesFor } from '../../../electron/ssh/config-values';
import { listAliases } from '../../../electron/ssh/known-aliases';
import { makeTempFolder, removeTempFolder, writeTree } from '../../support/tree';

let home: string;
beforeEach(async () => {
  home = await makeTempFolder('ssh-config');
});
afterEach(() => removeTempFolder(home));

const configure = (files: Readonly<Record<string, string>>) =>
  writeTree(home, Object.fromEntries(Object.entries(files).map(([name, text]) => [`.ssh/${name}`, text])));
async function values(name: string, changes: Partial<ConfigRequest> = {}): Promise<Readonly<Record<string, unknown>>> {
  const lines = await readConfigLines(join(home, '.ssh/config'), home);
  const found = valuesFor(lines, { name, user: null, port: null, localUser: 'me', ...changes });
  return { ...Object.fromEntries(found.values), undecided: found.undecided };
}

describe('the configuration without OpenSSH', () => {
  it('takes the first value of each keyword, and every identity file', async () => {
    await configure({
      config:
        'Host box b?x\n  Port 2022\n  IdentityFile "~/my key"\nHost * !other\n  Port=22\n  IdentityFile two\n  ProxyCommand nc "%h" %p\n',
    });
    expect(await values('box')).toEqual({
      port: ['2022'],
      identityfile: ['~/my key', 'two'],
      proxycommand: ['nc "%h" %p'],
      undecided: null,
    });
    expect(await values('other')).toEqual({ undecided: null });
  });

  it('follows includes: relative to ~/.ssh, with patterns, inside blocks, and each circle once', async () => {
    await configure({
      config: 'Include conf.d/*.conf missing\nHost box\n  Include inner\nHost *\n  User last\n',
      'conf.d/10.conf': 'Host box\n  HostName ten\n',
      'conf.d/20.conf': 'Host box\n  HostName twenty\n  Port 20\n',
      'conf.d/.hidden.conf': 'Host box\n  HostName hidden\n',
      inner: 'User inner\nInclude config\nHost elsewhere\n  Compression yes\n',
    });
    expect(await values('box')).toEqual({ hostname: ['ten'], port: ['20'], user: ['inner'], undecided: null });
    expect(await values('elsewhere')).toEqual({ user: ['last'], undecided: null });
  });

  it('decides what Match says about host and user', async () => {
    await configure({
      config:
        'Host box\n  HostName box.example\nMatch host *.example user bob\n  Port 1\nMatch originalhost box !localuser me\n  Port 2\nMatch all\n  Port 3\n',
    });
    expect((await values('box', { user: 'bob' })).port).toEqual(['1']);
    expect((await values('box', { localUser: 'you' })).port).toEqual(['2']);
    expect((await values('box')).port).toEqual(['3']);
  });

  it('runs no command of a Match, and names it where the rest of the line would apply', async () => {
    const ran = join(home, 'ran');
    await configure({ config: `Match host vpn exec "touch ${ran}"\n  Port 1\nMatch host other exec "touch ${ran}"\n  Port 2\n` });
    expect(await values('vpn')).toEqual({ undecided: 'Match exec' });
    expect(await values('box')).toEqual({ undecided: null });
    expect(existsSync(ran)).toBe(false);
  });
});

describe('listAliases', () => {
  it('lists plain names with what they stand for, also from included files', async () => {
    await configure({
      config: 'Include more\nHost box *.example !no\n  HostName %h.example\n  User bob\n  Port 2022\nHost *\n  User all\n',
      more: 'Host far\n  HostName 192.0.2.9\n',
    });
    expect(await listAliases(home)).toEqual([
      { alias: 'far', file: join(home, '.ssh/more'), hostName: '192.0.2.9', user: 'all', port: 22 },
      { alias: 'box', file: join(home, '.ssh/config'), hostName: 'box.example', user: 'bob', port: 2022 },
    ]);
  });

  it('finds none without a configuration', async () => {
    expect(await listAliases(home)).toEqual([]);
  });
});
