import { join } from 'node:path';
import { type Inbox, openInbox } from '../../../electron/app/inbox';
import { inboxSink } from '../../../electron/app/inbox-sink';
import { type RunRecords, runRecords } from '../../../electron/app/run-records';
import { createRuns, type Runs } from '../../../electron/app/runs';
import type { Endpoint } from '../../../electron/engine/endpoint';
import { noGrowthContext } from '../../../electron/engine/growth-context';
import type { Connection } from '../../../shared/connection';
import type { Progress } from '../../../shared/contract';
import { createClock, type FixedClock } from '../../support/clock';
import { createMemoryEndpoint } from '../../support/memory-endpoint';
import { createMemoryHome, type MemoryHome } from '../../support/memory-home';
import { noDecisions, plainRules } from '../engine/entries';

export function connectionNamed(name: string, changes: Partial<Connection> = {}): Connection {
  return {
    ...{ id: `id-${name}`, name, address: { kind: 'address', user: 'u', host: 'h.invalid', port: 22 }, localHome: `/home/${name}` },
    ...{ identityFile: null, knownHostsFile: null, acceptedHostKey: null, useSshConfig: false, remoteHome: null, profile: null },
    ...{ roots: ['skills'], newSkills: 'bring', userRules: [], lifted: [], createdAt: '2026-01-01T00:00:00.000Z' },
    ...changes,
  };
}

/** Runs between two homes in memory, with real records and a real inbox in a folder. */
export interface RunPlace {
  readonly local: MemoryHome;
  readonly remote: MemoryHome;
  readonly runs: Runs;
  readonly records: RunRecords;
  readonly inbox: Inbox;
  readonly clock: FixedClock;
  readonly told: readonly Progress[];
  /** How many sides were opened, and how many were closed again. */
  readonly sides: { opened: number; closed: number };
  /** Runs before the sides of a run are there; may wait, or fail. */
  before: (signal: AbortSignal) => Promise<void>;
  /** Puts something between a run and a side. */
  around: (endpoint: Endpoint) => Endpoint;
}

export async function makeRunPlace(folder: string, changes: Partial<RunRecords> = {}): Promise<RunPlace> {
  const clock = createClock();
  const inbox = await openInbox(join(folder, 'inbox'));
  const records = { ...runRecords(folder, clock.now), ...changes };
  const local = createMemoryHome();
  const remote = createMemoryHome();
  const told: Progress[] = [];
  const sides = { opened: 0, closed: 0 };
  const place: RunPlace = {
    ...{ local, remote, records, inbox, clock, told, sides },
    before: async () => undefined,
    around: (endpoint) => endpoint,
    runs: createRuns({
      ...{ records, now: clock.now, decided: () => noDecisions, progress: (progress: Progress) => void told.push(progress) },
      growth: { context: async () => noGrowthContext, record: async () => undefined },
      texts: { keep: async () => undefined },
      inbox: (connection, runId) => inboxSink(inbox, connection, join(folder, 'runs', runId), clock.now),
      async openSides(_request, signal) {
        await place.before(signal);
        sides.opened += 1;
        return {
          local: place.around(createMemoryEndpoint({ side: 'local', home: local, homePath: '/home/local' })),
          remote: place.around(createMemoryEndpoint({ side: 'remote', home: remote })),
          ...{ rules: plainRules, hostKey: 'SHA256:key', address: { user: 'me', host: 'real.invalid', port: 2222 } },
          ...{ localMarker: async () => null, hermesUnfinished: null, wire: () => ({ sent: 10, received: 20, handshake: 5 }) },
          close: async () => {
            sides.closed += 1;
          },
        };
      },
    }),
  };
  return place;
}

/** A door that a run waits at. `reached` resolves once it stands there. */
export function makeGate(): { readonly wait: () => Promise<void>; readonly reached: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  let arrive: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    reached,
    open: () => open(),
    wait: () => {
      arrive();
      return opened;
    },
  };
}
