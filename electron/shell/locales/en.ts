import type { ConnectionState } from '../../../shared/contract';
import type { RunKind, RunOutcome } from '../../../shared/run-report';

const states: Readonly<Record<ConnectionState, string>> = {
  ready: 'Ready',
  working: 'Working',
  paused: 'Paused',
  offline: 'Offline',
  'needs-you': 'Needs you',
};

const outcomes: Readonly<Record<RunOutcome, string>> = {
  done: '',
  partly: 'partly done',
  held: '',
  stopped: 'stopped before the first write',
  failed: 'failed',
  interrupted: 'interrupted',
};

const activities: Readonly<Record<RunKind, string>> = {
  push: 'starting session',
  'sync-back': 'syncing back',
  preview: 'looking at both sides',
  undo: 'taking back',
  resolve: 'carrying out a decision',
  'put-back': 'putting back',
  prune: 'removing restore points',
  clean: 'cleaning up',
};

/** Why a run failed, as far as a notification has room for it. */
const failures = {
  'ssh.auth-rejected': 'The remote did not let you in.',
  'ssh.passphrase-needed': 'Its key needs a passphrase.',
  'ssh.key-unusable': 'Its key cannot be used.',
  'ssh.host-key-unknown': 'Its host key is not known yet.',
  'local.no-space': 'There is not enough free space on this computer.',
  'remote.disk-full': 'The remote has no room left.',
  'sync.over-cap': 'There is more than one run may carry.',
  other: 'Open Ebbgate to see what happened and what to do next.',
};

/** What tray, notifications and dialogs say in English; the pattern for the other languages. */
export const en = {
  appName: 'Ebbgate',
  states,
  outcomes,
  activities,
  noConnections: 'No connection yet',
  ended: (when: string) => `ended ${when}`,
  neverEnded: 'no session ended yet',
  openSince: (when: string) => `session open since ${when}`,
  pendingSince: (when: string) => `not synced back since ${when}`,
  bytes: (written: string, refused: string) => `${written} written, ${refused} refused`,
  filesOf: (done: string, total: string) => `${done} / ${total} files`,
  needsYou: (name: string, what: string) => `${name} needs you: ${what}`,
  held: (bytes: string) => `${bytes} held`,
  waiting: (count: number, shown: string) => (count === 1 ? '1 item to review' : `${shown} items to review`),
  asks: { agent: 'your key agent waits for you', passphrase: 'passphrase', password: 'password', interactive: 'an answer' },
  look: 'look at its last run',

  startSession: 'Start session',
  endSession: 'End session',
  cancelRun: 'Stop safely',
  inspect: 'Inspect both sides…',
  review: (shown: string) => `Review (${shown})…`,
  prune: 'Prune restore points…',
  show: 'Show in window…',
  open: 'Open Ebbgate',
  addConnection: 'Add connection…',
  pause: 'Pause',
  resume: 'Resume',
  settings: 'Settings…',
  update: (version: string) => `Version ${version} is there…`,
  quit: 'Quit Ebbgate',

  unusual: (name: string) => `Unusual sync-back from ${name}`,
  unusualBody: (actual: string, usual: string, times: string) =>
    `${actual} wants to come home, about ${times} times the usual ${usual}. It is held; none of it has been written.`,
  largeBody: (actual: string, culprit: string) => `${actual} in ${culprit} wants to come home. It is held; none of it has been written.`,
  waitsTitle: (name: string) => `${name} needs you`,
  waitsBody: 'What both sides changed, or what is new, is held until you decide. Nothing is lost.',
  failedTitle: (name: string) => `${name} could not finish`,
  failures,
  stoppedBody: 'Ebbgate stopped before the first write and asks you to look.',
  keyTitle: (name: string) => `${name} shows another host key`,
  keyBody: 'Nothing was sent. Check with whoever runs the machine before you go on.',
  bookkeepingTitle: (name: string) => `Bookkeeping found on ${name}`,
  bookkeepingBody: (bytes: string) => `${bytes} stays there and does not come home.`,
  guardTitles: { hermes: 'A sync-back of Hermes brought something here', other: 'Something appeared here without a run' },
  guardBody: (bytes: string, culprit: string) => `${bytes} appeared in ${culprit}.`,
  guardLock: 'The hub’s lock file is not the last good one, which is kept.',
  reviewAction: 'Review',
  expectAction: 'This is expected',
  inspectAction: 'Inspect',

  quitTitle: (names: string, count: number) => (count === 1 ? `Ending the session with ${names}` : `Ending the sessions with ${names}`),
  quitDetail: 'Ebbgate quits when everything is home. What is stopped now stays pending and is offered first at the next start.',
  finishThenQuit: 'Finish, then quit',
  stopSafely: 'Stop safely',
  closeTitle: 'Keep Ebbgate in the tray?',
  closeDetail: 'Closing the window can leave Ebbgate running in the tray, or quit it. You can change this in the settings.',
  keepInTray: 'Keep in the tray',
  quitNow: 'Quit',
  pendingTitle: (name: string) => `The session with ${name} was not synced back`,
  pendingDetail: 'Its changes are still on the remote. Bring them home now?',
  bringHome: 'Bring home now',
  later: 'Later',
};

/** What every language must be able to say; a missing one does not compile. */
export type ShellWords = typeof en;
