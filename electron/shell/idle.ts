/** What the idle watch needs from outside. Times are in milliseconds. */
export interface IdleDeps {
  /** How long nobody has used this computer. */
  idleMs(): number;
  /** Calls back once after a time; returns the function that forgets it. */
  after(ms: number, callback: () => void): () => void;
  /** Called when nobody used the computer for the whole limit. */
  isIdle(): void;
}

/** Looks only when the limit can have been reached: once for each limit's length, never in between. */
export interface IdleWatch {
  /** Sets the limit; null stops watching. */
  limit(ms: number | null): void;
}

/** Watches for the user to leave. */
export function createIdleWatch({ idleMs, after, isIdle }: IdleDeps): IdleWatch {
  let forget = () => {};
  let limit: number | null = null;
  const look = () => {
    if (limit === null) return;
    const left = limit - idleMs();
    if (left <= 0) isIdle();
    // Whoever has left is looked at again only after another limit: a new stay begins with the next input.
    forget = after(left <= 0 ? limit : left, look);
  };
  return {
    limit: (ms) => {
      if (ms === limit) return;
      forget();
      limit = ms;
      if (limit !== null) forget = after(limit, look);
    },
  };
}
