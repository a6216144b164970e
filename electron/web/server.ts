import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AppError, toWireError } from '../../shared/errors';
import type { Host } from '../ipc/host';
import { answerRequest } from './api';
import { createEventStreams, type EventStreams } from './event-stream';
import { createWebKeys, type WebKeys } from './keys';
import { sendEnvelope, sendError, sendText, setCommonHeaders } from './respond';
import { sendStaticFile } from './static-files';

export interface WebHostOptions {
  readonly host: Host;
  /** Folder of the built renderer, with `index.html` in it. */
  readonly rendererDir: string;
  /** Left out or 0: any free port. */
  readonly port?: number | undefined;
}

export interface WebHost {
  /** The address to open; works once. */
  readonly url: string;
  readonly origin: string;
  /** Ends every stream and connection. Idempotent. */
  close(): Promise<void>;
}

interface Context {
  readonly host: Host;
  readonly rendererDir: string;
  readonly origin: string;
  readonly keys: WebKeys;
  readonly events: EventStreams;
}

/** Why a request is turned away before anything looks at it: a foreign name for this address, or another site's page asking. */
function turnedAway(req: IncomingMessage, origin: string): 421 | 403 | null {
  // a name that someone else's DNS points at this computer arrives with that name in Host
  if (`http://${req.headers.host}` !== origin) return 421;
  const site = req.headers['sec-fetch-site'];
  const foreign = site === 'cross-site' || site === 'same-site'; // "same-site" is another port of this computer
  const reading = req.method === 'GET' || req.method === 'HEAD';
  if (!reading && (req.headers.origin !== origin || foreign)) return 403;
  if (foreign && (req.url ?? '').startsWith('/api/')) return 403;
  return null;
}

const signIn =
  'This window needs its key. Open the address that Ebbgate printed; it works once. Start "ebbgate serve" again for a new one.';

function refuse(res: ServerResponse, status: 401 | 403 | 421, isApi: boolean): void {
  if (status === 421) sendText(res, status, 'This address belongs to Ebbgate on this computer only. Use 127.0.0.1.');
  else if (status === 403) sendText(res, status, 'Only the Ebbgate window may ask this. Nothing was done.');
  else if (isApi) sendError(res, status, 'web.signed-out', {});
  else sendText(res, status, signIn);
}

async function answer(context: Context, req: IncomingMessage, res: ServerResponse): Promise<void> {
  setCommonHeaders(res);
  const target = req.url ?? '';
  if (!target.startsWith('/')) return sendText(res, 400, 'This address is not valid.');
  const mark = target.indexOf('?');
  const pathname = mark < 0 ? target : target.slice(0, mark);
  const isApi = pathname.startsWith('/api/');

  const status = turnedAway(req, context.origin);
  if (status !== null) return refuse(res, status, isApi);

  const admitted = context.keys.admits(req.headers.cookie);
  const token = mark < 0 ? null : new URLSearchParams(target.slice(mark + 1)).get('token');
  if (pathname === '/' && token !== null && req.method === 'GET') {
    // a reload of the first address, with the cookie there already, only loses the used token from the address bar
    if (admitted) return void res.writeHead(302, { location: '/' }).end();
    const cookie = context.keys.redeem(token);
    if (cookie !== null) return void res.writeHead(302, { location: '/', 'set-cookie': cookie }).end();
  }
  if (!admitted) return refuse(res, 401, isApi);

  if (pathname === '/api/events' && req.method === 'GET') return context.events.open(res);
  if (!isApi) return sendStaticFile(context.rendererDir, pathname, req, res);
  if (req.method !== 'POST') return sendError(res, 405, 'web.bad-request', { what: 'requests are sent with POST' });
  return answerRequest(context.host, pathname.slice('/api/'.length), req, res);
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  }).catch((cause: unknown) => {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new AppError('web.port', { port, reason }, { cause });
  });
  return (server.address() as AddressInfo).port;
}

/** Serves the built renderer and the contract on this computer alone, behind an address that works once. */
export async function startWebHost({ host, rendererDir, port = 0 }: WebHostOptions): Promise<WebHost> {
  const index = join(rendererDir, 'index.html');
  if (!existsSync(index)) throw new AppError('web.not-built', { path: index });

  let context: Context | null = null;
  const server = createServer((req, res) => {
    if (context === null) return void res.destroy(); // between listen and the next line
    answer(context, req, res).catch((error: unknown) => {
      // the window went away in the middle of an answer, or a part of ours threw: either way no stack leaves this process
      if (res.headersSent || res.destroyed) res.destroy();
      else sendEnvelope(res, 500, { ok: false, error: toWireError(error) });
    });
  });
  const bound = await listen(server, port);
  const origin = `http://127.0.0.1:${bound}`;
  const keys = createWebKeys(bound);
  const events = createEventStreams(host);
  context = { host, rendererDir, origin, keys, events };

  let closing: Promise<void> | null = null;
  const close = () => {
    events.close();
    return new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  return {
    url: `${origin}/?token=${keys.token}`,
    origin,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
