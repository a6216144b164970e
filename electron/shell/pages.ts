import { readFile } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import { contentTypes } from '../platform/content-types';

/** The scheme under which the window loads its own files, and nothing else. */
export const pageScheme = 'ebbgate';
/** What the window's page and everything it makes belong to. */
export const pageOrigin = `${pageScheme}://app`;
/** The window's page. */
export const pageUrl = `${pageOrigin}/index.html`;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Whether an address is the window's own page; the part after `#` may differ. */
export function isOwnPage(url: string): boolean {
  try {
    const { protocol, host, pathname } = new URL(url);
    return protocol === `${pageScheme}:` && host === 'app' && pathname === '/index.html';
  } catch {
    return false;
  }
}

/** The file an address stands for, or null when it is none of the window's. */
function fileFor(root: string, url: string): string | null {
  try {
    const { protocol, host, pathname } = new URL(url);
    if (protocol !== `${pageScheme}:` || host !== 'app') return null;
    const file = resolve(join(root, decodeURIComponent(pathname)));
    return file.startsWith(resolve(root) + sep) && !file.includes('\0') ? file : null;
  } catch {
    return null;
  }
}

/** Answers the window's requests from the built renderer, under a policy that allows nothing from elsewhere. */
export async function servePage(root: string, url: string): Promise<Response> {
  const file = fileFor(root, url);
  const type = file === null ? undefined : contentTypes[extname(file)];
  if (file === null || type === undefined) return new Response('not found', { status: 404 });
  try {
    const content = await readFile(file);
    const headers = { 'content-type': type, 'content-security-policy': policy, 'x-content-type-options': 'nosniff' };
    return new Response(new Uint8Array(content), { headers });
  } catch {
    // Absent or unreadable is the same to the page.
    return new Response('not found', { status: 404 });
  }
}
