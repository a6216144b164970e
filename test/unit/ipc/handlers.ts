import type { Handlers } from '../../../electron/ipc/gate';
import { requestNames } from '../../../shared/contract';

/** Handlers of which only those given may be called. */
export function handlersWith(some: Partial<Handlers>): Handlers {
  const unexpected = requestNames.map((name) => [
    name,
    async () => {
      throw new Error(`${name} was not expected`);
    },
  ]);
  return { ...(Object.fromEntries(unexpected) as unknown as Handlers), ...some };
}
