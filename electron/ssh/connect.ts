import type { connectSsh as connect } from './client';

/** Connects. The library is loaded with the first connection: most commands make none, and it takes longer to load than they run. */
export const connectSsh: typeof connect = async (target, options) => {
  const client = await import('./client');
  return client.connectSsh(target, options);
};
