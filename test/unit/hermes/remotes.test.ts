import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readHermesRemotes } from '../../../electron/hermes/remotes';
import { makeTempFolder, removeTempFolder, writeTree } from '../../support/tree';

let home: string;
beforeEach(async () => {
  home = await makeTempFolder('hermes-remotes');
});
afterEach(() => removeTempFolder(home));

describe('readHermesRemotes', () => {
  it('reads the terminal settings of config.yaml', async () => {
    await writeTree(home, {
      'config.yaml':
        'model: x\nterminal:\n  backend: ssh # remote\n  ssh_host: box.example\n  ssh_user: ann\n  ssh_port: 2222\n  ssh_key: ~/.ssh/box\n',
    });
    expect(await readHermesRemotes(home, {})).toEqual({
      remotes: [{ file: `${home}/config.yaml`, profile: null, host: 'box.example', user: 'ann', port: 2222, key: '~/.ssh/box' }],
      notes: [],
    });
  });

  it('reads .env, lets config.yaml win, and fills in variables', async () => {
    await writeTree(home, {
      'config.yaml': 'terminal:\n  ssh_user: yaml\n',
      '.env': `# mine\nexport TERMINAL_ENV="ssh"\nTERMINAL_SSH_HOST=$\{BOX}.example # here\nTERMINAL_SSH_USER=dotenv\nTERMINAL_SSH_KEY=$\{HOME}/k\nBOX=build\n`,
    });
    const { remotes } = await readHermesRemotes(home, { HOME: '/home/ann' });
    expect(remotes).toEqual([{ file: `${home}/.env`, profile: null, host: 'build.example', user: 'yaml', port: null, key: '/home/ann/k' }]);
  });

  it('names the remotes of profiles, and none of a home that works elsewhere', async () => {
    await writeTree(home, {
      'config.yaml': 'terminal:\n  backend: docker\n  ssh_host: old.example\n',
      'profiles/work/config.yaml': 'terminal: {backend: ssh, ssh_host: work.example}\n',
    });
    const { remotes } = await readHermesRemotes(home, {});
    expect(remotes.map(({ profile, host }) => [profile, host])).toEqual([['work', 'work.example']]);
  });

  it('says which file it does not understand, and reads the others', async () => {
    await writeTree(home, {
      'config.yaml': 'terminal: [unclosed\n',
      '.env': 'TERMINAL_ENV=ssh\nTERMINAL_SSH_HOST=box\n',
    });
    const { remotes, notes } = await readHermesRemotes(home, {});
    expect(remotes.map(({ host }) => host)).toEqual(['box']);
    expect(notes).toEqual([expect.stringContaining(`${home}/config.yaml could not be understood`)]);
  });
});
