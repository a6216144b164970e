import { AppError } from '../shared/errors';
import type { ComposedApp } from './ipc/host';

/** Placeholder until the parts are there. */
export async function compose(): Promise<ComposedApp> {
  throw new AppError('internal.unexpected', { what: 'the application is not composed yet' });
}
