// Not cut although it is long: the other languages are checked against this one, word by word.
import type { ConnectionState, Progress } from '../../shared/contract';
import type { InboxKind } from '../../shared/inbox';
import type { GrowthAlert, Guard, PathChange, PathOutcome, RunKind, RunOutcome } from '../../shared/run-report';
import { addEn } from './add';
import { errorsEn } from './errors/en';
import { guardEn } from './guard';
import { historyEn } from './history';
import { inspectionEn } from './inspection';
import { parityEn } from './parity';
import { phrasesEn } from './phrases/en';
import { promptEn } from './prompt';
import { decisionKindsEn, resolveEn, resolveHintsEn } from './resolve';
import { restoreEn } from './restore';
import { settingsEn } from './settings';
import { takeBackEn } from './take-back';

const states: Readonly<Record<ConnectionState, string>> = {
  ready: 'Ready',
  working: 'Working',
  paused: 'Paused',
  offline: 'Offline',
  'needs-you': 'Needs you',
};

const outcomes: Readonly<Record<RunOutcome, string>> = {
  done: 'Done',
  partly: 'Partly done',
  held: 'Held',
  stopped: 'Stopped',
  failed: 'Failed',
  interrupted: 'Interrupted',
};

const kinds: Readonly<Record<RunKind, string>> = {
  push: 'Start',
  'sync-back': 'Teardown',
  preview: 'Preview',
  undo: 'Undo',
  prune: 'Prune',
  clean: 'Clean-up',
  resolve: 'Decision',
  'put-back': 'Put back',
};

const guards: Readonly<Record<Guard, string>> = {
  'first-session': 'This is the first session',
  'remote-empty': 'The remote looks new or empty',
  'local-empty': 'This computer looks new or empty',
  'identity-changed': 'This is not the remote it was last time',
  'mass-delete': 'Unusually many files would be removed',
  'mass-change': 'Unusually many files would be replaced',
  'hermes-unfinished': 'Hermes left a sync-back unfinished',
  'same-folder': 'Both sides are the same folder',
  'rollback-in-progress': 'A rollback is under way there',
  'session-active': 'A session is active',
  'plan-changed': 'The plan has changed',
};

const phases: Readonly<Record<Progress['phase'], string>> = {
  connecting: 'connecting',
  listing: 'looking at both sides',
  comparing: 'comparing',
  transferring: 'transferring',
  applying: 'putting files in place',
  recording: 'writing it down',
  recovering: 'looking after what an interrupted run left',
};

const working: Readonly<Record<Progress['kind'], string>> = {
  push: 'Sending out',
  'sync-back': 'Bringing home',
  preview: 'Looking ahead',
  undo: 'Taking back',
  resolve: 'Carrying out a decision',
  'put-back': 'Putting back',
  prune: 'Removing restore points',
  clean: 'Cleaning up',
};

const pathOutcomes: Readonly<Record<PathOutcome, string>> = {
  written: 'written',
  removed: 'removed',
  conflict: 'conflict',
  held: 'held',
  refused: 'refused',
  failed: 'failed',
};

const changes: Readonly<Record<PathChange, string>> = { create: 'new', update: 'changed', delete: 'gone' };

const inboxKinds: Readonly<Record<InboxKind, string>> = {
  conflict: 'Both sides changed',
  guarded: 'Guarded file differs',
  growth: 'Unusually large',
  review: 'New, to review',
};

const alerts: Readonly<Record<GrowthAlert['kind'], string>> = {
  growth: 'More wants to come back than usual',
  'refused-bookkeeping': 'Much bookkeeping lies on the remote',
  shrink: 'Far less came back than usual',
  'restore-points': 'Restore points take much room',
};

/** The window's words in English. Another language is another object of the same type, so a missing word fails the build. */
export const en = {
  locale: 'en',
  states,
  outcomes,
  kinds,
  guards,
  phases,
  working,
  pathOutcomes,
  changes,
  inboxKinds,
  alerts,
  appName: 'Ebbgate',
  colon: ': ',
  semicolon: '; ',
  loading: 'Reading what is known…',
  files: (count: number, shown: string) => `${shown} ${count === 1 ? 'file' : 'files'}`,
  connections: (count: number, shown: string) => `${shown} ${count === 1 ? 'connection' : 'connections'}`,
  needYou: (count: number, shown: string) => `${shown} ${count === 1 ? 'needs' : 'need'} you`,
  waiting: (count: number, shown: string) => `${shown} ${count === 1 ? 'item waits' : 'items wait'} for your decision`,
  noTeardown: 'No teardown yet',
  ended: 'Ended',
  written: 'written',
  refused: 'refused',
  owed: 'Not synced back yet',
  sessionOpen: (time: string) => `Session open ${time}`,
  sessionStarting: 'Session starting',
  sessionEnding: 'Session ending',
  noSession: 'No session open',
  empty: {
    title: 'Add the machine your Hermes works on',
    intro:
      'Ebbgate carries your skills out to it, brings real work home, and leaves bookkeeping there. Nothing moves before you have seen what would.',
  },
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Select the line and copy it by hand.',
  back: 'Back to connections',
  backOne: 'Back',
  gone: 'This connection is no longer there.',
  address: 'Address',
  localHome: 'On this computer',
  roots: 'Synced',
  lastTeardown: 'Last teardown',
  lastStart: 'Last start',
  took: (time: string) => `took ${time}`,
  reached: 'Machine reached',
  neverTornDown: 'Nothing has come home from here yet. Starting a session sends your skills out, ending it brings the work back.',
  ledger: {
    written: 'Written here',
    writtenThere: 'Written there',
    refused: 'Refused, left there',
    refusedHere: 'Refused, stayed here',
    otherRules: 'other rules',
    removed: 'Removed here',
    removedThere: 'Removed there',
    declined: 'by your decision',
    open: 'Waiting or failed',
    unchanged: 'Unchanged',
    transferred: 'Transferred',
    wire: 'On the wire',
    onRemote: 'On the remote',
    bar: (written: string, refused: string) => `${written} written, ${refused} refused`,
    atLeast: 'at least',
  },
  showFiles: 'Show files',
  omitted: (shown: string) => `${shown} more are not listed; the totals above include them.`,
  notes: 'Remarks',
  details: 'Details',
  errorCode: 'Code',
  startAnyway: 'Start anyway',
  endAnyway: 'End anyway',
  size: 'Size',
  facts: {
    yes: 'yes',
    no: 'no',
    files: 'Files',
    conflicts: 'Conflicts',
    refused: 'Refused',
    largest: 'Largest',
    root: 'Root',
    known: 'Known',
    found: 'Found',
    expected: 'Expected',
    removed: 'Removed',
    overwritten: 'Overwritten',
    total: 'Total',
    local: 'Local',
    remote: 'Remote',
  },
  onlyThisRun: 'This lets it through for this one run.',
  noWayThrough: 'This cannot be let through. Change what is named above, then try again.',
  untouched: 'Stopped before the first write. Nothing was changed on either side.',
  alertFigures: (actual: string, usual: string) => `${actual}, usually ${usual}.`,
  alertCulprit: 'Grew most',
  alertHolding: 'Held until you decide. Ignoring it is safe.',
  inbox: 'Waiting for you',
  inboxSafe: 'Nothing here is overwritten while it waits. Ignoring it is safe.',
  inboxKept: (bytes: string) => `${bytes} of it stored on this computer.`,
  thisComputer: 'This computer',
  commonVersion: 'Before both edits',
  versions: 'The versions',
  versionGone: 'no file',
  versionNotKept: 'not kept',
  versionNoText: 'not shown: no text, or too long',
  threeWay: {
    before: 'Before',
    changedBy: (name: string) => `${name} changed this`,
    changedAlike: 'Both sides changed this alike',
    changedBoth: 'Both sides changed this',
    more: 'More changes are not shown.',
  },
  sameLines: (shown: string) => `${shown} equal lines`,
  moreLines: (shown: string) => `${shown} more lines are not shown.`,
  noNewline: 'no newline at the end',
  equalTexts: 'The two texts are equal; only the execute permission differs.',
  localChanged: 'The file on this computer changed since this item came. End a session to bring the item up to date.',
  notStored: 'The other version is not stored here yet. End a session to fetch it.',
  comparing: 'Reading the versions…',
  decide: 'What should happen?',
  deciding: 'Deciding…',
  wholeSkill: 'The whole new skill comes home together.',
  resolve: resolveEn,
  resolveHints: resolveHintsEn,
  decisions: 'Standing decisions',
  decisionKinds: decisionKindsEn,
  revoke: 'Take back',
  restore: restoreEn,
  takeBack: takeBackEn,
  guard: guardEn,
  add: addEn,
  history: historyEn,
  settings: settingsEn,
  inspection: inspectionEn,
  parity: parityEn,
  prompt: promptEn,
  phrases: phrasesEn,
  errors: errorsEn,
  remove: 'Remove connection',
  removeQuestion: (name: string) => `Remove ${name}? Its decisions, waiting items and records are forgotten. Files on both sides stay.`,
  lastRuns: 'Last runs',
  noHistory: 'No run yet.',
  start: 'Start session',
  end: 'End session',
  starting: 'Starting…',
  ending: 'Ending…',
  cancel: 'Cancel',
  cancelling: 'Cancelling…',
  test: 'Test connection',
  checks: { reach: 'Network', 'host-key': 'Host key', login: 'Login', shell: 'Shell', home: 'Hermes home', space: 'Free space' },
  testing: 'Testing…',
  testOk: 'The connection works.',
  testBad: 'The connection does not work yet.',
  trustKey: 'I compared it: trust this key',
  trustHint: 'Compare the fingerprint with the machine’s own before you agree.',
  failedTitle: 'It did not work',
  asks: {
    agent: 'Waiting for your key agent',
    passphrase: 'Needs your passphrase',
    password: 'Needs your password',
    interactive: 'Needs your answer',
  },
  testFailed: (when: string) => `Test failed ${when}`,
  tryNow: 'Try now',
  triesAgain: 'It is tried again by itself.',
  offlineTitle: 'The remote could not be reached',
  unknownKeyTitle: 'This machine’s key is not known yet',
  changedKeyTitle: 'This machine shows another key than before',
  windowOffline: 'This window is cut off',
  of: (done: string, total: string) => `${done} of ${total}`,
};

/** What a language has to offer. */
export type Words = typeof en;
