import { AppError } from '../shared/errors';
import type { ComposedApp } from './ipc/host';

/** The folders to work in; what is left out comes from the environment. */
export interface ComposeOptions {
  readonly dataDir?: string | undefined;
  readonly hermesHome?: string | undefined;
}

/** Placeholder until the parts are there. */
export async function compose(options: ComposeOptions = {}): Promise<ComposedApp> {
  throw new AppError('internal.unexpected', { what: `the application is not composed yet (${options.dataDir ?? 'no data folder'})` });
}
