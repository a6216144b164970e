import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import type { SFTPWrapper } from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DemoServer, startDemoServer } from '../../electron/demo/server';
import { connectSsh } from '../../electron/ssh/client';
import type { SshConnection } from '../../electron/ssh/ssh-connection';
import { plainTarget } from '../support/target';

const never = new AbortController().signal;

function promised<T>(start: (done: (error: Error | null | undefined, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value))));
}

describe('the demo server', () => {
  let home: string;
  let server: DemoServer;
  let connection: SshConnection;

  beforeEach(async () => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'ebbgate-demo-')));
    server = await startDemoServer({ home });
    writeFileSync(join(home, 'key'), server.privateKey, { mode: 0o600 });
    const target = {
      host: server.host,
      port: server.port,
      user: server.username,
      identityFiles: [join(home, 'key')],
      knownHostsFiles: [join(home, 'known_hosts')],
      ...plainTarget,
    };
    connection = await connectSsh(target, { signal: never, acceptHostKey: server.hostKey });
  });
  afterEach(async () => {
    await connection.close();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('shows the host key it announces', () => {
    expect(connection.hostKey).toBe(server.hostKey);
  });

  it('runs a command in its home with no variables of this process', async () => {
    const command = await connection.exec('pwd; env | cut -d= -f1 | sort | tr "\\n" " "; echo oops >&2; exit 7', { signal: never });
    command.stdin.end();
    expect(await text(command.stdout)).toBe(`${home}\nHOME LOGNAME PATH PWD SHELL USER `);
    expect(await command.exit).toEqual({ code: 7, signal: null });
    expect(command.stderrText()).toBe('oops\n');
  });

  it('passes the end of input on and returns 3 MB unharmed', async () => {
    const input = Buffer.alloc(3_000_000, 'demo\n');
    const command = await connection.exec('cat', { signal: never });
    command.stdin.end(input);
    expect((await buffer(command.stdout)).equals(input)).toBe(true);
    expect(await command.exit).toEqual({ code: 0, signal: null });
  });

  it('reports the signal that ended a command', async () => {
    const command = await connection.exec('kill -TERM $$', { signal: never });
    command.stdout.resume();
    expect(await command.exit).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('hangs up a command whose channel is closed', async () => {
    const command = await connection.exec('trap "echo gone > hup; exit" HUP; echo ready; while :; do sleep 0.05; done', { signal: never });
    await new Promise((resolve) => command.stdout.once('data', resolve));
    command.close();
    const check = await connection.exec('until test -s hup; do sleep 0.05; done; cat hup', { signal: never });
    expect(await text(check.stdout)).toBe('gone\n');
  });

  it('serves files over SFTP, relative to its home', async () => {
    const sftp: SFTPWrapper = await connection.sftp(never);
    await promised<void>((done) => sftp.mkdir('notes', (error) => done(error, undefined)));
    await promised<void>((done) => sftp.writeFile('notes/a.md', 'hello', (error) => done(error, undefined)));
    await promised<void>((done) => sftp.rename('notes/a.md', 'notes/b.md', (error) => done(error, undefined)));
    const listed = await promised<readonly { readonly filename: string }[]>((done) => sftp.readdir('notes', done));
    expect(listed.map((entry) => entry.filename)).toEqual(['b.md']);
    expect(readFileSync(join(home, 'notes/b.md'), 'utf8')).toBe('hello');
    expect((await promised<Buffer>((done) => sftp.readFile('notes/b.md', done))).toString()).toBe('hello');
    expect(await promised<string>((done) => sftp.realpath('.', done))).toBe(home);
    await expect(promised((done) => sftp.stat('absent', done))).rejects.toMatchObject({ code: 2 });
    sftp.end();
  });

  it('turns away a key it did not make', async () => {
    const other = await startDemoServer({ home });
    writeFileSync(join(home, 'other-key'), other.privateKey, { mode: 0o600 });
    await other.stop();
    const target = { ...connection.target, identityFiles: [join(home, 'other-key')] };
    await expect(connectSsh(target, { signal: never, acceptHostKey: null })).rejects.toMatchObject({ code: 'ssh.auth-rejected' });
  });
});
