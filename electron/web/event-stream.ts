import type { ServerResponse } from 'node:http';
import type { AppEvent } from '../../shared/contract';
import type { Host } from '../ipc/host';

const heartbeatMs = 25_000;
/** A window that reads so slowly is dropped; it connects again by itself and asks for everything anew. */
const backlogLimit = 4_000_000;

/** The open event streams of one web host. */
export interface EventStreams {
  open(res: ServerResponse): void;
  close(): void;
}

/** Forwards the host's events to every open stream, with a heartbeat that keeps idle connections alive. */
export function createEventStreams(host: Pick<Host, 'listen'>): EventStreams {
  const clients = new Set<ServerResponse>();
  const writeAll = (text: string) => {
    for (const client of clients) {
      client.write(text);
      if (client.writableLength > backlogLimit) client.destroy();
    }
  };
  const stop = host.listen((event: AppEvent) => writeAll(`data: ${JSON.stringify(event)}\n\n`));
  const heartbeat = setInterval(() => writeAll(': still here\n\n'), heartbeatMs);
  heartbeat.unref();

  return {
    open: (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      res.write(': open\n\n');
      clients.add(res);
      res.on('close', () => clients.delete(res));
      res.on('error', () => clients.delete(res)); // the window went away while we wrote: nothing is lost
    },
    close: () => {
      stop();
      clearInterval(heartbeat);
      for (const client of clients) client.end();
      clients.clear();
    },
  };
}
