import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { makeBusyboxPath } from '../../support/busybox';
import { startSshd } from '../../support/sshd';
import { describeSessions } from './suite';

const applets = mkdtempSync(join(tmpdir(), 'ebbgate-busybox-'));
afterAll(() => rmSync(applets, { recursive: true }));

describeSessions(
  'sessions over a remote shell with BusyBox tools',
  () => startSshd({ login: 'busybox', path: makeBusyboxPath(join(applets, 'bin')) }),
  { smallTeardown: true },
);
