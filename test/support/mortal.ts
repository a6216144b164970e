import type { Disk, StagedFile } from '../../electron/engine/disk';

/** When a process is killed: at its n-th effect, before that happens or right after. */
export interface Kill {
  readonly at: number;
  readonly when: 'before' | 'after';
}

/** A process that may be killed. What it still tries to do afterwards fails and has no effect. */
export class Mortal {
  isGone = false;
  #effects = 0;
  #kill: Kill | null = null;

  /** Counts effects from now on; null: it lives. */
  arm(kill: Kill | null): void {
    this.#effects = 0;
    this.#kill = kill;
  }

  /** Throws when the process is gone. */
  check(): void {
    if (this.isGone) throw new Error('the process is gone');
  }

  /** One effect that cannot be half done. */
  async effect<T>(work: () => Promise<T>): Promise<T> {
    const due = this.#isDue();
    if (due?.when === 'before') this.#die();
    const result = await work();
    if (due !== null) this.#die();
    return result;
  }

  /** The moment before an effect of somebody else's code. */
  step(): void {
    if (this.#isDue() !== null) this.#die();
  }

  #isDue(): Kill | null {
    this.check();
    this.#effects += 1;
    return this.#kill !== null && this.#effects >= this.#kill.at ? this.#kill : null;
  }

  #die(): never {
    this.isGone = true;
    throw new Error('the process was killed');
  }
}

/** The same object, whose named methods are effects of the process and whose others need it alive. */
export function mortalParts<T extends object>(mortal: Mortal, parts: T, effects: readonly (keyof T)[]): T {
  const names = new Set<string | symbol>(effects.map(String));
  return new Proxy(parts, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        const call = (): unknown => Reflect.apply(value, target, args);
        if (names.has(name)) return mortal.effect(async () => call());
        mortal.check();
        return call();
      };
    },
  });
}

const diskEffects: readonly (keyof Disk)[] = [
  ...(['makeFolder', 'removeEmptyFolder', 'dropTemporaries', 'setStagedMode', 'dropStaged', 'place', 'unplace'] as const),
  ...(['keepCopy', 'keepMoved', 'dropKept', 'putBack'] as const),
];

/** A disk used by a process that may be killed. Its open files are closed by the system then, and none is removed. */
export function mortalDisk(mortal: Mortal, disk: Disk): Disk {
  const parts = mortalParts(mortal, disk, diskEffects);
  return {
    ...Object.fromEntries(Object.keys(disk).map((name) => [name, parts[name as keyof Disk]])),
    // No test waits for the clock.
    settle: async () => mortal.check(),
    stage: async (name: string, attributes: Parameters<Disk['stage']>[1]) => {
      const opened: { file: StagedFile | null } = { file: null };
      // What is open when a process ends is closed, and stays as it is.
      const close = async (error: unknown): Promise<never> => {
        await opened.file?.finish().catch(() => undefined);
        throw error;
      };
      const staged = await mortal
        .effect(async () => {
          opened.file = await disk.stage(name, attributes);
          return opened.file;
        })
        .catch(close);
      const end = (how: 'finish' | 'discard') => mortal.effect(() => staged[how]()).catch(close);
      return {
        write: (chunk: Uint8Array) => mortal.effect(() => staged.write(chunk)),
        finish: () => end('finish'),
        discard: () => end('discard'),
      };
    },
  } as Disk;
}
