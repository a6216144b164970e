import type { Status } from '../../shared/contract';
import type { Host } from '../ipc/host';
import { call } from './host-calls';
import { createTray, type TrayOptions, type TrayView } from './tray';
import { type TrayFacts, trayModel } from './tray-model';
import type { Speech } from './words';

export interface TrayKeeperOptions extends Omit<TrayOptions, 'first'> {
  readonly host: Host;
  speech(): Speech;
  /** What the tray shows beside the status. */
  facts(): TrayFacts;
  /** Called with each status that is read. */
  onStatus(status: Status): void;
  report(error: unknown): void;
}

/** The tray, kept in step with the application. */
export interface TrayKeeper {
  /** Null where the tray could not be made: then the window is the whole interface. */
  readonly view: TrayView | null;
  /** Shows what changed, in half a second at most. */
  refreshSoon(): void;
  stop(): void;
}

/** Between two drawings: a run tells of its progress more often than a menu can be read. */
const pauseMs = 500;
/** Without an event, today's time would still be shown tomorrow. */
const clockMs = 300_000;

/** Puts up the tray and redraws it when something changes, twice a second at most. */
export async function keepTray(options: TrayKeeperOptions): Promise<TrayKeeper> {
  const { host, speech, facts, onStatus, report } = options;
  const read = async () => {
    const status = await call(host, 'status', {});
    onStatus(status);
    return trayModel(status, { now: new Date(), ...speech() }, facts());
  };
  const view = tryTray({ ...options, first: await read() }, report);
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  const refresh = async () => {
    timer = null;
    const model = await read();
    if (!stopped) view?.update(model);
  };
  const refreshSoon = () => {
    if (!stopped) timer ??= setTimeout(() => void refresh().catch(report), pauseMs);
  };
  const stopListening = host.listen(refreshSoon);
  const clock = setInterval(refreshSoon, clockMs);
  return {
    view,
    refreshSoon,
    stop: () => {
      stopped = true;
      stopListening();
      clearInterval(clock);
      if (timer !== null) clearTimeout(timer);
      view?.dispose();
    },
  };
}

function tryTray(options: TrayOptions, report: (error: unknown) => void): TrayView | null {
  try {
    return createTray(options);
  } catch (error) {
    report(error);
    return null;
  }
}
