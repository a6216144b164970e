/** Milliseconds after which a long piece of work lets others run: a window that waits must not notice it. */
const turnMs = 8;
/** Values between two looks at the clock. */
const valuesAtOnce = 100;

/** Calls `work` with each value in order. Others get their turn in between, so that a long list holds nobody up. */
export async function inTurns<T>(values: Iterable<T>, work: (value: T) => void): Promise<void> {
  let startedAt = performance.now();
  let count = 0;
  for (const value of values) {
    work(value);
    count += 1;
    if (count % valuesAtOnce !== 0 || performance.now() - startedAt < turnMs) continue;
    await new Promise(setImmediate);
    startedAt = performance.now();
  }
}
