import type { Connector } from '../ssh/connector';
import type { SshConnection } from '../ssh/ssh-connection';

/** Every link that is open, whoever opened it. Nothing here closes one. */
export interface LiveLinks {
  /** The same connector, whose links are known here while they are open. */
  track(connect: Connector): Connector;
  /** Asks all of them for a sign of life; those that give none in time are lost to whoever uses them. */
  verify(withinMs: number): void;
}

export function liveLinks(): LiveLinks {
  const open = new Set<SshConnection>();
  return {
    track: (connect) => async (connection, options) => {
      const link = await connect(connection, options);
      open.add(link);
      void link.closed.then(() => open.delete(link));
      return link;
    },
    verify: (withinMs) => {
      for (const link of open) link.verify(withinMs);
    },
  };
}
