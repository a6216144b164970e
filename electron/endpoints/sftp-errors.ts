import { AppError } from '../../shared/errors';
import { plainReason } from '../ssh/ssh-errors';

/** Status codes of SFTP replies that mean something to us; 14 and 15 come from servers that speak newer drafts. */
export const sftpStatus = { missing: 2, denied: 3, failure: 4, unsupported: 8, exists: 11, noSpace: 14, quota: 15 } as const;

/** The status with which the server refused a request; null when the error is none of the server's. */
export function sftpStatusOf(error: unknown): number | null {
  if (error instanceof AppError || !(error instanceof Error)) return null;
  const { code } = error as Error & { readonly code?: unknown };
  return typeof code === 'number' ? code : null;
}

/** The server's words for one path's failure; anything that is no refusal of a request is thrown again. */
export function refusalOf(error: unknown): string {
  if (sftpStatusOf(error) === null) throw error;
  return plainReason(error);
}

/** True when the server says itself that there is no room. OpenSSH only says "Failure"; its caller asks for the free space. */
export function saysFull(error: unknown): boolean {
  const status = sftpStatusOf(error);
  if (status === sftpStatus.noSpace || status === sftpStatus.quota) return true;
  // Servers of older drafts have no status for it and put the system's words behind the general one.
  return status === sftpStatus.failure && /no space|disk full|quota/i.test(plainReason(error));
}

/** A refused request that ends the whole operation, as one of our codes. */
export function translateSftpError(error: unknown, operation: string, path: string): AppError {
  if (error instanceof AppError) return error;
  const said = plainReason(error);
  if (saysFull(error)) return new AppError('remote.disk-full', { path, said }, { cause: error });
  return new AppError('remote.failed', { operation, path, said }, { cause: error });
}
