/**
 * Wraps a task so that calls made while it runs lead to one more run at its end, however many they were.
 * The last call's effect is always seen: a run starts after it.
 */
export function coalesce(task: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async () => {
    running = true;
    try {
      do {
        again = false;
        await task();
      } while (again);
    } finally {
      running = false;
    }
  };
  return () => {
    if (running) again = true;
    else void run();
  };
}
