import type { ConnectionView } from '../../shared/contract';
import type { RunReport } from '../../shared/run-report';

const nothing = { files: 0, bytes: 0 };

/** A finished teardown of `build-box`, with what the test cares about replaced. */
export function teardown(changes: Partial<RunReport> = {}, written = 0, refused = 0): RunReport {
  return {
    schema: 1,
    id: 'run-1',
    kind: 'sync-back',
    connection: { id: 'c1', name: 'build-box' },
    remote: { user: 'me', host: 'build-box', port: 22, hostKey: null, home: null },
    startedAt: '2026-03-05T14:04:50.000Z',
    endedAt: '2026-03-05T14:05:00.000Z',
    durationMs: 10_000,
    outcome: 'done',
    stop: null,
    ledger: {
      onRemote: nothing,
      refused: { files: refused > 0 ? 1 : 0, bytes: refused, estimated: false, byTree: {}, byRule: {} },
      transferred: nothing,
      wire: { sent: 0, received: 0, handshake: 0 },
      written: { files: written > 0 ? 1 : 0, bytes: written },
      removed: nothing,
      unchanged: nothing,
    },
    paths: [],
    pathsOmitted: 0,
    alerts: [],
    notes: [],
    error: null,
    ...changes,
  };
}

/** The connection `build-box`, ready and never used, with what the test cares about replaced. */
export function connectionView(changes: Partial<ConnectionView> = {}): ConnectionView {
  return {
    id: 'c1',
    name: 'build-box',
    address: 'me@build-box',
    roots: ['skills'],
    localHome: '/home/me/.hermes',
    state: 'ready',
    session: null,
    link: null,
    lastTeardown: null,
    lastRun: null,
    needsYou: 0,
    guard: [],
    watch: 'events',
    failedTest: null,
    remembers: false,
    asks: null,
    progress: null,
    ...changes,
  };
}
