import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseAgents } from '../../../electron/ssh/agent-choice';

const pipe = '\\\\.\\pipe\\openssh-ssh-agent';
const home = '/home/ann';
const socket = { SSH_AUTH_SOCK: '/run/agent' };
const gitBash = { SSH_AUTH_SOCK: '/tmp/ssh-x/agent.1' };
const own = { MY_AGENT: '/run/mine' };

describe('chooseAgents', () => {
  it.each<readonly [string, NodeJS.Platform, string | null, Readonly<Record<string, string>>, readonly string[]]>([
    ['nothing said, no variable', 'linux', null, {}, []],
    ['nothing said, the variable is set', 'linux', null, socket, ['/run/agent']],
    ['nothing said, the variable is empty', 'darwin', null, { SSH_AUTH_SOCK: '' }, []],
    ['the variable by name', 'darwin', 'SSH_AUTH_SOCK', socket, ['/run/agent']],
    ['a socket of its own replaces the variable', 'linux', '/run/1password.sock', socket, ['/run/1password.sock']],
    ['a socket below the home', 'darwin', '~/Library/agent.sock', {}, [join(home, 'Library/agent.sock')]],
    ['another variable', 'linux', '$MY_AGENT', own, ['/run/mine']],
    ['another variable in braces', 'linux', ['$', '{MY_AGENT}'].join(''), own, ['/run/mine']],
    ['a variable that is not set', 'linux', '$MY_AGENT', socket, []],
    ['none', 'linux', 'none', socket, []],
    ['a file that has the name of PuTTY’s agent', 'linux', 'pageant', {}, ['pageant']],
    ['both kinds on Windows', 'win32', null, {}, [pipe, 'pageant']],
    ['both kinds on Windows, the variable by name', 'win32', 'SSH_AUTH_SOCK', {}, [pipe, 'pageant']],
    ['the variable on Windows, as Git Bash sets it', 'win32', null, gitBash, ['/tmp/ssh-x/agent.1']],
    ['the variable on Windows, as a pipe', 'win32', null, { SSH_AUTH_SOCK: pipe }, [pipe]],
    ['a pipe on Windows', 'win32', '\\\\.\\pipe\\1password', {}, ['\\\\.\\pipe\\1password']],
    ['PuTTY alone on Windows', 'win32', 'Pageant', gitBash, ['pageant']],
    ['none on Windows', 'win32', 'None', {}, []],
  ])('%s (%s)', (_case, platform, identityAgent, env, agents) => {
    expect(chooseAgents(identityAgent, { platform, env, home })).toEqual(agents);
  });
});
