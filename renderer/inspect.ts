import { useEffect, useState } from 'react';
import type { Bridge, Reply, WireError } from '../shared/contract';

/** What an inspection found. With a problem, `found` shows this computer alone. */
export interface Inspected {
  readonly found: Reply<'inspect'> | null;
  readonly problem: WireError | null;
  readonly looking: boolean;
}

async function inspect(bridge: Bridge, connection: string): Promise<Omit<Inspected, 'looking'>> {
  const both = await bridge.call('inspect', { connection, side: 'both' });
  if (both.ok) return { found: both.value, problem: null };
  const local = await bridge.call('inspect', { connection, side: 'local' });
  return { found: local.ok ? local.value : null, problem: both.error };
}

/** Inspects both sides at once, and again when `version` changes; the last result is shown until then. */
export function useInspection(bridge: Bridge, connection: string, version: string): Inspected {
  const [result, setResult] = useState<Inspected>({ found: null, problem: null, looking: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version asks again
  useEffect(() => {
    let current = true;
    setResult((before) => ({ ...before, looking: true }));
    void inspect(bridge, connection).then((found) => {
      if (current) setResult({ ...found, looking: false });
    });
    return () => {
      current = false;
    };
  }, [bridge, connection, version]);
  return result;
}
