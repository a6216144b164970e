import type { Connection } from '../shared/connection';
import type { ApplicationParts } from './app/application';
import type { LiveLinks } from './app/live-links';
import { createWatch, type Watch } from './app/watch';
import type { WatchPace } from './app/watcher';
import { rulesFor } from './compose-local';
import type { PreparedListing } from './endpoints/remote-prepared';
import { createRemoteShellEndpoint } from './endpoints/remote-shell';
import { clientName } from './engine/state-names';
import type { Handlers } from './ipc/gate';
import { createConnector, type LinkPace } from './ssh/connector';
import type { Person } from './ssh/person';
import type { SshConnection } from './ssh/ssh-connection';

/** What an application knows of its links. */
export interface Living {
  readonly links: LiveLinks;
  readonly pace: WatchPace & LinkPace;
  /** Null where the process does not stay. */
  watch: Watch | null;
  /** The listings that wait on links of sessions. */
  readonly prepared: WeakMap<SshConnection, Promise<PreparedListing | null>>;
}

/** An attempt that nobody asked for asks nobody; it only waits for the agent, which is answered where it lives. */
const nobody: Person = {
  ask: (_machine, question, signal) =>
    question.kind === 'agent' ? new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))) : Promise.resolve(null),
};

/** Watches the sessions that are open, and those that will be. */
export function startWatch(parts: ApplicationParts, handlers: Handlers, { links, pace, prepared }: Living, clientId: string): Watch {
  const { connections, sessions, events, runs, settings, secrets } = parts;
  const isPaused = () => settings.read().paused;
  const watch = createWatch({
    connect: links.track(createConnector(process.env, { personFor: () => nobody, rememberedFor: ({ id }) => secrets.of(id), pace })),
    session: (id) => sessions.get(id),
    connection: (id) => connections.list().find((one) => one.id === id) ?? null,
    end: ({ id }) => handlers['session.end']({ connection: id, allow: [] }),
    idle: (connection, link) => {
      void prepared.get(link)?.then((unused) => unused?.close());
      prepared.set(link, prepareEnd(connection, link, clientId));
    },
    changed: () => events.emit({ event: 'changed', data: {} }),
    ...{ isRunning: runs.isRunning, isPaused },
    outage: ({ id }, error) => events.emit({ event: 'outage', data: { connection: id, error } }),
    ...{ pace, random: Math.random },
  });
  const openAll = () => {
    for (const connection of connections.list()) watch.open(connection);
  };
  let resting = isPaused();
  events.overhear((event) => {
    if (event.event === 'run') watch.ran(event.data);
    if (event.event === 'changed') watch.prune();
    if (event.event !== 'settings' || event.data.paused === resting) return;
    resting = event.data.paused;
    if (resting) watch.rest();
    else openAll();
    events.emit({ event: 'changed', data: {} });
  });
  openAll();
  return watch;
}

/** Makes the end of a session ready. Nobody waits for it, and without it the end only takes longer. */
async function prepareEnd(connection: Connection, link: SshConnection, clientId: string): Promise<PreparedListing | null> {
  const { remoteHome, profile, roots } = connection;
  const account = { remoteHome, profile, clientId: clientName(clientId, connection.id) };
  const endpoint = createRemoteShellEndpoint({ connection: link, ...account });
  try {
    return await endpoint.prepare({ roots, rules: await rulesFor(connection) }, new AbortController().signal);
  } catch {
    return null;
  }
}
