import type { ApplicationParts } from './app/application';
import type { LiveLinks } from './app/live-links';
import { createWatch, type Watch } from './app/watch';
import type { WatchPace } from './app/watcher';
import type { Handlers } from './ipc/gate';
import { createConnector, type LinkPace } from './ssh/connector';
import type { Person } from './ssh/person';

/** What an application knows of its links. */
export interface Living {
  readonly links: LiveLinks;
  readonly pace: WatchPace & LinkPace;
  /** Null where the process does not stay. */
  watch: Watch | null;
}

/** An attempt that nobody asked for asks nobody; it only waits for the agent, which is answered where it lives. */
const nobody: Person = {
  ask: (_machine, question, signal) =>
    question.kind === 'agent' ? new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))) : Promise.resolve(null),
};

/** Watches the sessions that are open, and those that will be. */
export function startWatch(parts: ApplicationParts, handlers: Handlers, { links, pace }: Living): Watch {
  const { connections, sessions, events } = parts;
  const watch = createWatch({
    connect: links.track(createConnector(process.env, () => nobody, pace)),
    session: (id) => sessions.get(id),
    connection: (id) => connections.list().find((one) => one.id === id) ?? null,
    end: ({ id }) => handlers['session.end']({ connection: id, allow: [] }),
    changed: () => events.emit({ event: 'changed', data: {} }),
    outage: ({ id }, error) => events.emit({ event: 'outage', data: { connection: id, error } }),
    ...{ pace, random: Math.random },
  });
  events.listen((event) => {
    if (event.event === 'run') watch.ran(event.data);
    if (event.event === 'changed') watch.prune();
  });
  for (const connection of connections.list()) watch.open(connection);
  return watch;
}
