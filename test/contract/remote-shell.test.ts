import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createRemoteShellEndpoint } from '../../electron/endpoints/remote-shell';
import { connectSsh } from '../../electron/ssh/client';
import type { SshConnection } from '../../electron/ssh/ssh-connection';
import { makeBusyboxPath } from '../support/busybox';
import { startSshd, type TestSshd } from '../support/sshd';
import type { SshdOptions } from '../support/sshd-config';
import { folderHome, makeTempFolder, removeTempFolder } from '../support/tree';
import { describeEndpoint } from './endpoint-contract';

/** Permissions do not bind root, so a `find` in front of the real one denies the folder named in a file. */
function makeDenyingFind(): string {
  const dir = mkdtempSync(join(tmpdir(), 'ebbgate-find-'));
  const script = `#!/bin/sh
denied=$(cat ${dir}/denied 2>/dev/null)
if [ -z "$denied" ]; then exec /usr/bin/find "$@"; fi
/usr/bin/find "$@" | grep -v " $denied/"
echo "find: '$denied': Permission denied" >&2
exit 1
`;
  writeFileSync(join(dir, 'find'), script, { mode: 0o755 });
  return dir;
}

function describeShell(name: string, options: () => SshdOptions, denyDir: string | null): void {
  let sshd: TestSshd;
  beforeAll(async () => {
    sshd = await startSshd(options());
  });
  afterAll(() => sshd.stop());
  describeEndpoint(name, {
    setUp: async () => {
      const parent = await makeTempFolder('shell');
      const root = join(parent, 'hermes');
      await mkdir(root);
      const connections: SshConnection[] = [];
      return {
        home: folderHome(root),
        open: async () => {
          const connection = await connectSsh(sshd.target(), { signal: AbortSignal.timeout(20_000), acceptHostKey: null });
          connections.push(connection);
          return createRemoteShellEndpoint({ connection, remoteHome: root, profile: null, clientId: 'laptop', inlineBytes: 0 });
        },
        withUnreadable: async (path, action) => {
          if (denyDir === null) throw new Error('not available here');
          writeFileSync(join(denyDir, 'denied'), path);
          return action().finally(() => rm(join(denyDir, 'denied')));
        },
        tearDown: async () => {
          for (const connection of connections) await connection.close();
          await removeTempFolder(parent);
        },
      };
    },
    sees: { stealthEdits: true, unreadable: denyDir === null ? 'the denying find stands before GNU tools only' : true, disk: true },
  });
}

const denyDir = makeDenyingFind();
const busyboxDir = makeBusyboxPath(mkdtempSync(join(tmpdir(), 'ebbgate-busybox-')));
afterAll(() => {
  for (const dir of [denyDir, busyboxDir]) if (existsSync(dir)) rmSync(dir, { recursive: true });
});

describeShell('remote shell with GNU tools', () => ({ path: `${denyDir}:/usr/bin:/bin` }), denyDir);
describeShell('remote shell with BusyBox tools', () => ({ path: busyboxDir, login: 'busybox' }), null);
