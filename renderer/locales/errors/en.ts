import { formatBytes } from '../../../shared/bytes';
import { type ErrorSentences, errorSentences } from '../../../shared/errors';
import { formatNumber } from '../../format';

const bytes = (count: number) => formatBytes(count, 'en');

/** What a window says in English: as everywhere, but with amounts for a reader, and with what the window has instead of flags. */
export const errorsEn: ErrorSentences = {
  ...errorSentences,
  'connection.unknown': (d) => `There is no connection named "${d.name}". Nothing was done.`,
  'connection.alias-unresolved': (d) =>
    `The SSH alias "${d.alias}" could not be resolved: ${d.reason}. Nothing was sent. Check it with "ssh -G ${d.alias}", or give the address instead of the alias.`,
  'connection.unsupported-option': (d) =>
    `The SSH configuration of ${d.host} uses ${d.option}, which Ebbgate cannot honour: ${d.reason}. Nothing was sent. Change that there, or add the connection on the command line with --address and --no-ssh-config.`,
  'ssh.host-key-unknown': (d) =>
    `${d.host} (port ${d.port}) shows a ${d.keyType} host key that is not known here: ${d.fingerprint}. ${d.authority === null ? '' : `A certificate authority is trusted for it (${d.authority}), but Ebbgate cannot ask for host certificates and needs the key itself. `}Nothing was sent, no login was tried. Compare it with the machine's own ("ssh-keygen -lf" there), and only then trust it.`,
  'ssh.host-key-not-kept': (d) =>
    `You accepted the host key of ${d.host} (port ${d.port}), but it could not be added to ${d.file}: ${d.reason}. Nothing was sent, no login was tried. Add this line there yourself: "${d.line}".`,
  'ssh.key-unusable': (d) =>
    `The key ${d.file} cannot be used: ${d.reason}. Nothing was sent. Name another in your SSH configuration, or use the SSH agent.`,
  'remote.home-missing': (d) =>
    `The folder ${d.path} does not exist on the remote. Nothing was changed. Check the Hermes home of the connection, or the account's home directory.`,
  'inbox.unknown': (d) => `Nothing waits under the id "${d.id}" any more. Nothing was done.`,
  'inbox.not-stored': (d) =>
    `The remote's version of ${d.path} is not stored on this computer. Nothing was done, and the item still waits. Ending a session fetches it.`,
  'decision.unknown': (d) => `There is no decision with the id "${d.id}" any more. Nothing was done.`,
  'guard.unknown': (d) => `Nothing that guard mode found waits under the id "${d.id}" any more. Nothing was done.`,
  'history.unknown': (d) => `There is no run "${d.id}" in the history; it keeps 12 months, and 10000 runs at most. Nothing was done.`,
  'prune.nothing-kept': (d) =>
    `Nothing that a ${d.kind ?? 'prune or clean'} took from ${d.connection} is kept any more. Nothing was done. ${d.other === null ? 'The history shows what went and when.' : `What a ${d.other} took is still kept.`}`,
  'undo.other-run': (d) =>
    `What can be undone next for ${d.connection} is the ${d.kind} of ${d.time}, which was not the last thing done here, or not what you asked for. Nothing was done. Look at the connection again: Undo names what it takes back.`,
  'local.no-space': (d) =>
    `${bytes(d.needed)} are needed here and ${bytes(d.free)} are free (${bytes(1e9)} stay in reserve). Nothing was downloaded. The largest: ${d.largest.join(', ')}. Free space and run the same again.`,
  'sync.over-cap': (d) =>
    `${formatNumber(d.files, 'en')} files, ${bytes(d.bytes)} together, are more than one run may carry. Nothing was transferred. The largest: ${d.largest.join(', ')}. Exclude what does not belong there.`,
};
