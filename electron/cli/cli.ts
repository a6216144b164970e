import type { Params, Reply, RequestName, WireError } from '../../shared/contract';
import { AppError, toWireError } from '../../shared/errors';
import type { ComposedApp } from '../ipc/host';
import { dataFolder, localHermesHome } from '../platform/app-paths';
import type { CliDeps } from './deps';
import { openApp } from './owner';
import { answerPrompts } from './prompt-answers';

/** Options that every command takes. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly dataDir?: string;
  readonly hermesHome?: string;
}

/** A failure that came back in an envelope; printed and counted as what it was there. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly wire: WireError;

  constructor(wire: WireError) {
    super(wire.message);
    this.wire = wire;
  }
}

/** What a command failed with, as it is printed. */
export function wireOf(error: unknown): WireError {
  return error instanceof RequestFailure ? error.wire : toWireError(error);
}

/** Requests that may connect to a remote, and so may ask something. */
const connecting: ReadonlySet<RequestName> = new Set([
  'connection.test',
  'session.start',
  'session.end',
  'preview',
  'inspect',
  'prune',
  'clean',
  'prune.undo',
  'prune.free',
]);
/** Tries of a request that an ending owner did not begin. */
const tries = 20;

/** What a command works with: its options, the application, and the way to say something. */
export class Cli {
  readonly deps: CliDeps;
  exitCode = 0;
  readonly #options: () => GlobalOptions;

  constructor(deps: CliDeps, options: () => GlobalOptions) {
    this.deps = deps;
    this.#options = options;
  }

  get json(): boolean {
    return this.#options().json === true;
  }

  get folders(): { readonly dataDir: string; readonly hermesHome: string } {
    const { dataDir, hermesHome } = this.#options();
    if (dataDir === '' || hermesHome === '') throw new AppError('usage.invalid', { what: 'An option that names a folder is empty.' });
    return { dataDir: dataFolder(dataDir, this.deps.env), hermesHome: localHermesHome(hermesHome, this.deps.env) };
  }

  /** Opens the application for one request. `onOpen` hears of it before the request is made. */
  async request<K extends RequestName>(
    name: K,
    params: Params<K>,
    onOpen: (app: ComposedApp) => void = () => undefined,
  ): Promise<Reply<K>> {
    for (let attempt = 1; ; attempt += 1) {
      const app = await openApp(this.deps, this.folders);
      const stopAnswering = connecting.has(name) && 'connection' in params ? answerPrompts(app, params.connection ?? '', this.deps) : null;
      try {
        onOpen(app);
        const envelope = await app.dispatch(name, params);
        if (envelope.ok) return envelope.value as Reply<K>;
        if (!wasNotBegun(envelope.error) || attempt === tries) throw new RequestFailure(envelope.error);
      } finally {
        stopAnswering?.();
        await app.dispose();
      }
    }
  }

  /** The answer of a command: one document with --json, else text. Text and nothing else may be empty. */
  async print(document: object, text: string): Promise<void> {
    if (this.json) await this.deps.stdout(`${JSON.stringify(document, null, 2)}\n`);
    else if (text !== '') await this.deps.stdout(`${text}\n`);
  }
}

function wasNotBegun({ code, details }: WireError): boolean {
  return code === 'app.lost' && typeof details === 'object' && details !== null && 'started' in details && details.started === false;
}
