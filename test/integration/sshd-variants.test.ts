import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectSsh } from '../../electron/ssh/client';
import { makeBusyboxPath } from '../support/busybox';
import { startSshd } from '../support/sshd';
import type { SshdOptions } from '../support/sshd-config';

const never = new AbortController().signal;

describe('startSshd', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'ebbgate-variants-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  async function output(options: SshdOptions, command: string, withSftp = false): Promise<string> {
    const sshd = await startSshd(options);
    try {
      const connection = await connectSsh(sshd.target(), { signal: never, acceptHostKey: null });
      const channel = await connection.exec(command, { signal: never });
      channel.stdin.end();
      const printed = await text(channel.stdout);
      if (withSftp) {
        const sftp = await connection.sftp(never);
        expect(await new Promise((resolve, reject) => sftp.realpath('.', (error, path) => (error ? reject(error) : resolve(path))))).toBe(
          sshd.home,
        );
        sftp.end();
      }
      await connection.close();
      return printed;
    } finally {
      await sshd.stop();
    }
  }

  it('gives commands the home and the path it was told', async () => {
    const path = makeBusyboxPath(join(dir, 'bin'), ['tar']);
    const home = join(dir, 'home');
    mkdirSync(home);
    const printed = await output(
      { home, path },
      'printf "%s %s " "$HOME" "$PATH"; sed --help 2>&1 | head -n 1; command -v tar || echo none',
      true,
    );
    expect(printed).toMatch(new RegExp(`^${home} ${path} BusyBox .*\\nnone\\n$`));
  });

  it('runs commands under fish', async () => {
    expect(await output({ login: 'fish' }, 'set -l side remote; echo $side $FISH_VERSION', true)).toMatch(/^remote \d/);
  });

  it('runs commands under BusyBox', async () => {
    expect(await output({ login: 'busybox' }, 'help | grep -c .', true)).toMatch(/^[1-9]/);
  });

  it('prints text around every command of a noisy account', async () => {
    expect(await output({ login: 'noisy' }, 'echo answer')).toBe('Welcome. Quota: 40 % used.\nanswer\nremoving TMPDIR\n');
  });
});
