import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';

const socketName = 'owner.sock';
/** The longest path of a local socket, in bytes, without the zero at its end. */
const longest = process.platform === 'linux' ? 107 : 103;

/** Where the owner of a data folder listens: in the folder, or under a hashed name in the runtime folder when that path is too long. */
export function ownerSocketPath(dataDir: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 20);
  if (process.platform === 'win32') return `\\\\.\\pipe\\ebbgate-${hash}`;
  const inside = join(dataDir, socketName);
  if (Buffer.byteLength(inside) <= longest) return inside;
  const runtime = join(env.XDG_RUNTIME_DIR ?? tmpdir(), `ebbgate-${userInfo().uid}`, `${hash}.sock`);
  return Buffer.byteLength(runtime) <= longest ? runtime : join('/tmp', `ebbgate-${userInfo().uid}`, `${hash}.sock`);
}

/** Whether others may write where the socket lies, so that its owner has to be looked at. A data folder is the user's own choice. */
export function isInSharedFolder(path: string): boolean {
  return process.platform !== 'win32' && basename(path) !== socketName;
}
