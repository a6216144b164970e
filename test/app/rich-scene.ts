import type { Connection, NewConnection } from '../../shared/connection';
import type { Reply } from '../../shared/contract';
import { AppError, toWireError } from '../../shared/errors';
import type { InspectedSide } from '../../shared/inspection';
import { phrases } from '../../shared/phrase';
import { type PlanLine, planReasons } from '../../shared/plan';
import type { Proposal } from '../../shared/proposal';
import type { RunReport } from '../../shared/run-report';
import { ago, cannedItem, cannedReport, cannedView, emptyLedger, fullLedger } from '../support/canned';
import type { ScriptedHost } from '../support/scripted-host';
import { allStates, fullReport, guardEvent, heldComparison, heldItems, heldSubtree, heldView } from './scenes';

const unreadable = 'skills/un-nom-de-dossier-qui-ne-finit-jamais/references/et-encore-un-autre-dossier/notes.md';

/** Teardowns of three months, a start before each of them, and one run of every other kind. */
export function manyRuns(): readonly RunReport[] {
  const teardowns = Array.from({ length: 40 }, (_, day) => {
    const growth = 20_000_000 + 700_000 * (40 - day);
    const ledger = {
      ...fullLedger,
      written: { files: 3 + (day % 5), bytes: day % 7 === 0 ? 0 : 400_000 * (1 + (day % 9)) },
      refused: { ...fullLedger.refused, bytes: growth },
    };
    const outcome = day === 3 ? 'held' : day === 11 ? 'partly' : 'done';
    return cannedReport({ id: `run-day-${day}`, endedAt: ago(200 + day * 1440), ledger, outcome });
  });
  const others = (['push', 'undo', 'prune', 'clean', 'resolve'] as const).map((kind, index) =>
    cannedReport({ kind, endedAt: ago(181 + index), ledger: { ...emptyLedger, written: { files: 3, bytes: 41_000 } } }),
  );
  const failed = cannedReport({
    ...{ id: 'run-failed', kind: 'push', outcome: 'failed', endedAt: ago(190), ledger: emptyLedger },
    error: toWireError(new AppError('ssh.timed-out', { host: 'hetzner-1.example', port: 22, seconds: 20 })),
  });
  return [fullReport, ...others, failed, ...teardowns];
}

const toReview = cannedItem({
  ...{ id: 'item-4', kind: 'review', path: unreadable, bytes: 8_123 },
  reason: phrases.paths['new-skill'],
});

const newConnection: NewConnection = { name: 'build-box', address: { kind: 'alias', alias: 'build-box' } };

/** Machines that are named on this computer: one to add, one that Hermes uses, one that was added. */
export const proposals: readonly Proposal[] = [
  { origin: 'ssh-config', file: '~/.ssh/config', connection: newConnection, savedAs: null },
  {
    ...{ origin: 'hermes', file: '~/.hermes/config.yaml', savedAs: null },
    connection: { name: 'gpu-lab-2', address: { kind: 'address', user: 'ada', host: 'gpu-lab-2.internal.example', port: 2222 } },
  },
  { origin: 'ssh-config', file: '~/.ssh/config', connection: { ...newConnection, name: 'hetzner-1' }, savedAs: 'hetzner-1' },
];

/** A preview in which much goes out, bookkeeping stays and one file differs. */
export const preview: RunReport = cannedReport({
  ...{ id: 'run-preview', kind: 'preview', connection: { id: 'c-new', name: 'build-box' }, outcome: 'held' },
  ledger: { ...fullLedger, written: { files: 0, bytes: 0 }, unchanged: { files: 0, bytes: 0 } },
  planned: { written: { files: 771, bytes: 8_407_218 }, removed: { files: 0, bytes: 0 } },
  paths: [
    { path: 'skills/git-workflow/SKILL.md', outcome: 'conflict', change: 'update', bytes: 4_210, reason: 'differs on both sides' },
    { path: 'skills/notes/SKILL.md', outcome: 'written', change: 'create', bytes: 2_100, reason: 'new on this computer' },
  ],
  pathsOmitted: 769,
});

function point(id: string, bytes: number, restorable: boolean | null) {
  return {
    id,
    reason: 'manual',
    createdAt: null,
    bytes,
    restorable,
    problem: restorable === false ? 'cut short' : null,
    copyOfOtherSide: false,
  };
}

function side(parts: Partial<InspectedSide>): InspectedSide {
  return {
    ...{
      readable: true,
      problem: null,
      home: '/home/ada/.hermes',
      runsHermes: false,
      trees: [],
      profiles: [],
      restorePoints: [],
      leftovers: [],
    },
    ledgerBlobs: { files: 0, bytes: 0 },
    hubLock: { state: 'missing', mtime: null, sha256: null, verdict: 'differs', differingSkills: [] },
    ...parts,
  };
}

/** Both sides with everything an inspection can find. */
export const inspection: Reply<'inspect'> = {
  parity: { state: 'in-step', file: null, added: [], absent: [], unusable: [] },
  local: side({
    trees: [{ name: '.hub', path: 'skills/.hub', files: 3, bytes: 41_000, estimated: false }],
    ledgerBlobs: { files: 12, bytes: 2_400_000 },
    hubLock: {
      ...{ state: 'present', mtime: ago(60 * 24 * 20), sha256: 'a'.repeat(64), verdict: 'differs' },
      differingSkills: ['git-workflow', 'release-notes'],
    },
    restorePoints: [point('2026-11-13T04-00-00Z', 4_000_000, true)],
  }),
  remote: side({
    ...{ home: '/srv/agents/ada/.hermes', runsHermes: true },
    trees: [
      { name: '.hub', path: 'skills/.hub', files: 3, bytes: 39_000, estimated: false },
      { name: '.curator_backups', path: 'skills/.curator_backups', files: 115, bytes: 24_100_000, estimated: false },
      { name: 'node_modules', path: 'skills/web/node_modules', files: 20_000, bytes: 16_900_000, estimated: true },
    ],
    profiles: [
      {
        name: 'work',
        trees: [{ name: '.venv', path: 'profiles/work/skills/ml/.venv', files: 9_000, bytes: 81_000_000, estimated: false }],
        restorePoints: [],
      },
    ],
    hubLock: { state: 'present', mtime: ago(60 * 24 * 200), sha256: 'b'.repeat(64), verdict: 'differs', differingSkills: ['git-workflow'] },
    restorePoints: [point('2026-11-20T04-00-00Z', 4_100_000, false), point('2026-11-13T04-00-00Z', 4_000_000, null)],
    leftovers: [
      { path: '/tmp/hermes-sync-back-4711-x', bytes: 900_000, reason: 'a sync-back of Hermes that did not end, its process is gone' },
    ],
  }),
};

function line(path: string, bytes: number, reason: keyof typeof planReasons, where: PlanLine['side'] = 'remote'): PlanLine {
  const id = path.split('/').at(-1) ?? path;
  const decision = reason === 'older' || reason === 'broken' || reason === 'chosen' ? 'remove' : 'keep';
  return { side: where, id, path, bytes, decision, reason: planReasons[reason] };
}

const backups = 'skills/.curator_backups';
const prunePlan: readonly PlanLine[] = [
  line(`${backups}/2026-11-13T04-00-00Z`, 4_000_000, 'newest', 'local'),
  line(`${backups}/2026-11-20T04-00-00Z`, 4_100_000, 'newer'),
  line(`${backups}/2026-11-13T04-00-00Z`, 4_000_000, 'newest'),
  line(`${backups}/2026-11-06T04-00-00Z`, 4_000_000, 'older'),
  line(`${backups}/2026-10-30T04-00-00Z`, 4_000_000, 'broken'),
  line(`${backups}/before-trip`, 1_200_000, 'foreign'),
];

/** Leftovers as a clean-up plan shows them before anything was chosen. */
export const cleanPlan: readonly PlanLine[] = [
  line('skills/web/node_modules', 16_900_000, 'not-chosen'),
  line('skills/ml/.venv', 81_000_000, 'not-chosen'),
  line('skills/web/node_modules-link', 0, 'link'),
  line('/tmp/hermes-sync-back-4711-x', 900_000, 'sync-back', 'local'),
];

/** A plan that is shown and not carried out. */
export function planned(kind: 'prune' | 'clean', lines: readonly PlanLine[]): RunReport {
  return cannedReport({ kind, ledger: emptyLedger, plan: { fingerprint: 'f'.repeat(64), lines } });
}

/** Fills a host with everything that every screen can show. */
export function fillRichly(host: ScriptedHost): void {
  const held = heldView();
  host.show([...allStates().slice(1), { ...held, needsYou: 5, guard: [guardEvent] }]);
  host.keep({ runs: manyRuns(), items: [heldSubtree, ...heldItems, toReview] });
  host.answer('inbox.compare', () => ({ ok: true, value: heldComparison }));
  host.answer('connection.proposals', () => ({ ok: true, value: { proposals, notes: [] } }));
  host.answer('connection.add', ({ name, address }) => {
    host.show([cannedView({ id: 'c-new', name, lastTeardown: null, lastRun: null }), ...allStates()]);
    host.emit({ event: 'changed', data: {} });
    return { ok: true, value: { ...savedConnection, name, address } };
  });
  host.answer('connection.test', () => ({ ok: true, value: { ok: true, checks } }));
  host.answer('preview', () => ({ ok: true, value: preview }));
  host.answer('inspect', () => ({ ok: true, value: inspection }));
  host.answer('prune', () => ({ ok: true, value: planned('prune', prunePlan) }));
  host.answer('clean', () => ({ ok: true, value: planned('clean', cleanPlan) }));
}

const savedConnection: Connection = {
  ...{ ...newConnection, id: 'c-new', identityFile: null, knownHostsFile: null, acceptedHostKey: null, useSshConfig: true },
  ...{ localHome: '/home/ada/.hermes', remoteHome: null, profile: null, roots: ['skills'], newSkills: 'bring' },
  ...{ userRules: [], lifted: [], createdAt: ago(1) },
};

const checks = [
  { id: 'reach', ok: true, detail: 'build-box.example answers on port 22', fix: null },
  { id: 'host-key', ok: true, detail: 'SHA256:9mXc1Tn5bQ0e0m4mXb1m8o2w3x4y5z6A7B8C9D0E1F2', fix: null },
  { id: 'login', ok: true, detail: 'as ada', fix: null },
  { id: 'home', ok: true, detail: '/home/ada/.hermes is not there yet; the first push creates it', fix: null },
] as const;
