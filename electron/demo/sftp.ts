import type { Stats } from 'node:fs';
import {
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rmdir,
  stat,
  symlink,
  unlink,
  utimes,
} from 'node:fs/promises';
import { resolve } from 'node:path';
import ssh2, { type Attributes, type SFTPWrapper } from 'ssh2';

const { flagsToString, STATUS_CODE } = ssh2.utils.sftp;

type Handle =
  | { readonly kind: 'file'; readonly file: FileHandle }
  | { readonly kind: 'folder'; readonly path: string; readonly names: string[] };

const maxReadBytes = 256 * 1024;
const namesPerReply = 200;

/** Serves SFTP from this computer's files; relative paths start at `home`. A rename replaces what is there, in one step. */
export function serveSftp(sftp: SFTPWrapper, home: string): void {
  const server = new SftpServer(sftp, home);
  server.listenForPaths();
  server.listenForHandles();
  // A client that breaks the protocol loses its channel, and that is all.
  sftp.on('error', () => undefined);
  sftp.on('close', () => void server.closeAll());
}

class SftpServer {
  private readonly handles = new Map<number, Handle>();
  private nextHandle = 0;

  constructor(
    private readonly sftp: SFTPWrapper,
    private readonly home: string,
  ) {}

  listenForPaths(): void {
    const { sftp } = this;
    const at = (path: string): string => resolve(this.home, path);
    sftp.on('REALPATH', (id, path) =>
      this.answer(id, async () => {
        const filename = await realpath(at(path));
        sftp.name(id, [{ filename, longname: filename, attrs: noAttributes }]);
      }),
    );
    sftp.on('STAT', (id, path) => this.answer(id, async () => sftp.attrs(id, attributes(await stat(at(path))))));
    sftp.on('LSTAT', (id, path) => this.answer(id, async () => sftp.attrs(id, attributes(await lstat(at(path))))));
    sftp.on('READLINK', (id, path) =>
      this.answer(id, async () => {
        const filename = await readlink(at(path));
        sftp.name(id, [{ filename, longname: filename, attrs: noAttributes }]);
      }),
    );
    sftp.on('SYMLINK', (id, target, link) => this.done(id, () => symlink(target, at(link))));
    sftp.on('MKDIR', (id, path, attrs) => this.done(id, () => mkdir(at(path), { mode: attrs.mode || 0o777 })));
    sftp.on('RMDIR', (id, path) => this.done(id, () => rmdir(at(path))));
    sftp.on('REMOVE', (id, path) => this.done(id, () => unlink(at(path))));
    sftp.on('RENAME', (id, from, to) => this.done(id, () => rename(at(from), at(to))));
    sftp.on('SETSTAT', (id, path, attrs) =>
      this.done(id, async () => {
        if (attrs.mode !== undefined) await chmod(at(path), attrs.mode & 0o7777);
        if (attrs.mtime !== undefined) await utimes(at(path), attrs.atime, attrs.mtime);
      }),
    );
    sftp.on('OPEN', (id, path, flags, attrs) =>
      this.answer(id, async () => {
        const file = await open(at(path), flagsToString(flags) ?? 'r', attrs.mode || 0o666);
        sftp.handle(id, this.keep({ kind: 'file', file }));
      }),
    );
    sftp.on('OPENDIR', (id, path) =>
      this.answer(id, async () => sftp.handle(id, this.keep({ kind: 'folder', path: at(path), names: await readdir(at(path)) }))),
    );
  }

  listenForHandles(): void {
    const { sftp } = this;
    sftp.on('FSTAT', (id, handle) => this.answer(id, async () => sftp.attrs(id, attributes(await this.file(handle).stat()))));
    sftp.on('FSETSTAT', (id, handle, attrs) =>
      this.done(id, async () => {
        const file = this.file(handle);
        if (attrs.mode !== undefined) await file.chmod(attrs.mode & 0o7777);
        if (attrs.size !== undefined) await file.truncate(attrs.size);
        if (attrs.mtime !== undefined) await file.utimes(attrs.atime, attrs.mtime);
      }),
    );
    sftp.on('READ', (id, handle, offset, length) =>
      this.answer(id, async () => {
        const chunk = Buffer.alloc(Math.min(length, maxReadBytes));
        const { bytesRead } = await this.file(handle).read(chunk, 0, chunk.length, offset);
        if (bytesRead > 0) sftp.data(id, chunk.subarray(0, bytesRead));
        else sftp.status(id, STATUS_CODE.EOF);
      }),
    );
    sftp.on('WRITE', (id, handle, offset, data) =>
      this.done(id, async () => {
        let written = 0;
        while (written < data.length) {
          written += (await this.file(handle).write(data, written, data.length - written, offset + written)).bytesWritten;
        }
      }),
    );
    sftp.on('READDIR', (id, handle) => this.answer(id, () => this.listFolder(id, handle)));
    sftp.on('CLOSE', (id, handle) =>
      this.done(id, async () => {
        const held = this.held(handle);
        this.handles.delete(handle.readUInt32BE(0));
        if (held.kind === 'file') await held.file.close();
      }),
    );
  }

  async closeAll(): Promise<void> {
    const held = [...this.handles.values()];
    this.handles.clear();
    for (const handle of held) {
      // Nobody is left to be told that closing failed.
      if (handle.kind === 'file') await handle.file.close().catch(() => undefined);
    }
  }

  private async listFolder(id: number, handle: Buffer): Promise<void> {
    const folder = this.held(handle);
    if (folder.kind !== 'folder') throw new Error('not a folder');
    const part = folder.names.splice(0, namesPerReply);
    if (part.length === 0) return void this.sftp.status(id, STATUS_CODE.EOF);
    const entries = [];
    for (const name of part) {
      // An entry that vanished since the folder was read is left out.
      const found = await lstat(`${folder.path}/${name}`).catch(() => null);
      if (found) entries.push({ filename: name, longname: name, attrs: attributes(found) });
    }
    this.sftp.name(id, entries);
  }

  private keep(handle: Handle): Buffer {
    const id = Buffer.alloc(4);
    id.writeUInt32BE(this.nextHandle);
    this.handles.set(this.nextHandle, handle);
    this.nextHandle += 1;
    return id;
  }

  private held(handle: Buffer): Handle {
    const held = handle.length === 4 ? this.handles.get(handle.readUInt32BE(0)) : undefined;
    if (!held) throw new Error('unknown handle');
    return held;
  }

  private file(handle: Buffer): FileHandle {
    const held = this.held(handle);
    if (held.kind !== 'file') throw new Error('not a file');
    return held.file;
  }

  private done(id: number, action: () => Promise<unknown>): void {
    this.answer(id, async () => {
      await action();
      this.sftp.status(id, STATUS_CODE.OK);
    });
  }

  private answer(id: number, action: () => Promise<unknown>): void {
    action().catch((error: NodeJS.ErrnoException) => this.sftp.status(id, statusFor(error.code), error.message));
  }
}

function statusFor(code: string | undefined): number {
  if (code === 'ENOENT' || code === 'ENOTDIR') return STATUS_CODE.NO_SUCH_FILE;
  return code === 'EACCES' || code === 'EPERM' ? STATUS_CODE.PERMISSION_DENIED : STATUS_CODE.FAILURE;
}

const noAttributes: Attributes = { mode: 0, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };

function attributes(stats: Stats): Attributes {
  const seconds = (ms: number): number => Math.floor(ms / 1000);
  return {
    mode: stats.mode,
    uid: stats.uid,
    gid: stats.gid,
    size: stats.size,
    atime: seconds(stats.atimeMs),
    mtime: seconds(stats.mtimeMs),
  };
}
