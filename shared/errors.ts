import type { WireError } from './contract';
import type { RemovalKind } from './plan';

/** Facts of each error, by code. Codes are `area.reason`; nothing branches on text. */
export interface ErrorDetails {
  'usage.invalid': { readonly what: string };
  'connection.unknown': { readonly name: string };
  'connection.exists': { readonly name: string };
  'connection.alias-unresolved': { readonly alias: string; readonly reason: string };
  'connection.unsupported-option': { readonly host: string; readonly option: string; readonly reason: string };
  'ssh.refused': { readonly host: string; readonly port: number };
  'ssh.timed-out': { readonly host: string; readonly port: number; readonly seconds: number };
  'ssh.unreachable': { readonly host: string; readonly port: number; readonly reason: string };
  'ssh.lost': { readonly host: string; readonly port: number; readonly reason: string };
  'ssh.protocol': { readonly host: string; readonly port: number; readonly reason: string };
  'ssh.host-key-unknown': {
    readonly host: string;
    readonly port: number;
    readonly keyType: string;
    readonly fingerprint: string;
    /** Where known_hosts trusts a certificate authority for the host instead. */
    readonly authority: string | null;
  };
  'ssh.host-key-changed': {
    readonly host: string;
    readonly port: number;
    readonly keyType: string;
    readonly fingerprint: string;
    readonly expected: readonly string[];
    readonly file: string;
    readonly line: number;
    /** The command that removes what is known; null where only an editor can. */
    readonly forget: string | null;
  };
  'ssh.host-key-revoked': {
    readonly host: string;
    readonly port: number;
    readonly fingerprint: string;
    readonly file: string;
    readonly line: number;
  };
  'ssh.host-key-not-kept': {
    readonly host: string;
    readonly port: number;
    readonly file: string;
    readonly line: string;
    readonly reason: string;
  };
  'ssh.auth-rejected': { readonly user: string; readonly host: string; readonly port: number; readonly tried: readonly string[] };
  'ssh.passphrase-needed': { readonly file: string };
  'ssh.answer-needed': { readonly user: string; readonly host: string; readonly port: number; readonly tried: readonly string[] };
  'ssh.agent-waiting': { readonly host: string; readonly port: number; readonly keys: readonly string[] };
  'ssh.key-unusable': { readonly file: string; readonly reason: string };
  'ssh.no-shell': { readonly host: string; readonly detail: string };
  'ssh.one-channel': { readonly host: string };
  'remote.home-missing': { readonly path: string };
  'remote.home-invalid': { readonly path: string; readonly reason: string };
  'remote.failed': { readonly operation: string; readonly path: string; readonly said: string };
  'remote.disk-full': { readonly path: string; readonly said: string };
  'local.failed': { readonly operation: string; readonly path: string; readonly reason: string };
  'local.no-space': { readonly needed: number; readonly free: number; readonly largest: readonly string[] };
  'sync.over-cap': { readonly bytes: number; readonly files: number; readonly largest: readonly string[] };
  'inbox.unknown': { readonly id: string };
  'inbox.not-allowed': { readonly path: string; readonly kind: string; readonly choice: string; readonly possible: readonly string[] };
  'inbox.not-stored': { readonly path: string };
  'inbox.several-connections': Record<never, never>;
  'decision.unknown': { readonly id: string };
  'prompt.closed': { readonly id: string };
  'guard.unknown': { readonly id: string };
  'guard.nothing-kept': { readonly home: string };
  'history.unknown': { readonly id: string };
  'prune.nothing-kept': { readonly connection: string; readonly kind: RemovalKind | null; readonly other: RemovalKind | null };
  'undo.other-run': { readonly connection: string; readonly kind: string; readonly time: string; readonly run: string };
  'run.busy': { readonly connection: string; readonly holder: string };
  'run.cancelled': Record<never, never>;
  'app.lost': { readonly reason: string; readonly started: boolean };
  'store.busy': { readonly dataDir: string; readonly pid: number };
  'store.newer': { readonly file: string; readonly version: number };
  'store.failed': { readonly operation: string; readonly file: string; readonly reason: string };
  'web.not-built': { readonly path: string };
  'web.port': { readonly port: number; readonly reason: string };
  'web.signed-out': Record<never, never>;
  'web.unreachable': Record<never, never>;
  'web.bad-request': { readonly what: string };
  'internal.unexpected': { readonly what: string };
}

export type ErrorCode = keyof ErrorDetails;

/** A language's sentence for each code: what happened, what is safe, what to do next. */
export type ErrorSentences = { readonly [C in ErrorCode]: (details: ErrorDetails[C]) => string };

/** The English ones, which reports and logs hold and the command line prints. */
export const errorSentences: ErrorSentences = {
  'usage.invalid': (d) => `${d.what} Nothing was done. See --help.`,
  'connection.unknown': (d) => `There is no connection named "${d.name}". Nothing was done. "connection list" shows those that exist.`,
  'connection.exists': (d) =>
    `A connection named "${d.name}" exists already and was left as it is. Choose another name, or remove it first.`,
  'connection.alias-unresolved': (d) =>
    `The SSH alias "${d.alias}" could not be resolved: ${d.reason}. Nothing was sent. Check it with "ssh -G ${d.alias}", or add the connection with --address.`,
  'connection.unsupported-option': (d) =>
    `The SSH configuration of ${d.host} uses ${d.option}, which Ebbgate cannot honour: ${d.reason}. Nothing was sent. Change that there, or add the connection with --address and --no-ssh-config.`,
  'ssh.refused': (d) =>
    `${d.host} refused the connection on port ${d.port}. Nothing was changed on either side. Check that its SSH server runs and that the port is right.`,
  'ssh.timed-out': (d) =>
    `${d.host} (port ${d.port}) did not answer within ${d.seconds} s. Nothing half-written remains on this computer. Check the network, then try again.`,
  'ssh.unreachable': (d) =>
    `${d.host} (port ${d.port}) could not be reached: ${d.reason}. Nothing was changed. Check the name and the network.`,
  'ssh.lost': (d) =>
    `The connection to ${d.host} (port ${d.port}) was lost: ${d.reason}. Every file here is old or new, none half-written. Run the same again when it is back.`,
  'ssh.protocol': (d) =>
    `${d.host} (port ${d.port}) does not speak SSH as expected: ${d.reason}. Nothing was changed. Check that the port belongs to an SSH server.`,
  'ssh.host-key-unknown': (d) =>
    `${d.host} (port ${d.port}) shows a ${d.keyType} host key that is not known here: ${d.fingerprint}. ${d.authority === null ? '' : `A certificate authority is trusted for it (${d.authority}), but Ebbgate cannot ask for host certificates and needs the key itself. `}Nothing was sent, no login was tried. Compare it with the machine's own ("ssh-keygen -lf" there), then accept it with --accept-host-key ${d.fingerprint}.`,
  'ssh.host-key-changed': (d) =>
    `${d.host} (port ${d.port}) shows another host key than the known one. Shown: ${d.fingerprint}. Known: ${d.expected.join(', ')} (${d.file}, line ${d.line}). Nothing was sent, no login was tried. This happens after a reinstall, or when someone is in between: ask whoever runs the machine. Once you are sure, remove the old key yourself${d.forget === null ? ': a pattern names the host, so edit that line' : ` with this command: ${d.forget} . Then connect again`}.`,
  'ssh.host-key-revoked': (d) =>
    `${d.host} (port ${d.port}) shows a host key that is marked as revoked (${d.file}, line ${d.line}): ${d.fingerprint}. Nothing was sent. Do not use this machine until its key was replaced.`,
  'ssh.host-key-not-kept': (d) =>
    `You accepted the host key of ${d.host} (port ${d.port}), but it could not be added to ${d.file}: ${d.reason}. Nothing was sent, no login was tried. Add this line there yourself, or choose another file with --known-hosts: "${d.line}".`,
  'ssh.auth-rejected': (d) =>
    `${d.host} (port ${d.port}) did not let ${d.user} in. Tried: ${d.tried.join(', ') || 'nothing, no key was found'}. Nothing was changed. Check the user name and that the public key is in authorized_keys there.`,
  'ssh.passphrase-needed': (d) =>
    `The key ${d.file} is protected by a passphrase, and nobody gave it. Nothing was changed. Try again where you can type it, or add the key to your SSH agent ("ssh-add ${d.file}").`,
  'ssh.answer-needed': (d) =>
    `${d.host} (port ${d.port}) asks ${d.user} for a password or a code, and nobody gave one. Tried: ${d.tried.join(', ') || 'nothing else'}. Nothing was changed. Try again where you can type it, or let a key in there.`,
  'ssh.agent-waiting': (d) =>
    `Your key agent did not answer for ${d.keys.join(', ')}, which ${d.host} (port ${d.port}) waits for. Nothing was changed. Unlock the agent or confirm its question, then try again.`,
  'ssh.key-unusable': (d) =>
    `The key ${d.file} cannot be used: ${d.reason}. Nothing was sent. Choose another with --identity, or use the SSH agent.`,
  'ssh.one-channel': (d) =>
    `${d.host} allows one channel at a time (MaxSessions 1), and more are needed at once. Nothing half-written remains. Raise the limit there, or try again.`,
  'ssh.no-shell': (d) =>
    `${d.host} let us in but offers neither a usable shell nor SFTP: ${d.detail}. Nothing was changed. Check the account's login shell and its start-up files.`,
  'remote.home-missing': (d) =>
    `The folder ${d.path} does not exist on the remote. Nothing was changed. Check --remote-home, or the account's home directory.`,
  'remote.home-invalid': (d) => `${d.path} cannot be the Hermes home on the remote: ${d.reason}. Nothing was changed.`,
  'remote.failed': (d) =>
    `The remote could not ${d.operation} (${d.path}). It said: ${d.said || 'nothing'}. Files already in place are complete; the rest is as it was. Mend the cause there and run the same again.`,
  'remote.disk-full': (d) =>
    `The remote has no room left for ${d.path}. It said: ${d.said}. Existing files there are as they were. Free space there and run the same again.`,
  'local.failed': (d) =>
    `This computer could not ${d.operation} ${d.path}: ${d.reason}. Existing files are as they were. Mend the cause and run the same again.`,
  'local.no-space': (d) =>
    `${d.needed} bytes are needed here and ${d.free} are free (1 GB stays in reserve). Nothing was downloaded. The largest: ${d.largest.join(', ')}. Free space and run the same again.`,
  'sync.over-cap': (d) =>
    `${d.files} files of ${d.bytes} bytes together are more than one run may carry. Nothing was transferred. The largest: ${d.largest.join(', ')}. Exclude what does not belong there.`,
  'inbox.unknown': (d) => `Nothing waits under the id "${d.id}". Nothing was done. "inbox list" shows what waits.`,
  'inbox.not-allowed': (d) =>
    `${d.path} (${d.kind}) cannot be resolved with "${d.choice}". Nothing was done. Possible: ${d.possible.join(', ')}.`,
  'inbox.not-stored': (d) =>
    `The remote's version of ${d.path} is not stored on this computer. Nothing was done, and the item still waits. "session end" fetches it.`,
  'inbox.several-connections': () =>
    'These items belong to more than one connection. Nothing was done. Resolve those of one connection at a time.',
  'decision.unknown': (d) => `There is no decision with the id "${d.id}". Nothing was done. "inbox decisions" shows those that exist.`,
  'prompt.closed': (d) => `The question "${d.id}" is no longer open. The answer was not used. Start again if something still waits.`,
  'guard.unknown': (d) => `Nothing that guard mode found waits under the id "${d.id}". Nothing was done. "guard --once" shows what waits.`,
  'guard.nothing-kept': (d) => `There is no good copy of the hub's lock file for ${d.home} to put back. Nothing was changed.`,
  'history.unknown': (d) =>
    `There is no run "${d.id}" in the history; it keeps 12 months, and 10000 runs at most. Nothing was done. "history" shows those it has.`,
  'prune.nothing-kept': (d) =>
    `Nothing that a ${d.kind ?? 'prune or clean'} took from ${d.connection} is kept any more. Nothing was done. ${d.other === null ? '"history" shows what went and when.' : `What a ${d.other} took is still kept: "${d.other}" with --undo or --free is for that.`}`,
  'undo.other-run': (d) =>
    `What can be undone next for ${d.connection} is the ${d.kind} of ${d.time}, which was not the last thing done here, or not what you asked for. Nothing was done. To take that ${d.kind} back: "undo" with --run ${d.run}.`,
  'run.busy': (d) => `${d.connection} is busy: ${d.holder}. Nothing was done. Wait for it to end and try again.`,
  'run.cancelled': () => 'The run was cancelled. Every file is old or new, none half-written. Run the same again to go on.',
  'app.lost': (d) =>
    `The running Ebbgate went away before it answered: ${d.reason}. ${d.started ? 'Every file is old or new, none half-written' : 'Nothing was done'}. Run the same again.`,
  'store.busy': (d) =>
    `Another Ebbgate (process ${d.pid}) uses ${d.dataDir} and does not answer. Nothing was done. Close it, or use another --data-dir.`,
  'store.newer': (d) => `${d.file} was written by a newer Ebbgate (format ${d.version}). It was left as it is. Update this Ebbgate.`,
  'store.failed': (d) =>
    `Ebbgate could not ${d.operation} ${d.file}: ${d.reason}. The previous content is as it was. Check the disk and the folder's permissions.`,
  'web.not-built': (d) => `The window's files are missing (${d.path}). Nothing was started. Run "npm run build" first.`,
  'web.port': (d) => `The window cannot use port ${d.port}: ${d.reason}. Nothing was started. Choose another with --port, or leave it out.`,
  'web.signed-out': () =>
    'This window is no longer known to Ebbgate, probably because it was started again. Nothing was done. Open the address it printed last.',
  'web.unreachable': () =>
    'The Ebbgate behind this window does not answer. What is shown is the last that was known; no file is half-written. Start it again; this window comes back by itself or with the new address.',
  'web.bad-request': (d) => `The window asked for something Ebbgate cannot do: ${d.what}. Nothing was done. Reload the window.`,
  'internal.unexpected': (d) => `Something unexpected went wrong: ${d.what}. Files are old or new, none half-written. Please report it.`,
};

/** Exit codes of the command line, by the cause of a failure. */
export const exitCodes = { done: 0, failed: 1, usage: 2, held: 3, partly: 4, busy: 5, offline: 6, stopped: 7 } as const;

const exitByArea: Readonly<Record<string, number>> = {
  usage: exitCodes.usage,
  connection: exitCodes.usage,
  inbox: exitCodes.usage,
  decision: exitCodes.usage,
  history: exitCodes.usage,
  prune: exitCodes.usage,
  undo: exitCodes.usage,
  guard: exitCodes.usage,
  ssh: exitCodes.offline,
  remote: exitCodes.offline,
  run: exitCodes.busy,
};

/** The exit code for an error's code. */
export function exitCodeFor(code: string): number {
  if (code === 'store.busy') return exitCodes.busy;
  if (code === 'run.cancelled' || code === 'inbox.not-stored') return exitCodes.failed;
  return exitByArea[code.split('.')[0] ?? ''] ?? exitCodes.failed;
}

/** Every code, for the test that walks the catalogue. */
export const errorCodes = Object.keys(errorSentences) as readonly ErrorCode[];

/** The user's sentence for an error. */
export function describeError<C extends ErrorCode>(code: C, details: ErrorDetails[C]): string {
  return errorSentences[code](details);
}

/** The one error class. `message` is the user's sentence; `cause` keeps what the library or system said. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'AppError';
  readonly code: C;
  readonly details: ErrorDetails[C];

  constructor(code: C, details: ErrorDetails[C], options?: { cause?: unknown }) {
    super(describeError(code, details), options);
    this.code = code;
    this.details = details;
  }
}

/** Narrows to one code. */
export function isAppError<C extends ErrorCode>(error: unknown, code?: C): error is AppError<C> {
  return error instanceof AppError && (code === undefined || error.code === code);
}

/** The form in which an error crosses a process boundary; anything unknown becomes `internal.unexpected`. */
export function toWireError(error: unknown): WireError {
  if (error instanceof AppError) return { code: error.code, message: error.message, details: error.details };
  const what = error instanceof Error ? error.message : String(error);
  return { code: 'internal.unexpected', message: describeError('internal.unexpected', { what }), details: { what } };
}

/** Rebuilds an error on the other side of a boundary. */
export function fromWireError(wire: WireError): AppError {
  if ((errorCodes as readonly string[]).includes(wire.code)) {
    return new AppError(wire.code as ErrorCode, wire.details as ErrorDetails[ErrorCode]);
  }
  return new AppError('internal.unexpected', { what: wire.message });
}

const offlineCodes: ReadonlySet<string> = new Set<ErrorCode>(['ssh.refused', 'ssh.timed-out', 'ssh.unreachable', 'ssh.lost']);

/** Whether a failure means that the remote was not there; whatever else fails needs the user. */
export function isOffline(code: string): boolean {
  return offlineCodes.has(code);
}
