import type { SFTPWrapper } from 'ssh2';
import type { SshConnection } from '../../electron/ssh/ssh-connection';

/** The connection with each SFTP channel changed by the test before it is used. */
export function changeSftp(connection: SshConnection, change: (sftp: SFTPWrapper) => void): SshConnection {
  return {
    hostKey: connection.hostKey,
    target: connection.target,
    closed: connection.closed,
    wire: () => connection.wire(),
    exec: (command, options) => connection.exec(command, options),
    failure: () => connection.failure(),
    verify: (withinMs) => connection.verify(withinMs),
    close: () => connection.close(),
    sftp: async (signal) => {
      const sftp = await connection.sftp(signal);
      change(sftp);
      return sftp;
    },
  };
}

/** An error as the library makes it from a status reply. */
export function statusError(code: number, message: string): Error & { readonly code: number } {
  return Object.assign(new Error(message), { code });
}

/** Permissions do not bind root: the server's refusal to read a directory is put in its mouth. */
export function refuseReaddir(sftp: SFTPWrapper, refused: (path: string) => boolean): void {
  const readdir = sftp.readdir.bind(sftp) as (where: unknown, ...rest: unknown[]) => void;
  const replaced = (where: unknown, ...rest: unknown[]): void => {
    const done = rest.at(-1) as (error: Error) => void;
    if (typeof where === 'string' && refused(where)) setImmediate(() => done(statusError(3, 'Permission denied')));
    else readdir(where, ...rest);
  };
  Object.assign(sftp, { readdir: replaced });
}

/** Makes the server look as if it had not announced an extension. */
export function withoutExtension(sftp: SFTPWrapper, extension: string): void {
  const { _extensions: extensions } = sftp as SFTPWrapper & { readonly _extensions: Record<string, string> };
  delete extensions[extension];
}
