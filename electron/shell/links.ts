/** Where releases are told of: a JSON document `{"version": "1.2.3"}`. */
export const releaseFeed = 'https://example.org/ebbgate/latest.json';
/** The page from which a person gets a newer version. */
export const releasePage = 'https://example.org/ebbgate/releases';

/** Every address that may be opened in the browser. Nothing is added to it at run time. */
const openable: ReadonlySet<string> = new Set([releasePage, 'https://example.org/ebbgate']);

/** Whether an address that the window asks for may be opened in the browser. */
export function isOpenable(url: string): boolean {
  return openable.has(url);
}
