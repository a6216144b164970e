import type { ComparedVersion, InboxComparison, InboxItem } from '../../shared/inbox';
import type { AgreedEntry } from '../engine/entry';

/** Where the versions of one item are found. Each answers the whole content, null when there is none. */
export interface VersionSources {
  /** The file here, as it is now; refuses to read more than `most` bytes and then says only the length. */
  local(path: string, most: number): Promise<FoundContent | null>;
  /** The remote's version in the inbox. */
  stored(id: string): Promise<Buffer | null>;
  /** What both sides last agreed on; null when they never did. */
  agreed(connection: string, path: string): Promise<AgreedEntry | null>;
  /** That content, as it was kept when both sides agreed or when a run replaced or removed it at the path; null when it is not kept. */
  kept(connection: string, path: string, agreed: AgreedEntry): Promise<Buffer | null>;
}

export interface FoundContent {
  readonly bytes: number;
  readonly hash: string;
  /** Null when it is too long to be compared. */
  readonly content: Buffer | null;
}

/** Longest text that is compared, in bytes. */
export const longestCompared = 256 * 1024;

/** The three versions of what waits, as text where they are text. */
export async function compareItem(item: InboxItem, sources: VersionSources): Promise<InboxComparison> {
  const local = await sources.local(item.path, longestCompared);
  const remoteShort = item.remote !== null && item.remote.bytes <= longestCompared;
  const stored = remoteShort ? await sources.stored(item.id) : null;
  const agreed = await sources.agreed(item.connection, item.path);
  return {
    base: await baseOf(item, agreed, { local, stored }, sources),
    local: local === null ? gone : { state: 'available', bytes: local.bytes, text: textOf(local.content) },
    remote: remoteOf(item, stored),
    localChanged: item.kind !== 'growth' && (local?.hash ?? null) !== (item.local?.hash ?? null),
  };
}

const gone: ComparedVersion = { state: 'gone', bytes: null, text: null };

function remoteOf({ remote, stored: isStored, kind, bytes }: InboxItem, stored: Buffer | null): ComparedVersion {
  if (remote === null) return kind === 'growth' ? { state: 'not-kept', bytes, text: null } : gone;
  if (stored === null && (!isStored || remote.bytes <= longestCompared)) return { state: 'not-kept', bytes: remote.bytes, text: null };
  return { state: 'available', bytes: remote.bytes, text: textOf(stored) };
}

async function baseOf(
  item: InboxItem,
  agreed: AgreedEntry | null,
  { local, stored }: { readonly local: FoundContent | null; readonly stored: Buffer | null },
  sources: VersionSources,
): Promise<ComparedVersion> {
  if (agreed === null) return gone;
  const bytes = agreed.size;
  const available = (content: Buffer | null): ComparedVersion => ({ state: 'available', bytes, text: textOf(content) });
  if (local?.hash === agreed.hash) return available(local.content);
  if (item.remote?.hash === agreed.hash && item.stored) return available(stored);
  const kept = bytes <= longestCompared ? await sources.kept(item.connection, item.path, agreed) : null;
  return kept === null ? { state: 'not-kept', bytes, text: null } : available(kept);
}

/** The text of a file; null for what is no text or too long. */
function textOf(content: Buffer | null): string | null {
  if (content === null || content.length > longestCompared || content.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return null;
  }
}
