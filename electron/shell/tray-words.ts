import type { ConnectionState } from '../../shared/contract';
import type { RunKind, RunOutcome } from '../../shared/run-report';

/** What the tray says, in one language. */
export const trayWords = {
  appName: 'Ebbgate',
  noConnections: 'No connection yet',
  states: {
    ready: 'Ready',
    working: 'Working',
    paused: 'Paused',
    offline: 'Offline',
    'needs-you': 'Needs you',
  } satisfies Record<ConnectionState, string>,
  /** How a teardown ended, where that is more telling than its bytes. */
  outcomes: {
    done: '',
    partly: 'partly done',
    held: '',
    stopped: 'stopped before the first write',
    failed: 'failed',
    interrupted: 'interrupted',
  } satisfies Record<RunOutcome, string>,
  activities: {
    push: 'starting session',
    'sync-back': 'syncing back',
    preview: 'looking at both sides',
    undo: 'taking back',
    resolve: 'carrying out a decision',
    'put-back': 'putting back',
    prune: 'removing restore points',
    clean: 'cleaning up',
  } satisfies Record<RunKind, string>,
  ended: (when: string) => `ended ${when}`,
  neverEnded: 'no session ended yet',
  openSince: (when: string) => `session open since ${when}`,
  pendingSince: (when: string) => `not synced back since ${when}`,
  bytes: (written: string, refused: string) => `${written} written, ${refused} refused`,
  needsYou: (name: string, what: string) => `${name} needs you: ${what}`,
  held: (bytes: string) => `${bytes} held`,
  waiting: (count: number) => (count === 1 ? '1 item to review' : `${count} items to review`),
  look: 'look at its last run',
  startSession: 'Start session',
  endSession: 'End session',
  cancelRun: 'Stop safely',
  review: (count: number) => `Review (${count})…`,
  show: 'Show in window…',
  open: 'Open Ebbgate',
  addConnection: 'Add connection…',
  quit: 'Quit Ebbgate',
};
