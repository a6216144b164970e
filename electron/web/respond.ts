import type { ServerResponse } from 'node:http';
import type { Envelope } from '../../shared/contract';
import { AppError, type ErrorCode, type ErrorDetails, toWireError } from '../../shared/errors';

const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers that every answer carries, whatever it says. */
export function setCommonHeaders(res: ServerResponse): void {
  res.setHeader('content-security-policy', contentPolicy);
  res.setHeader('x-content-type-options', 'nosniff');
  res.setHeader('referrer-policy', 'no-referrer');
  res.setHeader('cross-origin-opener-policy', 'same-origin');
  res.setHeader('cross-origin-resource-policy', 'same-origin');
  res.setHeader('cache-control', 'no-store');
}

/** A short page in words, for answers a person may see. */
export function sendText(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

/** An envelope as JSON. */
export function sendEnvelope(res: ServerResponse, status: number, envelope: Envelope<unknown>): void {
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(envelope));
}

/** A failure of the API as an error envelope. */
export function sendError<C extends ErrorCode>(res: ServerResponse, status: number, code: C, details: ErrorDetails[C]): void {
  sendEnvelope(res, status, { ok: false, error: toWireError(new AppError(code, details)) });
}
