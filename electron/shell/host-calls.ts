import type { Params, Reply, RequestName } from '../../shared/contract';
import { fromWireError } from '../../shared/errors';
import type { Host } from '../ipc/host';

/** Asks the application with the contract's types. Rejects with the error that it answered. */
export async function call<K extends RequestName>(host: Host, name: K, params: Params<K>): Promise<Reply<K>> {
  const reply = await host.dispatch(name, params);
  if (!reply.ok) throw fromWireError(reply.error);
  return reply.value as Reply<K>;
}
