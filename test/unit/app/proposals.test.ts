import { describe, expect, it } from 'vitest';
import { type KnownAlias, type ProposalSources, proposeConnections } from '../../../electron/app/proposals';
import type { HermesRemote } from '../../../electron/hermes/remotes';
import type { Connection } from '../../../shared/connection';

const alias = (name: string, changes: Partial<KnownAlias> = {}): KnownAlias => ({
  ...{ alias: name, file: '/home/ann/.ssh/config', hostName: `${name}.example`, user: null, port: 22 },
  ...changes,
});
const remote = (changes: Partial<HermesRemote> = {}): HermesRemote => ({
  ...{ file: '/h/config.yaml', profile: null, host: 'box', user: null, port: null, key: null },
  ...changes,
});
const saved = (changes: Partial<Connection>): Connection => ({ name: 'saved', profile: null, ...changes }) as Connection;
const propose = (sources: Partial<ProposalSources>) =>
  proposeConnections({ aliases: [], hermes: [], saved: [], localHome: '/h', localUser: 'ann', ...sources });

describe('proposeConnections', () => {
  it('proposes every alias but those of forges', () => {
    const aliases = [alias('box'), alias('code', { hostName: 'github.com' }), alias('pub', { user: 'git' })];
    expect(propose({ aliases })).toEqual([
      {
        origin: 'ssh-config',
        file: '/home/ann/.ssh/config',
        connection: { name: 'box', address: { kind: 'alias', alias: 'box' }, localHome: '/h' },
        savedAs: null,
      },
    ]);
  });

  it('lets the remote of Hermes stay an alias while both agree, and proposes it once', () => {
    const proposals = propose({ aliases: [alias('box', { user: 'bob' })], hermes: [remote({ user: 'bob', key: '~/.ssh/k' })] });
    expect(proposals.map(({ origin, connection }) => [origin, connection.address, connection.identityFile])).toEqual([
      ['hermes', { kind: 'alias', alias: 'box' }, '~/.ssh/k'],
    ]);
  });

  it('makes an address of it where user or port differ, with the real name of the machine', () => {
    const [proposal] = propose({ aliases: [alias('box')], hermes: [remote({ port: 2222 })] });
    expect(proposal?.connection.address).toEqual({ kind: 'address', user: 'ann', host: 'box.example', port: 2222 });
  });

  it('keeps profiles apart', () => {
    const proposals = propose({ hermes: [remote(), remote({ profile: 'work' })] });
    expect(proposals.map(({ connection }) => [connection.name, connection.profile])).toEqual([
      ['box', undefined],
      ['box work', 'work'],
    ]);
  });

  it('names the saved connection that leads there, and a free name where one is taken', () => {
    const aliases = [alias('box'), alias('other')];
    const known = [
      saved({ name: 'mine', address: { kind: 'alias', alias: 'box' } }),
      saved({ name: 'Other', address: { kind: 'alias', alias: 'x' } }),
    ];
    expect(propose({ aliases, saved: known }).map(({ connection, savedAs }) => [connection.name, savedAs])).toEqual([
      ['mine', 'mine'],
      ['other 2', null],
    ]);
  });
});
