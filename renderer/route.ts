/** Where the window is. Kept in the address, so that back, reload and links from outside work. */
export type Route = { readonly kind: 'connections' } | { readonly kind: 'connection'; readonly id: string };

const prefix = '#/connection/';

/** The route an address means; anything unknown is the first screen. */
export function parseHash(hash: string): Route {
  if (!hash.startsWith(prefix)) return { kind: 'connections' };
  try {
    const id = decodeURIComponent(hash.slice(prefix.length));
    return id === '' ? { kind: 'connections' } : { kind: 'connection', id };
  } catch {
    return { kind: 'connections' }; // a broken encoding names no connection
  }
}

/** The address of a route. */
export function hashOf(route: Route): string {
  return route.kind === 'connections' ? '#/' : `${prefix}${encodeURIComponent(route.id)}`;
}
