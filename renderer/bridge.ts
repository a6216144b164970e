import type { AppEvent, Bridge, Envelope, Params, Reply, RequestName, WireError } from '../shared/contract';
import { describeError, type ErrorCode, type ErrorDetails } from '../shared/errors';

declare global {
  interface Window {
    /** Put there by the preload script; absent in a browser. */
    readonly ebbgate?: Bridge;
  }
}

function wireError<C extends ErrorCode>(code: C, details: ErrorDetails[C]): WireError {
  return { code, message: describeError(code, details), details };
}

function isEnvelope(value: unknown): value is Envelope<never> {
  return typeof value === 'object' && value !== null && 'ok' in value;
}

async function post<K extends RequestName>(name: K, params: Params<K>): Promise<Envelope<Reply<K>>> {
  try {
    const response = await fetch(`/api/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(params),
    });
    const body: unknown = await response.json();
    if (isEnvelope(body)) return body;
  } catch {
    // no answer, or one that is not ours: said in words below
  }
  return { ok: false, error: wireError('web.unreachable', {}) };
}

/**
 * The contract over the loopback host. Events that passed while the stream was not open are lost, and a broken stream
 * is the only sign that the application ended: both are told as `changed`, so that the listener asks again.
 */
function httpBridge(): Bridge {
  return {
    call: post,
    listen: (listener) => {
      const changed: AppEvent = { event: 'changed', data: {} };
      const source = new EventSource('/api/events');
      source.onopen = () => listener(changed);
      source.onerror = () => listener(changed);
      source.onmessage = (message: MessageEvent<string>) => listener(JSON.parse(message.data) as AppEvent);
      return () => source.close();
    },
  };
}

/** Whether this is the app's own window, and not a page in a browser. */
export function isDesktop(): boolean {
  return window.ebbgate !== undefined;
}

/** Whether the system shows what the app wants to notify of. */
export function canNotify(): boolean {
  return window.ebbgate?.canNotify ?? false;
}

/** The way to the application: the preload script's bridge, or the loopback host in a browser. */
export function openBridge(): Bridge {
  return window.ebbgate ?? httpBridge();
}
