import { AppError } from '../../shared/errors';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'part of the path is a file, not a folder',
  EISDIR: 'there is a folder of that name',
  ENOENT: 'it does not exist',
  EIO: 'the disk reported an error',
  EMFILE: 'too many files are open',
};

/** The system's code of a failed call; empty when it has none. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A system failure on one of our own files, as the user should read it. An error that is ours already stays what it is. */
export function storeFailure(operation: string, file: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const reason = reasons[systemCode(cause)] ?? (cause instanceof Error ? cause.message : String(cause));
  return new AppError('store.failed', { operation, file, reason }, { cause });
}
