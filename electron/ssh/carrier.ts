import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AppError } from '../../shared/errors';
import { type ByteStream, CarriedStream } from './carried-stream';
import { startProxyCommand } from './proxy-command';
import type { SshTarget } from './target';

/** What carries one SSH connection. Destroying the stream also ends everything below it. */
export interface Carrier {
  readonly stream: ByteStream;
  /** Bytes that left and reached this computer on the way so far, those of the machines before included. */
  wire(): { readonly sent: number; readonly received: number };
}

/** A connection to a machine on the way. */
export interface Hop extends Pick<Carrier, 'wire'> {
  forward(host: string, port: number, signal: AbortSignal): Promise<Duplex>;
  readonly closed: Promise<AppError | null>;
  close(): Promise<void>;
}

/** Opens the way to a target. `reach` connects to a machine on the way; its failure is the failure here. */
export async function openCarrier(target: SshTarget, signal: AbortSignal, reach: (via: SshTarget) => Promise<Hop>): Promise<Carrier> {
  const { host, port, route } = target;
  if (route.kind === 'jump') return throughMachine(await reach(route.via), target, signal);
  if (route.kind === 'command') return counting(startProxyCommand(route.command, { host, port }));
  const { family, bindAddress } = route;
  const local = bindAddress === null ? {} : { localAddress: bindAddress };
  // The short default between address attempts fails over slow links.
  return counting(connect({ host, port, family, ...local, noDelay: true, autoSelectFamilyAttemptTimeout: 2500 }));
}

function counting(stream: ByteStream): Carrier {
  return { stream, wire: () => ({ sent: stream.bytesWritten, received: stream.bytesRead }) };
}

async function throughMachine(hop: Hop, { host, port }: SshTarget, signal: AbortSignal): Promise<Carrier> {
  try {
    const channel = await hop.forward(host, port, signal);
    const stream = new CarriedStream({ input: channel, output: channel, end: () => hop.close() });
    channel.on('end', () => stream.finish());
    channel.on('close', () => stream.finish());
    void hop.closed.then((error) => stream.destroy(error ?? undefined));
    return { stream, wire: () => hop.wire() };
  } catch (error) {
    await hop.close();
    throw error;
  }
}
