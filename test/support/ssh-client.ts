import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { connectSsh } from '../../electron/ssh/client';
import type { ExecChannel } from '../../electron/ssh/exec-channel';
import type { SshConnection } from '../../electron/ssh/ssh-connection';
import type { SshTarget } from '../../electron/ssh/target';

/** A signal that never fires. */
export const never = new AbortController().signal;

/** Connections of one test, closed together afterwards. */
export interface OpenConnections {
  open(target: SshTarget, keepaliveMs?: number): Promise<SshConnection>;
  closeAll(): Promise<void>;
}

/** Keeps what a test opens. */
export function openConnections(): OpenConnections {
  const opened: SshConnection[] = [];
  return {
    open: async (target, keepaliveMs) => {
      const keepalive = keepaliveMs === undefined ? undefined : { intervalMs: keepaliveMs, silentIntervals: 3 };
      const connection = await connectSsh(target, { signal: never, acceptHostKey: null, keepalive });
      opened.push(connection);
      return connection;
    },
    closeAll: async () => {
      for (const connection of opened.splice(0)) await connection.close();
    },
  };
}

/** Runs a command to its end. */
export async function runCommand(connection: SshConnection, command: string, input = ''): Promise<{ out: string; code: number | null }> {
  const channel = await connection.exec(command, { signal: never });
  channel.stdin.end(input);
  const out = await text(channel.stdout);
  return { out, code: (await channel.exit).code };
}

/** Waits until a command has printed something, and drops it. */
export async function firstOutput(channel: ExecChannel): Promise<void> {
  await once(channel.stdout, 'readable');
  channel.stdout.read();
}
