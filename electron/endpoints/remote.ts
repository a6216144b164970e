import { AppError, isAppError } from '../../shared/errors';
import type { Endpoint, Listing, ListRequest, TreeTotals } from '../engine/endpoint';
import type { SshConnection } from '../ssh/ssh-connection';
import { createSftpEndpoint } from './remote-sftp';
import { createRemoteShellEndpoint } from './remote-shell';

export interface RemoteEndpointOptions {
  readonly connection: SshConnection;
  readonly remoteHome: string | null;
  readonly profile: string | null;
  readonly clientId: string;
  readonly now: () => number;
}

/** The remote through its shell, and through SFTP alone where no usable shell answers. Decided by the first listing. */
export function createRemoteEndpoint(options: RemoteEndpointOptions): Endpoint {
  return new RemoteEndpoint(options);
}

class RemoteEndpoint implements Endpoint {
  readonly side = 'remote';
  private chosen: Endpoint;
  private decide: () => void = () => undefined;
  /** Settles when it is known which way is taken. */
  private readonly decided: Promise<void>;

  constructor(private readonly options: RemoteEndpointOptions) {
    this.decided = new Promise((resolve) => {
      this.decide = resolve;
    });
    this.chosen = createRemoteShellEndpoint({ ...options, onStarted: () => this.decide() });
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
