import ssh2, { type AuthContext, type Connection } from 'ssh2';
import { serveSession } from '../../electron/demo/server';
import { fingerprintOf } from '../../electron/ssh/host-keys';

const { Server, utils } = ssh2;

/** A server that lets in as a test says. A real sshd asks for passwords and codes only of accounts it may look up. */
export interface LoginServer {
  readonly port: number;
  readonly hostKey: string;
  /** The methods that were tried, in order. */
  readonly tried: readonly string[];
  stop(): Promise<void>;
}

/** Starts it on a loopback port. `decide` accepts or rejects each try; who is let in gets a shell and SFTP in `home`, or nothing without it. */
export async function startLoginServer(decide: (context: AuthContext) => void, home?: string): Promise<LoginServer> {
  const hostKey = utils.generateKeyPairSync('ed25519');
  const tried: string[] = [];
  const clients = new Set<Connection>();
  const server = new Server({ hostKeys: [hostKey.private] }, (client) => {
    clients.add(client);
    client.on('authentication', (context) => {
      tried.push(context.method);
      decide(context);
    });
    if (home !== undefined) client.on('session', (accept, _reject) => serveSession(accept(), home, 'ada'));
    client.on('error', () => undefined);
    client.on('close', () => clients.delete(client));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const parsed = utils.parseKey(hostKey.private);
  if (parsed instanceof Error) throw parsed;
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    hostKey: fingerprintOf(parsed.getPublicSSH()),
    tried,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const client of clients) client.end();
      }),
  };
}
