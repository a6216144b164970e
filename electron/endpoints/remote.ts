import { AppError, isAppError } from '../../shared/errors';
import type { Endpoint, Listing, ListRequest, TreeTotals } from '../engine/endpoint';
import type { SshConnection } from '../ssh/ssh-connection';
import type { PreparedListing } from './remote-prepared';
import { createSftpEndpoint } from './remote-sftp';
import { createRemoteShellEndpoint, type RemoteShell } from './remote-shell';

export interface RemoteEndpointOptions {
  readonly connection: SshConnection;
  readonly remoteHome: string | null;
  readonly profile: string | null;
  readonly clientId: string;
  readonly now: () => number;
  /** A listing that waits on this connection. */
  readonly prepared: PreparedListing | null;
}

/** The remote of a run, which can make the listing of the next one ready. */
export interface RemoteEndpoint extends Endpoint {
  /** Makes the listing of the next run ready on the same connection, counts included; null where there is no shell for it. */
  prepare(request: Pick<ListRequest, 'roots' | 'rules'>, signal: AbortSignal): Promise<PreparedListing | null>;
}

/** The remote through its shell, and through SFTP alone where no usable shell answers. Decided by the first listing. */
export function createRemoteEndpoint(options: RemoteEndpointOptions): RemoteEndpoint {
  return new ChosenEndpoint(options);
}

class ChosenEndpoint implements RemoteEndpoint {
  readonly side = 'remote';
  private readonly shell: RemoteShell;
  private chosen: Endpoint;
  private decide: () => void = () => undefined;
  /** Settles when it is known which way is taken. */
  private readonly decided: Promise<void>;

  constructor(private readonly options: RemoteEndpointOptions) {
    this.decided = new Promise((resolve) => {
      this.decide = resolve;
    });
    this.shell = createRemoteShellEndpoint({ ...options, onStarted: () => this.decide() });
    this.chosen = this.shell;
  }

  async list(request: ListRequest, signal: AbortSignal): Promise<Listing> {
    try {
      return await this.chosen.list(request, signal);
    } catch (error) {
      if (!isAppError(error, 'ssh.no-shell')) throw error;
      return await this.listBySftp(request, signal, error);
    } finally {
      this.decide();
    }
  }

  async totals(request: Parameters<Endpoint['totals']>[0], signal: AbortSignal): Promise<TreeTotals> {
    await this.decided;
    return this.chosen.totals(request, signal);
  }

  hash(...parameters: Parameters<Endpoint['hash']>): ReturnType<Endpoint['hash']> {
    return this.chosen.hash(...parameters);
  }

  read(...parameters: Parameters<Endpoint['read']>): ReturnType<Endpoint['read']> {
    return this.chosen.read(...parameters);
  }

  apply(...parameters: Parameters<Endpoint['apply']>): ReturnType<Endpoint['apply']> {
    return this.chosen.apply(...parameters);
  }

  identify(...parameters: Parameters<Endpoint['identify']>): ReturnType<Endpoint['identify']> {
    return this.chosen.identify(...parameters);
  }

  remember(...parameters: Parameters<Endpoint['remember']>): ReturnType<Endpoint['remember']> {
    return this.chosen.remember(...parameters);
  }

  async prepare(request: Pick<ListRequest, 'roots' | 'rules'>, signal: AbortSignal): Promise<PreparedListing | null> {
    return this.chosen === this.shell ? this.shell.prepare(request, signal) : null;
  }

  close(): Promise<void> {
    return this.chosen.close();
  }

  private async listBySftp(request: ListRequest, signal: AbortSignal, shell: AppError<'ssh.no-shell'>): Promise<Listing> {
    await this.chosen.close();
    this.chosen = createSftpEndpoint(this.options);
    try {
      return await this.chosen.list(request, signal);
    } catch (error) {
      if (!isAppError(error, 'ssh.no-shell')) throw error;
      const detail = `${shell.details.detail}; SFTP: ${error.details.detail}`;
      throw new AppError('ssh.no-shell', { host: shell.details.host, detail }, { cause: error });
    }
  }
}
