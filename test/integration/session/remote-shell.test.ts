import { startSshd } from '../../support/sshd';
import { describeSessions } from './suite';

describeSessions('sessions over a remote shell with GNU tools', () => startSshd(), { smallTeardown: true });
