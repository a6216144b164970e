import type { ConnectionView } from '../../shared/contract';
import type { InboxItem } from '../../shared/inbox';
import { phrases } from '../../shared/phrase';
import type { ByteLedger, RunReport } from '../../shared/run-report';

/** The moment at which canned things happen unless a test says otherwise. */
export const cannedNow = Date.parse('2026-11-30T14:05:00.000Z');

/** A time before `cannedNow`, in ISO form. */
export function ago(minutes: number): string {
  return new Date(cannedNow - minutes * 60_000).toISOString();
}

export const emptyLedger: ByteLedger = {
  onRemote: { files: 0, bytes: 0 },
  refused: { files: 0, bytes: 0, estimated: false, byTree: {}, byRule: {} },
  transferred: { files: 0, bytes: 0 },
  wire: { sent: 0, received: 0, handshake: 0 },
  written: { files: 0, bytes: 0 },
  removed: { files: 0, bytes: 0 },
  unchanged: { files: 0, bytes: 0 },
};

/** A teardown whose numbers all differ and add up: in scope plus refused is what lies on the remote. */
export const fullLedger: ByteLedger = {
  onRemote: { files: 20_904, bytes: 52_634_567 },
  refused: {
    files: 20_119,
    bytes: 41_012_345,
    estimated: false,
    byTree: {
      node_modules: { files: 20_000, bytes: 16_900_000 },
      '.curator_backups': { files: 115, bytes: 24_100_000 },
    },
    byRule: { 'excluded-directory': { files: 20_115, bytes: 41_000_000 }, database: { files: 4, bytes: 12_345 } },
  },
  transferred: { files: 14, bytes: 3_215_004 },
  wire: { sent: 210_000, received: 890_123, handshake: 5_000 },
  written: { files: 14, bytes: 3_215_004 },
  removed: { files: 1, bytes: 2_048 },
  unchanged: { files: 771, bytes: 8_407_218 },
};

let reports = 0;

/** A finished teardown; a test names only what matters to it. */
export function cannedReport(parts: Partial<RunReport> = {}): RunReport {
  reports += 1;
  return {
    schema: 1,
    id: `run-${reports}`,
    kind: 'sync-back',
    connection: { id: 'c-hetzner', name: 'hetzner-1' },
    remote: { user: 'ada', host: 'hetzner-1.example', port: 22, hostKey: 'SHA256:canned', home: '/home/ada/.hermes' },
    startedAt: ago(180),
    endedAt: ago(180),
    durationMs: 312,
    outcome: 'done',
    stop: null,
    ledger: fullLedger,
    paths: [],
    pathsOmitted: 0,
    alerts: [],
    notes: [],
    error: null,
    ...parts,
  };
}

/** A connection that is ready and was torn down three hours ago. */
export function cannedView(parts: Partial<ConnectionView> = {}): ConnectionView {
  const lastTeardown = cannedReport();
  return {
    id: 'c-hetzner',
    name: 'hetzner-1',
    address: 'ada@hetzner-1.example',
    roots: ['skills'],
    localHome: '/home/ada/.hermes',
    state: 'ready',
    session: null,
    link: null,
    lastTeardown,
    lastRun: lastTeardown,
    needsYou: 0,
    guard: [],
    watch: 'events',
    failedTest: null,
    remembers: false,
    asks: null,
    progress: null,
    ...parts,
  };
}

/** A conflict that waits. */
export function cannedItem(parts: Partial<InboxItem> = {}): InboxItem {
  return {
    id: 'item-1',
    kind: 'conflict',
    connection: 'c-hetzner',
    path: 'skills/git-workflow/SKILL.md',
    bytes: 4_210,
    createdAt: ago(200),
    reason: phrases.paths['edited-both'],
    local: { hash: '1'.repeat(64), bytes: 787, executable: false },
    remote: { hash: '2'.repeat(64), bytes: 4_210, executable: false },
    stored: true,
    ...parts,
  };
}
