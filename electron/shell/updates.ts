import { releaseFeed } from './links';

/** How long an answer is waited for. */
const patienceMs = 15_000;
/** More than an answer ever has. */
const mostBytes = 10_000;

/** Whether the first version is later than the second; anything that is no version is not. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(text)?.slice(1).map(Number));
  if (a === undefined || b === undefined) return false;
  const index = a.findIndex((number, place) => number !== b[place]);
  return index >= 0 && (a[index] ?? 0) > (b[index] ?? 0);
}

/**
 * Asks which version is the newest and gives it when it is newer than ours. It only tells: nothing is downloaded, nothing is
 * installed, and nothing about this computer is sent. No answer, or one that cannot be understood, is no news.
 */
export async function newerVersion(own: string, get: typeof fetch = fetch): Promise<string | null> {
  try {
    const response = await get(releaseFeed, { signal: AbortSignal.timeout(patienceMs), redirect: 'error', credentials: 'omit' });
    const text = await response.text();
    if (!response.ok || text.length > mostBytes) return null;
    const { version }: { version?: unknown } = JSON.parse(text);
    return typeof version === 'string' && isNewer(version, own) ? version : null;
  } catch {
    return null; // offline, or no feed: asked again tomorrow
  }
}

const dayMs = 86_400_000;

/** Looks now and once a day for a newer version, while that is wanted. Returns the function that stops it. */
export function followUpdates(own: string, wanted: () => boolean, found: (version: string) => void): () => void {
  const look = async () => {
    const version = wanted() ? await newerVersion(own) : null;
    if (version !== null) found(version);
  };
  void look();
  const timer = setInterval(() => void look(), dayMs);
  return () => clearInterval(timer);
}
