/** Where the window is. Kept in the address, so that back, reload and links from outside work. */
export type Route =
  | { readonly kind: 'connections' }
  /** The form, or the test and preview of a connection that was just added. */
  | { readonly kind: 'add'; readonly id: string | null }
  | { readonly kind: 'settings' }
  | { readonly kind: 'connection'; readonly id: string }
  | { readonly kind: 'inspection'; readonly id: string }
  /** Of one connection, or of all. */
  | { readonly kind: 'history'; readonly id: string | null }
  | { readonly kind: 'run'; readonly id: string };

/** The route an address means; anything unknown is the first screen. */
export function parseHash(hash: string): Route {
  const [, kind = '', encoded = '', ...rest] = hash.split('/');
  const id = decode(encoded);
  if (hash.startsWith('#/') && rest.length === 0 && id !== null) {
    if (kind === 'settings' && id === '') return { kind };
    if (kind === 'add' || kind === 'history') return { kind, id: id === '' ? null : id };
    if ((kind === 'connection' || kind === 'inspection' || kind === 'run') && id !== '') return { kind, id };
  }
  return { kind: 'connections' };
}

/** A part of an address as it was before it was encoded; a broken encoding names nothing. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The address of a route. */
export function hashOf(route: Route): string {
  if (route.kind === 'connections') return '#/';
  const id = 'id' in route ? route.id : null;
  return id === null ? `#/${route.kind}` : `#/${route.kind}/${encodeURIComponent(id)}`;
}

/** Where the way back leads. */
export function parentOf(route: Route): Route {
  if (route.kind === 'inspection') return { kind: 'connection', id: route.id };
  if (route.kind === 'history' && route.id !== null) return { kind: 'connection', id: route.id };
  return route.kind === 'run' ? { kind: 'history', id: null } : { kind: 'connections' };
}
