import { describe, expect, it } from 'vitest';
import { createEventHub, makeHost } from '../../../electron/ipc/gate';
import type { AppEvent } from '../../../shared/contract';
import { AppError, describeError } from '../../../shared/errors';
import { handlersWith } from './handlers';

const changed: AppEvent = { event: 'changed', data: {} };

describe('makeHost', () => {
  it('hands checked parameters to the handler and wraps its reply', async () => {
    const host = makeHost(handlersWith({ 'connection.list': async () => ({ connections: [] }) }), createEventHub());
    expect(await host.dispatch('connection.list', {})).toEqual({ ok: true, value: { connections: [] } });
  });

  it.each(['no.such', 'toString', '__proto__', ''])('refuses the request %j', async (name) => {
    const host = makeHost(handlersWith({}), createEventHub());
    expect(await host.dispatch(name, {})).toMatchObject({ ok: false, error: { code: 'usage.invalid' } });
  });

  it('refuses wrong parameters before the handler is asked', async () => {
    const faults: unknown[] = [];
    const host = makeHost(handlersWith({}), createEventHub(), (_, error) => faults.push(error));
    expect(await host.dispatch('status', { extra: true })).toMatchObject({ ok: false, error: { code: 'usage.invalid' } });
    expect(faults).toEqual([]);
  });

  it('passes on an expected failure with its details, and does not report it', async () => {
    const faults: unknown[] = [];
    const unknown = async (): Promise<never> => {
      throw new AppError('connection.unknown', { name: 'box' });
    };
    const host = makeHost(handlersWith({ 'connection.remove': unknown }), createEventHub(), (_, error) => faults.push(error));
    expect(await host.dispatch('connection.remove', { connection: 'box' })).toEqual({
      ok: false,
      error: { code: 'connection.unknown', message: describeError('connection.unknown', { name: 'box' }), details: { name: 'box' } },
    });
    expect(faults).toEqual([]);
  });

  it('reports a fault of ours and answers without its stack', async () => {
    const faults: [string, unknown][] = [];
    const fault = new TypeError('x is not a function');
    const broken = (): Promise<never> => {
      throw fault;
    };
    const host = makeHost(handlersWith({ status: broken }), createEventHub(), (name, error) => faults.push([name, error]));
    const envelope = await host.dispatch('status', {});
    expect(envelope).toMatchObject({ ok: false, error: { code: 'internal.unexpected', details: { what: 'x is not a function' } } });
    expect(JSON.stringify(envelope)).not.toContain('gate.test');
    expect(faults).toEqual([['status', fault]]);
  });

  it('hands events to everybody who listens, until they stop, whatever one of them throws', () => {
    const hub = createEventHub();
    const host = makeHost(handlersWith({}), hub);
    const heard: string[] = [];
    const stopFirst = host.listen(() => {
      heard.push('first');
      throw new Error('cannot show it');
    });
    host.listen(() => heard.push('second'));
    hub.emit(changed);
    stopFirst();
    hub.emit(changed);
    expect(heard).toEqual(['first', 'second', 'second']);
  });
});
