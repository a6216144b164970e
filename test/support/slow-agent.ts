import { createServer, connect as dial, type Socket } from 'node:net';

/** Passes on to an agent, but holds every request to sign (SSH_AGENTC_SIGN_REQUEST, 13) until somebody confirms. */
export async function startSlowAgent(behind: string, socket: string): Promise<{ socket: string; confirm(): void; stop(): Promise<void> }> {
  const held: (() => void)[] = [];
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const agent = dial(behind);
    for (const end of [client, agent]) {
      open.add(end);
      end.on('error', () => undefined).on('close', () => open.delete(end));
    }
    client.on('data', (chunk: Buffer) => {
      if (chunk[4] === 13) held.push(() => agent.write(chunk));
      else agent.write(chunk);
    });
    client.on('close', () => agent.destroy());
    agent.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    socket,
    confirm: () => {
      for (const go of held.splice(0)) go();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const end of open) end.destroy();
      }),
  };
}
