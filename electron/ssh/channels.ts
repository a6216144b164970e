import type { ClientChannel, SFTPWrapper } from 'ssh2';
import { stopError } from './ssh-errors';

/** At most this many channels are open on one connection; servers may allow as few as two. */
export const maxChannels = 2;

/** Hands out channel slots in order of asking. */
export class ChannelSlots {
  private free: number;
  private inUse = 0;
  /** Slots that end with the next release: the server allows fewer than was thought. */
  private surplus = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(limit: number = maxChannels) {
    this.free = limit;
  }

  /** Resolves with the release of a slot, which may be called more than once; rejects when the signal fires first. */
  async acquire(stop: AbortSignal): Promise<() => void> {
    if (stop.aborted) throw stopError(stop);
    if (this.free > 0) this.free -= 1;
    else await this.wait(stop);
    this.inUse += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.inUse -= 1;
      this.pass();
    };
  }

  /** The server refused the channel of a slot that is held. False when nothing else holds one, so that fewer slots would not help. */
  shrink(): boolean {
    if (this.inUse <= 1) return false;
    this.surplus += 1;
    return true;
  }

  private wait(stop: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        stop.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(go), 1);
        reject(stopError(stop));
      };
      stop.addEventListener('abort', leave, { once: true });
      this.waiting.push(go);
    });
  }

  private pass(): void {
    if (this.surplus > 0) {
      this.surplus -= 1;
      return;
    }
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}

/** Ends a channel that nobody wants any more; `release` is called once the remote closed it too. */
export function discard(channel: ClientChannel | SFTPWrapper, release: () => void): void {
  channel.on('error', () => undefined);
  if ('stderr' in channel && 'resume' in channel) {
    channel.resume();
    channel.stderr.resume();
  }
  channel.on('close', release);
  channel.end();
  if ('close' in channel && 'resume' in channel) channel.close();
}
