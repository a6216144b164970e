import type { ConnectionView } from '../../shared/contract';
import { AppError, toWireError } from '../../shared/errors';
import type { GuardEvent } from '../../shared/guard';
import type { ComparedVersion, InboxComparison } from '../../shared/inbox';
import { fill, phrases } from '../../shared/phrase';
import type { RunReport } from '../../shared/run-report';
import { ago, cannedItem, cannedReport, cannedView, emptyLedger, fullLedger } from '../support/canned';

const gpuLab = { id: 'c-gpu', name: 'gpu-lab' };

/** A start that the guard for first sessions stopped. */
export const firstSessionStop: RunReport = cannedReport({
  id: 'run-first',
  kind: 'push',
  connection: gpuLab,
  remote: { user: 'ada', host: 'gpu-lab.example', port: 22, hostKey: 'SHA256:canned', home: null },
  endedAt: ago(2),
  outcome: 'stopped',
  ledger: emptyLedger,
  stop: {
    guard: 'first-session',
    message: `${fill(phrases.stops['first-push'], { amount: '771 files (8407218 bytes)', refused: '129 files (59000000 bytes)' })} ${phrases.stops['nothing-changed-yet']}`,
    details: { files: 771, bytes: 8_407_218, largest: [{ path: 'skills/web', files: 212, bytes: 5_100_000 }] },
  },
});

/** A teardown that could not reach the remote. */
export const refusedReport: RunReport = cannedReport({
  id: 'run-refused',
  connection: { id: 'c-phone', name: 'phone-termux' },
  remote: { user: 'u0_a1', host: 'phone.example', port: 8022, hostKey: null, home: null },
  endedAt: ago(45),
  outcome: 'failed',
  ledger: emptyLedger,
  error: toWireError(new AppError('ssh.refused', { host: 'phone.example', port: 8022 })),
});

/** The teardown of the first screen's quiet connection, with every kind of path in it. */
export const fullReport: RunReport = cannedReport({
  id: 'run-full',
  endedAt: ago(180),
  notes: [`${fill(phrases.notes['record-unreadable'], { problem: phrases.causes['disk-error'] })} ${phrases.notes['compared-whole']}`],
  paths: [
    { path: 'skills/git-workflow/SKILL.md', outcome: 'conflict', change: 'update', bytes: 4_210, reason: phrases.paths['edited-both'] },
    { path: 'skills/notes/today.md', outcome: 'written', change: 'create', bytes: 3_215_004, reason: '' },
    { path: 'skills/old/README.md', outcome: 'removed', change: 'delete', bytes: 2_048, reason: phrases.paths['removed-there'] },
  ],
  pathsOmitted: 12,
});

/** One connection in each of the five states, given in no useful order. */
export function allStates(): readonly ConnectionView[] {
  const old = cannedReport({ endedAt: ago(60 * 24 * 3), ledger: { ...emptyLedger, written: { files: 2, bytes: 12_000 } } });
  return [
    cannedView({ lastTeardown: fullReport, lastRun: fullReport }),
    cannedView({
      id: 'c-phone',
      name: 'phone-termux',
      address: 'u0_a1@phone.example:8022',
      state: 'offline',
      lastTeardown: old,
      lastRun: refusedReport,
    }),
    cannedView({
      id: 'c-build',
      name: 'build-box',
      address: 'ada@build-box.example',
      state: 'working',
      session: { connection: 'c-build', state: 'ending', startedAt: ago(42) },
      progress: { connection: 'c-build', kind: 'sync-back', phase: 'transferring', done: 3, total: 14, unit: 'files' },
    }),
    cannedView({ id: 'c-nas', name: 'attic-nas', address: 'ada@attic-nas.example', state: 'paused', lastTeardown: null, lastRun: null }),
    cannedView({ ...gpuLab, state: 'needs-you', address: 'ada@gpu-lab.example', lastTeardown: null, lastRun: firstSessionStop }),
  ];
}

/** A connection with an open session, two items that wait and a growth alert. */
export function heldView(): ConnectionView {
  const held = cannedReport({
    id: 'run-held',
    outcome: 'held',
    endedAt: ago(5),
    ledger: fullLedger,
    alerts: [{ kind: 'growth', actual: 60_000_000, usual: 400_000, culprit: 'skills/web/.npm', holding: true }],
  });
  return cannedView({
    state: 'needs-you',
    needsYou: 2,
    session: { connection: 'c-hetzner', state: 'open', startedAt: ago(42) },
    lastTeardown: held,
    lastRun: held,
  });
}

/** What waits in `heldView`. */
export const heldItems = [
  cannedItem(),
  cannedItem({
    id: 'item-2',
    kind: 'guarded',
    path: 'skills/.hub/lock.json',
    bytes: 912,
    reason: phrases.paths['guarded-changed'],
  }),
];

/** A subtree of `heldView` that is held for its size. */
export const heldSubtree = cannedItem({
  ...{ id: 'item-3', kind: 'growth', path: 'skills/web/.npm', bytes: 60_000_000 },
  reason: `${fill(phrases.growth['new-in'], { size: '60 MB', files: '41 files', path: 'skills/web/.npm' })}; ${phrases.growth['no-usual']}`,
  stored: false,
});

const version = (text: string): ComparedVersion => ({ state: 'available', bytes: text.length, text });
const long = Array.from({ length: 30 }, (_, index) => `Step ${index + 1} stays as it was.`).join('\n');

/** The versions of the first of `heldItems`: lines of every kind, and one that is wider than the window. */
export const heldComparison: InboxComparison = {
  base: version('# git-workflow\n'),
  local: version(`# git-workflow\n\n${long}\nAsk before deleting a branch.\n`),
  remote: version(`# git-workflow\n\n${long}\nDelete merged branches at once, ${'and say so, '.repeat(12)}or not.\nThen rest.`),
  localChanged: true,
};

/** A sync-back of Hermes that brought restore points and another lock file of the hub. */
export const guardEvent: GuardEvent = {
  ...{ id: 'g-1', connection: 'c-hetzner', side: 'local', source: 'hermes', at: ago(12), lastAt: ago(11) },
  ...{ kinds: ['bookkeeping', 'hub-lock'], amount: { files: 4, bytes: 24_000_000 }, usual: 0 },
  culprit: 'skills/.curator_backups',
  parts: [{ path: 'skills/.curator_backups', files: 4, bytes: 24_000_000 }],
  hubLock: { state: 'replaced', differingSkills: ['git-workflow', 'release-notes'] },
  canPutBack: true,
};
