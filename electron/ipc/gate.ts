import { type AppEvent, type Envelope, type Params, type Reply, type RequestName, requestNames } from '../../shared/contract';
import { AppError, type ErrorDetails, toWireError } from '../../shared/errors';
import type { Host } from './host';
import { checkParams } from './schemas';

/** What answers each request. A handler throws `AppError`; anything else it throws is a fault of ours. */
export type Handlers = { readonly [K in RequestName]: (params: Params<K>) => Promise<Reply<K>> };

/** Where events come from. */
export interface EventSource {
  listen(listener: (event: AppEvent) => void): () => void;
}

/** Where the application puts its events. */
export interface EventHub extends EventSource {
  /** For the application's own parts: they show nothing to anybody, so they do not count as listeners. */
  overhear(listener: (event: AppEvent) => void): () => void;
  /** Whether anybody listens. */
  emit(event: AppEvent): boolean;
}

/** Hands every event to everybody who listens at that moment; one that throws does not keep it from the others. */
export function createEventHub(): EventHub {
  const listeners = new Set<(event: AppEvent) => void>();
  const own = new Set<(event: AppEvent) => void>();
  return {
    listen(listener) {
      // The same function may listen twice and stop once.
      const one = (event: AppEvent): void => listener(event);
      listeners.add(one);
      return () => listeners.delete(one);
    },
    overhear(listener) {
      own.add(listener);
      return () => own.delete(listener);
    },
    emit(event) {
      for (const listener of [...own, ...listeners]) {
        try {
          listener(event);
        } catch {
          // A surface that fails to show something must not fail the run that reports it.
        }
      }
      return listeners.size > 0;
    },
  };
}

/** Puts validation in front of the handlers and envelopes around what they answer. `report` hears of faults that are ours. */
export function makeHost(handlers: Handlers, events: EventSource, report: (request: string, error: unknown) => void = printFault): Host {
  return {
    listen: (listener) => events.listen(listener),
    async dispatch(name, params) {
      try {
        if (!isRequestName(name)) return failure('usage.invalid', { what: `There is no request named "${name}".` });
        return { ok: true, value: await answer(handlers, name, params) };
      } catch (error) {
        if (!(error instanceof AppError)) report(name, error);
        return { ok: false, error: toWireError(error) };
      }
    },
  };
}

function answer<K extends RequestName>(handlers: Handlers, name: K, params: unknown): Promise<Reply<K>> {
  const checked = checkParams(name, params);
  if (!checked.ok) throw new AppError('usage.invalid', { what: checked.what });
  return handlers[name](checked.params);
}

function isRequestName(name: string): name is RequestName {
  return (requestNames as readonly string[]).includes(name);
}

function failure<C extends keyof ErrorDetails>(code: C, details: ErrorDetails[C]): Envelope<never> {
  return { ok: false, error: toWireError(new AppError(code, details)) };
}

function printFault(request: string, error: unknown): void {
  console.error(`${request}:`, error);
}
