import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { Bridge, Envelope, Params, Reply, RequestName } from '../shared/contract';
import type { Settings } from '../shared/settings';
import { coalesce } from './coalesce';
import { type Commands, createCommands } from './commands';
import { type AppState, initialState, reduce } from './state';
import { speak } from './words';

/** Relative times are drawn anew this often; nothing is asked for it. */
const clockMs = 30_000;

/** The time, for what is said relative to it. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), clockMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/**
 * The answer to a request, asked anew when its parameters or `version` change; the last one is kept until then. Null before the
 * first. Without parameters nothing is asked.
 */
export function useAnswer<K extends RequestName>(
  bridge: Bridge,
  name: K,
  params: Params<K> | null,
  version: unknown = null,
): Envelope<Reply<K>> | null {
  const [answer, setAnswer] = useState<Envelope<Reply<K>> | null>(null);
  const key = params === null ? null : JSON.stringify(params);
  // biome-ignore lint/correctness/useExhaustiveDependencies: parameters count by what is in them; a new version asks again
  useEffect(() => {
    if (key === null) return;
    let current = true;
    void bridge.call(name, JSON.parse(key) as Params<K>).then((reply) => {
      if (current) setAnswer(reply);
    });
    return () => {
      current = false;
    };
  }, [bridge, name, key, version]);
  return answer;
}

/** Keeps state in step with the application: everything once, then again when an event says that it changed. */
export function useApplication(bridge: Bridge, opened: string | null): { readonly state: AppState; readonly commands: Commands } {
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
    // the language first: what is drawn next is drawn in it
    const follow = (reply: Envelope<Settings>) => {
      if (reply.ok) speak(reply.value.language);
      dispatch({ kind: 'settings', reply });
    };
    const stop = bridge.listen((event) => {
      if (event.event === 'settings') return follow({ ok: true, value: event.data });
      dispatch({ kind: 'event', event });
      if (event.event === 'progress') return;
      refreshStatus();
      if (event.event === 'prompts') return;
      refreshInbox();
    });
    void bridge.call('settings.read', {}).then(follow);
    void bridge.call('prompt.list', {}).then((reply) => dispatch({ kind: 'prompts', reply }));
    refreshStatus();
    return stop;
  }, [bridge, refreshStatus, refreshInbox]);

  useEffect(() => {
    if (opened !== null) refreshInbox();
  }, [opened, refreshInbox]);

  const commands = useMemo(() => createCommands(bridge, dispatch), [bridge]);
  return { state, commands };
}
