import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectSsh } from '../../electron/ssh/client';
import { startSshd, type TestSshd } from '../support/sshd';

const never = new AbortController().signal;
const plain = { signal: never, acceptHostKey: null };

describe('connectSsh', () => {
  let sshd: TestSshd;
  let home: string;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'ebbgate-home-'));
    sshd = await startSshd({ home });
  });
  afterAll(async () => {
    await sshd.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('connects with a key file and runs a command', async () => {
    const connection = await connectSsh(sshd.target(), plain);
    const command = await connection.exec('printf out; printf err >&2; printf "%s" "$HOME" >&2; exit 3', { signal: never });
    expect(await text(command.stdout)).toBe('out');
    expect(await command.exit).toEqual({ code: 3, signal: null });
    expect(command.stderrText()).toBe(`err${home}`);
    expect(connection.hostKey).toBe(sshd.fingerprint());
    await connection.close();
    expect(await connection.closed).toBeNull();
  });

  it('carries input and 5 MB of output unharmed', async () => {
    const connection = await connectSsh(sshd.target(), plain);
    const input = Buffer.alloc(5_000_000, 'abcdefg\n');
    const command = await connection.exec('cat', { signal: never });
    command.stdin.end(input);
    expect((await buffer(command.stdout)).equals(input)).toBe(true);
    expect(await command.exit).toEqual({ code: 0, signal: null });
    await connection.close();
  });
});
