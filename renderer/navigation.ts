import { useEffect, useRef, useSyncExternalStore } from 'react';
import { hashOf, parentOf, parseHash, type Route } from '../shared/route';

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** Goes somewhere else, as a link would. */
export function goTo(route: Route): void {
  window.location.hash = hashOf(route);
}

/** The link on this screen that leads to an address, the way back apart. */
function linkTo(hash: string): HTMLElement | null {
  return [...document.querySelectorAll<HTMLElement>('a:not(.back)')].find((link) => link.getAttribute('href') === hash) ?? null;
}

/**
 * Moves the focus with the screen: to the link that led to the one just left, or to the heading of what was opened. A link that is
 * only drawn once something was read still gets it, as long as the focus went nowhere else.
 */
function useFocus(hash: string): void {
  const before = useRef<string | null>(null);
  useEffect(() => {
    const left = before.current;
    before.current = hash;
    if (left === null || left === hash) return;
    const heading = document.querySelector<HTMLElement>('h1');
    const led = linkTo(left);
    if (led === null) document.querySelector('main')?.scrollTo(0, 0);
    (led ?? heading)?.focus();
    if (led !== null) return;
    const observer = new MutationObserver(() => {
      if (document.activeElement !== heading) return observer.disconnect();
      const late = linkTo(left);
      if (late === null) return;
      observer.disconnect();
      late.focus();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [hash]);
}

/** A run is reached from several screens, and leads back to the one it was reached from. */
function useParent(route: Route): Route {
  const listed = useRef<Route>({ kind: 'history', id: null });
  if (route.kind === 'connection' || route.kind === 'history') listed.current = route;
  return route.kind === 'run' ? listed.current : parentOf(route);
}

/** Escape leads back, unless it closes something else or leaves a field that holds text. */
function useEscape(route: Route, parent: Route): void {
  useEffect(() => {
    if (route.kind === 'connections') return;
    const back = (event: KeyboardEvent) => {
      const inDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
      const writing = event.target instanceof HTMLInputElement && event.target.value !== '' && event.target.type !== 'checkbox';
      if (event.key === 'Escape' && !event.defaultPrevented && !inDialog && !writing) goTo(parent);
    };
    window.addEventListener('keydown', back);
    return () => window.removeEventListener('keydown', back);
  }, [route, parent]);
}

/** Where the window is and where back leads. Takes care of focus and the Escape key. */
export function useNavigation(): { readonly route: Route; readonly parent: Route } {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  const route = parseHash(hash);
  const parent = useParent(route);
  useFocus(hash);
  useEscape(route, parent);
  return { route, parent };
}
