import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { contentTypes } from '../platform/content-types';
import { sendText } from './respond';

/** Path segments of a request, or null when it is not properly encoded or could leave the folder. */
export function parsePath(pathname: string): readonly string[] | null {
  const segments: string[] = [];
  for (const raw of pathname.split('/').slice(1)) {
    let segment: string;
    try {
      segment = decodeURIComponent(raw);
    } catch {
      return null; // not an encoding of anything: the caller answers 400
    }
    if (segment === '..' || segment === '.' || /[\0/\\:]/.test(segment)) return null;
    segments.push(segment);
  }
  return segments;
}

/** The file to send: a plain file below `rendererDir` once links are followed; null when there is none. */
async function findFile(
  rendererDir: string,
  segments: readonly string[],
): Promise<{ readonly path: string; readonly size: number } | null> {
  try {
    const base = await realpath(rendererDir);
    const path = await realpath(join(base, ...segments));
    if (!path.startsWith(base + sep)) return null;
    const found = await stat(path);
    return found.isFile() ? { path, size: found.size } : null;
  } catch {
    return null; // not there or not readable: both are "no such page" to the outside
  }
}

/** Answers with a file of the built renderer, and with nothing else on the disk. */
export async function sendStaticFile(rendererDir: string, pathname: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return sendText(res, 405, 'This address can only be read.');
  const segments = parsePath(pathname === '/' ? '/index.html' : pathname);
  if (segments === null) return sendText(res, 400, 'This address is not valid.');
  const file = await findFile(rendererDir, segments);
  if (file === null) return sendText(res, 404, 'There is no such page.');
  res.writeHead(200, { 'content-type': contentTypes[extname(file.path)] ?? 'application/octet-stream', 'content-length': file.size });
  if (req.method === 'HEAD') return void res.end();
  await pipeline(createReadStream(file.path), res);
}
