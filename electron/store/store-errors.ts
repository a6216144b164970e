import { AppError } from '../../shared/errors';
import { causePhrases } from '../../shared/phrases/causes';

const reasons: Readonly<Record<string, string>> = {
  EACCES: causePhrases.denied,
  EPERM: causePhrases.denied,
  EROFS: causePhrases['disk-read-only'],
  ENOSPC: causePhrases['disk-full'],
  EDQUOT: causePhrases['quota-used'],
  ENOTDIR: causePhrases['part-no-folder'],
  EISDIR: causePhrases['folder-of-name'],
  ENOENT: causePhrases['not-existing'],
  EIO: causePhrases['disk-error'],
  EMFILE: causePhrases['too-many-open'],
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
