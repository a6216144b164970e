import type { AppEvent } from '../../shared/contract';
import type { RunReport } from '../../shared/run-report';
import type { DemoSurroundings } from '../demo/demo';
import type { ComposedApp, Host } from '../ipc/host';
import type { SocketClient } from '../ipc/socket-client';
import type { ReadAnswer } from './read-answer';

/** Everything the command line does outside itself. The heavy parts are loaded only when a command needs them. */
export interface CliDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Resolves once the text is handed over; whoever closed the other end loses it. */
  stdout(text: string): Promise<void>;
  stderr(text: string): void;
  readonly showsProgress: boolean;
  /** Null: nobody sits at a terminal, and what would be asked fails instead. */
  readonly readAnswer: ReadAnswer | null;
  /** The app that owns the data folder and listens; null when there is none. */
  connect(dataDir: string): Promise<SocketClient | null>;
  /** `lasting`: the command stays, and keeps the links of open sessions meanwhile. */
  compose(options: {
    readonly dataDir: string;
    readonly hermesHome: string;
    readonly lasting?: boolean;
    readonly listen?: (event: AppEvent) => void;
  }): Promise<ComposedApp>;
  startWebHost(options: { readonly host: Host; readonly port: number }): Promise<{ readonly url: string; close(): Promise<void> }>;
  /** Plays the demo and returns its sync-back. */
  playDemo(surroundings: DemoSurroundings): Promise<RunReport>;
  /** Calls back for each wish to stop (SIGINT, SIGTERM); returns the function that ends this. */
  onStop(callback: () => void): () => void;
  exitNow(code: number): void;
  openBrowser(url: string): void;
  /** How long an owner that does not answer is waited for. */
  readonly busyWaitMs: number;
}
