import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SFTPWrapper } from 'ssh2';
import { afterAll, beforeAll } from 'vitest';
import { createSftpEndpoint } from '../../electron/endpoints/remote-sftp';
import { connectSsh } from '../../electron/ssh/client';
import type { SshConnection } from '../../electron/ssh/ssh-connection';
import { changeSftp, refuseReaddir, withoutExtension } from '../support/sftp-faults';
import { startSshd, type TestSshd } from '../support/sshd';
import { folderHome, makeTempFolder, removeTempFolder } from '../support/tree';
import type { ContractSide } from './contract-side';
import { describeEndpoint } from './endpoint-contract';

let sshd: TestSshd;
beforeAll(async () => {
  sshd = await startSshd({ sftpOnly: true });
});
afterAll(() => sshd.stop());

async function setUp(change: (sftp: SFTPWrapper) => void = () => undefined): Promise<ContractSide> {
  const parent = await makeTempFolder('sftp');
  const root = join(parent, 'hermes');
  await mkdir(root);
  const connections: SshConnection[] = [];
  let unreadable: string | null = null;
  // The protocol tells whole seconds, so time passes on the endpoint's clock instead of the test's.
  let later = 0;
  return {
    home: {
      ...folderHome(root),
      settle: async () => {
        later += 5000;
      },
    },
    open: async () => {
      // A connection each, as each run has its own; a server gives two channels at a time.
      const connection = await connectSsh(sshd.target(), { signal: AbortSignal.timeout(20_000), acceptHostKey: null });
      connections.push(connection);
      const changed = changeSftp(connection, (sftp) => {
        change(sftp);
        refuseReaddir(sftp, (path) => path === unreadable);
      });
      return createSftpEndpoint({
        connection: changed,
        remoteHome: root,
        profile: null,
        clientId: 'laptop',
        now: () => Date.now() + later,
      });
    },
    withUnreadable: async (path, action) => {
      unreadable = `${root}/${path}`;
      return action().finally(() => {
        unreadable = null;
      });
    },
    tearDown: async () => {
      for (const connection of connections) await connection.close();
      await removeTempFolder(parent);
    },
  };
}

const sees = { stealthEdits: 'SFTP tells size and whole seconds and nothing better', unreadable: true, disk: true } as const;

describeEndpoint('remote SFTP', { setUp, sees });
describeEndpoint('remote SFTP without a replacing rename', {
  setUp: () => setUp((sftp) => withoutExtension(sftp, 'posix-rename@openssh.com')),
  sees,
});
