import { type InboxItem, type Resolution, resolutionsFor } from '../shared/inbox';
import { words } from './words';

/** A button for what waits: what it says, and which machine it changes. */
export interface OfferedResolution {
  readonly choice: Resolution;
  readonly label: string;
  readonly hint: string;
  /** True when the remote's version must be stored for it and is not. */
  readonly lacking: boolean;
}

/** What the user may do with an item, the safest first. `name` is the remote's. Of two versions one of which is gone, there are no both. */
export function offeredFor(item: InboxItem, name: string): readonly OfferedResolution[] {
  const possible = resolutionsFor[item.kind].filter((choice) => choice !== 'keep-both' || item.remote !== null);
  return possible.map((choice) => {
    const [label, hint] = wordsFor(choice, item);
    const places = choice === 'keep-remote' || choice === 'keep-both' || choice === 'release';
    return { choice, label: label(name), hint: hint(name), lacking: places && item.remote !== null && !item.stored };
  });
}

type Word = (name: string) => string;

function wordsFor(choice: Resolution, { kind, local, remote }: InboxItem): readonly [Word, Word] {
  const { resolve, resolveHints: hints } = words;
  switch (choice) {
    case 'keep-local':
      return [resolve.keepLocal, local === null ? hints.keepLocalRemoved : hints.keepLocal];
    case 'keep-remote':
      return [resolve.keepRemote, remote === null ? hints.keepRemoteRemoved : hints.keepRemote];
    case 'keep-both':
      return [resolve.keepBoth, hints.keepBoth];
    case 'expect':
      return [resolve.expect, hints.expect];
    case 'release':
      if (kind === 'growth') return [resolve.release, hints.releaseHeld];
      return [resolve.release, remote === null ? hints.keepRemoteRemoved : hints.release];
    case 'discard':
      return kind === 'growth' ? [resolve.leave, hints.leave] : [resolve.discard, hints.discard];
    case 'exclude':
      return kind === 'guarded' ? [resolve.keepAlways, hints.keepAlways] : [resolve.exclude, hints.exclude];
  }
}
