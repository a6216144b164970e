import type { Status } from '../../shared/contract';
import type { ComposedApp } from '../ipc/host';

/**
 * Asked while sessions end: wait for them, or leave them pending for the next start. `ended` fires when the question has become
 * pointless.
 */
export type AskWhileEnding = (names: readonly string[], ended: AbortSignal) => Promise<'wait' | 'leave'>;

/** Connections with a session that a quit has to end. A pending one waits for the next start: it could not end before. */
function endable(status: Status): Status['connections'] {
  return status.connections.filter(({ session }) => session !== null && session.state !== 'pending');
}

async function readStatus(host: ComposedApp): Promise<Status> {
  const reply = await host.dispatch('status', {});
  return reply.ok ? (reply.value as Status) : { connections: [], needsYou: 0 };
}

/**
 * Ends what is open, then lets go of the data folder. Sessions end at the same time, and the user can decide to leave them
 * pending; whatever a session's end answers, quitting goes on, because the application has recorded it.
 */
export async function endEverything(host: ComposedApp, ask: AskWhileEnding): Promise<void> {
  const open = endable(await readStatus(host));
  if (open.length > 0) {
    const ended = new AbortController();
    const names = open.map(({ name }) => name);
    await Promise.race([Promise.all(open.map(({ id }) => endSession(host, id))), untilLeave(ask(names, ended.signal))]);
    ended.abort();
  }
  await host.dispose();
}

/** Settles only when the user wants to leave; a question that could not be asked means waiting. */
async function untilLeave(answer: Promise<'wait' | 'leave'>): Promise<void> {
  if ((await answer.catch(() => 'wait')) === 'leave') return;
  await new Promise<never>(() => {});
}

/** Ends one session, or waits for the end that is under way already. */
async function endSession(host: ComposedApp, id: string): Promise<void> {
  let wake = () => {};
  const stop = host.listen(() => wake());
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const connection = endable(await readStatus(host)).find((candidate) => candidate.id === id);
      if (connection === undefined) return;
      if (connection.progress === null && connection.session?.state === 'open') {
        await host.dispatch('session.end', { connection: id, allow: [] });
        return;
      }
      await changed;
    }
  } finally {
    stop();
  }
}

/** The part of Electron's app that quitting needs. */
export interface Quittable {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  quit(): void;
}

/** Holds every quit until `end` settled, then quits for good. Returns whether quitting has begun. */
export function holdQuit(app: Quittable, end: () => Promise<void>, report: (error: unknown) => void): () => boolean {
  let phase: 'running' | 'ending' | 'ended' = 'running';
  app.on('before-quit', (event) => {
    if (phase === 'ended') return;
    event.preventDefault();
    if (phase === 'ending') return;
    phase = 'ending';
    void end()
      .catch(report)
      .finally(() => {
        phase = 'ended';
        app.quit();
      });
  });
  return () => phase !== 'running';
}
