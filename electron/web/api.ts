import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestNames } from '../../shared/contract';
import type { Host } from '../ipc/host';
import { sendEnvelope, sendError } from './respond';

const bodyLimit = 1_000_000;

/** The body as text; null when it is longer than the limit, in which case the rest is not kept. */
async function readBody(req: IncomingMessage): Promise<string | null> {
  if (Number(req.headers['content-length'] ?? 0) > bodyLimit) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  // not destroyed on the early way out: the answer still has to reach the window
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bodyLimit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null; // the caller answers in words
  }
}

/** Answers `POST /api/<request>` with the host's envelope. Origin and cookie were checked before. */
export async function answerRequest(host: Pick<Host, 'dispatch'>, name: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (!(requestNames as readonly string[]).includes(name)) {
    return sendError(res, 404, 'web.bad-request', { what: 'there is no such request' });
  }
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '')) {
    return sendError(res, 415, 'web.bad-request', { what: 'the body has to be JSON' });
  }
  const body = await readBody(req);
  if (body === null) {
    res.setHeader('connection', 'close');
    return sendError(res, 413, 'web.bad-request', { what: `the body is longer than ${bodyLimit} bytes` });
  }
  const parsed = parseJson(body);
  if (parsed === null) return sendError(res, 400, 'web.bad-request', { what: 'the body is not valid JSON' });
  sendEnvelope(res, 200, await host.dispatch(name, parsed.value));
}
