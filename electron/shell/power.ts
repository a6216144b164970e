import { powerMonitor } from 'electron';
import { createIdleWatch, type IdleWatch } from './idle';

export interface PowerOptions {
  /** The computer slept and is awake again. */
  onResume(): void;
  /** The system shuts down, restarts or ends the user's session: no time is left to ask. */
  onShutdown(): void;
  /** Nobody used the computer for as long as was set. */
  onIdle(): void;
}

/** Follows the computer's power. Sleep itself is told too late to do anything; what it broke is mended on waking. */
export function followPower({ onResume, onShutdown, onIdle }: PowerOptions): IdleWatch {
  powerMonitor.on('resume', onResume);
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    // Holds the shutdown for the moment that a safe point takes; the system does not wait long.
    event?.preventDefault();
    onShutdown();
  });
  return createIdleWatch({
    idleMs: () => powerMonitor.getSystemIdleTime() * 1000,
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    isIdle: onIdle,
  });
}
