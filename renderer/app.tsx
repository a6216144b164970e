import { useEffect, useMemo, useReducer, useRef, useState, useSyncExternalStore } from 'react';
import type { Bridge } from '../shared/contract';
import { coalesce } from './coalesce';
import { createCommands } from './commands';
import { BackLink } from './components/back-link';
import { ErrorCard } from './components/error-card';
import { visibleName } from './format';
import { hashOf, parseHash } from './route';
import { factsOf, initialState, reduce } from './state';
import { ConnectionView } from './views/connection';
import { ConnectionsView } from './views/connections';
import { words } from './words';

const historyLimit = 30;
/** Relative times are drawn anew this often; nothing is asked for it. */
const clockMs = 30_000;

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), clockMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function useHash(): string {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('hashchange', listener);
      return () => window.removeEventListener('hashchange', listener);
    },
    () => window.location.hash,
  );
}

/** Keeps state in step with the application: everything once, then again when an event says that it changed. */
function useApplication(bridge: Bridge, opened: string | null) {
  const [state, dispatch] = useReducer(reduce, initialState);
  const openedNow = useRef(opened);
  openedNow.current = opened;

  const refreshStatus = useMemo(() => coalesce(async () => dispatch({ kind: 'status', reply: await bridge.call('status', {}) })), [bridge]);
  const refreshInbox = useMemo(
    () =>
      coalesce(async () => {
        const connection = openedNow.current;
        if (connection === null) return;
        dispatch({ kind: 'inbox', connection, reply: await bridge.call('inbox.list', { connection }) });
        dispatch({ kind: 'decisions', connection, reply: await bridge.call('decision.list', { connection }) });
      }),
    [bridge],
  );

  useEffect(() => {
    const stop = bridge.listen((event) => {
      dispatch({ kind: 'event', event });
      if (event.event === 'progress') return;
      refreshStatus();
      refreshInbox();
    });
    refreshStatus();
    return stop;
  }, [bridge, refreshStatus, refreshInbox]);

  useEffect(() => {
    if (opened === null) return;
    refreshInbox();
    void bridge
      .call('history.list', { connection: opened, limit: historyLimit })
      .then((reply) => dispatch({ kind: 'history', connection: opened, reply }));
  }, [bridge, opened, refreshInbox]);

  const commands = useMemo(() => createCommands(bridge, dispatch), [bridge]);
  return { state, commands };
}

/** Moves the focus with the view: to the heading of what was opened, and back to the row it was opened from. */
function useFocus(opened: string | null): void {
  const before = useRef<string | null>(null);
  useEffect(() => {
    const left = before.current;
    before.current = opened;
    if (opened === left) return;
    const row = left === null ? null : document.querySelector<HTMLElement>(`[data-connection="${CSS.escape(left)}"]`);
    (row ?? document.querySelector<HTMLElement>('h1'))?.focus();
    if (opened !== null) document.querySelector('main')?.scrollTo(0, 0);
  }, [opened]);
}

function useEscape(opened: string | null): void {
  useEffect(() => {
    if (opened === null) return;
    const back = (event: KeyboardEvent) => {
      if (event.key === 'Escape') window.location.hash = hashOf({ kind: 'connections' });
    };
    window.addEventListener('keydown', back);
    return () => window.removeEventListener('keydown', back);
  }, [opened]);
}

function Gone() {
  return (
    <>
      <header>
        <BackLink />
        <h1 tabIndex={-1}>{words.appName}</h1>
      </header>
      <main>
        <p>{words.gone}</p>
      </main>
    </>
  );
}

/** The window: one of its two screens, by the address. */
export function App({ bridge }: { readonly bridge: Bridge }) {
  const route = parseHash(useHash());
  const opened = route.kind === 'connection' ? route.id : null;
  const { state, commands } = useApplication(bridge, opened);
  const now = useNow();
  const view = state.status?.connections.find((one) => one.id === opened) ?? null;
  useFocus(opened);
  useEscape(opened);
  useEffect(() => {
    document.title = view === null ? words.appName : `${visibleName(view.name)} · ${words.appName}`;
  }, [view]);

  if (opened === null || state.status === null) return <ConnectionsView state={state} now={now} />;
  if (view === null) return <Gone />;
  return (
    <ConnectionView view={view} facts={factsOf(state, view.id)} commands={commands} now={now}>
      {state.problem && <ErrorCard title={words.windowOffline} error={state.problem} />}
    </ConnectionView>
  );
}
