import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How the remote account behaves; the machine's own accounts and files stay untouched. */
export interface SshdOptions {
  /** Lines put before the fixture's own, so that they win. */
  readonly extraConfig?: readonly string[];
  /** `$HOME` of every command and the start folder of SFTP; an empty temporary folder when left out. The working folder of a command stays the account's real home. */
  readonly home?: string;
  /** `$PATH` of every command. */
  readonly path?: string;
  /** Every command is answered by SFTP alone. */
  readonly sftpOnly?: boolean;
  /** No SFTP subsystem. */
  readonly noSftp?: boolean;
  /**
   * What stands between the client and its command: another login shell (`fish`, `csh`, `busybox`), an account without rights (`unprivileged`), a start-up file that prints text
   * before and after (`noisy`), or an account that ends at once (`closed`).
   */
  readonly login?: 'fish' | 'csh' | 'busybox' | 'noisy' | 'closed' | 'unprivileged';
}

/** The same, once it is known where the account's home is. */
export type LaunchOptions = SshdOptions & { readonly home: string };

const sftpServerPath = ['/usr/lib/openssh/sftp-server', '/usr/libexec/sftp-server', '/usr/lib/ssh/sftp-server'].find((file) =>
  existsSync(file),
);

/** The server's configuration, line by line; a login script is written beside it. */
export function configuration(dir: string, port: number, options: LaunchOptions): string[] {
  const setEnv = [`"HOME=${options.home}"`, ...(options.path === undefined ? [] : [`"PATH=${options.path}"`])].join(' ');
  const startFolder = ` -d ${options.home}`;
  const subsystem = options.login === undefined ? 'internal-sftp' : sftpServerPath;
  return [
    ...(options.extraConfig ?? []),
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    'AddressFamily inet',
    `HostKey ${join(dir, 'host_ed25519')}`,
    `HostKey ${join(dir, 'host_ecdsa')}`,
    `PidFile ${join(dir, 'sshd.pid')}`,
    `AuthorizedKeysFile ${join(dir, 'authorized_keys')}`,
    'StrictModes no',
    'UsePAM no',
    'PubkeyAuthentication yes',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'PrintMotd no',
    'PrintLastLog no',
    'UseDNS no',
    'LogLevel VERBOSE',
    'MaxStartups 100:30:200',
    `SetEnv ${setEnv}`,
    ...(options.noSftp ? [] : [`Subsystem sftp ${subsystem}${startFolder}`]),
    ...(options.sftpOnly ? [`ForceCommand internal-sftp${startFolder}`] : []),
    ...(options.login === undefined ? [] : [`ForceCommand ${loginScript(dir, options.login)}`]),
    '',
  ];
}

// A forced command gets the client's command as text and hands it to a shell, which is what sshd does with a login shell.
function loginScript(dir: string, login: NonNullable<SshdOptions['login']>): string {
  const busybox = existsSync('/usr/bin/busybox') ? '/usr/bin/busybox' : '/bin/busybox';
  const bodies = {
    csh: 'exec /bin/tcsh -c "$SSH_ORIGINAL_COMMAND"',
    unprivileged: 'exec setpriv --reuid=65534 --regid=65534 --clear-groups /bin/sh -c "$SSH_ORIGINAL_COMMAND"',
    fish: 'exec /usr/bin/fish -c "$SSH_ORIGINAL_COMMAND"',
    busybox: `exec ${busybox} sh -c "$SSH_ORIGINAL_COMMAND"`,
    noisy: 'echo "Welcome. Quota: 40 % used."\n/bin/sh -c "$SSH_ORIGINAL_COMMAND"\nstatus=$?\necho "removing TMPDIR"\nexit $status',
    closed: 'echo "This account is currently not available."\nexit 1',
  } as const;
  const file = join(dir, 'login.sh');
  writeFileSync(file, `#!/bin/sh\n${bodies[login]}\n`);
  chmodSync(file, 0o755);
  return file;
}
