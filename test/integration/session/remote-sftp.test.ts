import { startSshd } from '../../support/sshd';
import { describeSessions } from './suite';

describeSessions('sessions over SFTP alone', () => startSshd({ sftpOnly: true }), { smallTeardown: false });
