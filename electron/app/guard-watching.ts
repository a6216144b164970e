import type { HomeWatching } from '../../shared/guard';
import type { HomeWatch, WatchRequest } from '../hygiene/watch';

/** Watches of homes, one each, as long as the process is asked to watch. */
export interface Watching {
  readonly isStarted: boolean;
  watchOf(home: string): HomeWatching;
  start(): void;
  /** Watches the homes there are now. */
  refresh(): void;
  /** Asks for a look at a home soon; nothing happens where nobody watches. */
  touch(home: string): void;
  /** Idempotent. */
  stop(): Promise<void>;
}

/** `homes` names the homes to watch, none when guard mode is off; `open` begins to watch one; `changed` hears that events went or came. */
export function createWatching(
  homes: () => readonly string[],
  open: (home: string, onEvents: WatchRequest['onEvents']) => Promise<HomeWatch>,
  changed: () => void,
): Watching {
  const watches = new Map<string, Promise<HomeWatch | null>>();
  /** Watched homes of which no events come. */
  const eventless = new Set<string>();
  let isStarted = false;
  const refresh = (): void => {
    if (!isStarted) return;
    const wanted = new Set(homes());
    for (const [home, watch] of watches) {
      if (wanted.has(home)) continue;
      watches.delete(home);
      void watch.then((one) => one?.stop());
    }
    // One that cannot be opened is tried again at the next change.
    for (const home of wanted) {
      if (watches.has(home)) continue;
      eventless.delete(home);
      const onEvents = (available: boolean): void => {
        if (available) eventless.delete(home);
        else eventless.add(home);
        changed();
      };
      const watch = open(home, onEvents).catch(() => {
        watches.delete(home);
        return null;
      });
      watches.set(home, watch);
    }
  };
  return {
    get isStarted() {
      return isStarted;
    },
    start: () => {
      isStarted = true;
      refresh();
    },
    watchOf: (home) => (!watches.has(home) ? 'none' : eventless.has(home) ? 'rescan' : 'events'),
    refresh,
    touch: (home) => void watches.get(home)?.then((watch) => watch?.touch()),
    stop: async () => {
      isStarted = false;
      const stopping = [...watches.values()];
      watches.clear();
      for (const watch of stopping) await (await watch)?.stop();
    },
  };
}
