import type { ByteLedger, RunReport } from '../../../shared/run-report';

const none = { files: 0, bytes: 0 };

/** A ledger in which nothing happened. */
export const emptyLedger: ByteLedger = {
  onRemote: none,
  refused: { ...none, estimated: false, byTree: {}, byRule: {} },
  transferred: none,
  wire: { sent: 0, received: 0, handshake: 0 },
  written: none,
  removed: none,
  unchanged: none,
};

/** A sync-back that did nothing, with what a test cares about replaced. */
export function runReport(changes: Partial<RunReport> = {}): RunReport {
  return {
    schema: 1,
    id: 'run',
    kind: 'sync-back',
    connection: { id: 'a', name: 'box' },
    remote: { user: 'u', host: 'h', port: 22, hostKey: null, home: null },
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:00:01.500Z',
    durationMs: 1500,
    outcome: 'done',
    stop: null,
    ledger: emptyLedger,
    paths: [],
    pathsOmitted: 0,
    alerts: [],
    notes: [],
    error: null,
    ...changes,
  };
}
