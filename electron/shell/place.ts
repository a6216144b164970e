/** A place in the window that tray and notifications lead to. */
export type Place =
  | { readonly kind: 'connections' | 'add' | 'settings' }
  | { readonly kind: 'connection' | 'inspection'; readonly id: string };

/** The part of the window's address that stands for a place. */
export function hashOf(place: Place): string {
  if ('id' in place) return `#/${place.kind}/${encodeURIComponent(place.id)}`;
  return place.kind === 'connections' ? '#/' : `#/${place.kind}`;
}
