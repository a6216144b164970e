import { AppError } from '../../shared/errors';

/** Throws `run.cancelled` when the signal has aborted. */
export function throwIfCancelled(signal: Pick<AbortSignal, 'aborted'>): void {
  if (signal.aborted) throw new AppError('run.cancelled', {});
}

/** Settles as the promise does, or with `run.cancelled` as soon as the signal aborts. What the promise does then is ignored. */
export function orCancelled<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = () => reject(new AppError('run.cancelled', {}));
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}

/** The same values, ending with `run.cancelled` as soon as the signal aborts, even while the next value is awaited. */
export async function* untilCancelled<T>(values: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = values[Symbol.asyncIterator]();
  let open = true;
  try {
    for (;;) {
      const next = await orCancelled(iterator.next(), signal);
      if (next.done === true) {
        open = false;
        return;
      }
      yield next.value;
    }
  } finally {
    // Not awaited: a source that hangs would hold the cancellation up. Its failure has nobody left to tell.
    if (open) iterator.return?.().catch(() => undefined);
  }
}
