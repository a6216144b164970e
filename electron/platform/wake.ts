import { networkInterfaces } from 'node:os';

export interface WakeOptions {
  readonly onWake: () => void;
  /** Milliseconds between two looks. */
  readonly everyMs?: number;
  /** Milliseconds, as the wall clock tells them. */
  readonly now?: () => number;
  /** Milliseconds of a clock that nobody sets; on some systems it stands still while the computer sleeps. */
  readonly steady?: () => number;
  /** This computer's addresses, as one text. */
  readonly addresses?: () => string;
}

/** The wall clock may be set by so much without it meaning a sleep. */
const slackMs = 5000;

/**
 * Notices by itself that the computer slept or changed its network: the system's own event comes late, or not at all. Returns
 * the function that ends this.
 */
export function watchForWake(options: WakeOptions): () => void {
  const { onWake, everyMs = 4000, now = Date.now, steady = () => performance.now(), addresses = ownAddresses } = options;
  let last = { now: now(), steady: steady(), addresses: addresses() };
  const timer = setInterval(() => {
    const before = last;
    last = { now: now(), steady: steady(), addresses: addresses() };
    const passed = last.steady - before.steady;
    // Either the steady clock stood still meanwhile, or it went on and this look comes late.
    const slept = last.now - before.now - passed > slackMs || passed > everyMs + slackMs;
    if (slept || last.addresses !== before.addresses) onWake();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function ownAddresses(): string {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  // Addresses of a single cable come and go with every container.
  const outward = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return outward
    .map(({ address }) => address)
    .sort()
    .join(' ');
}
