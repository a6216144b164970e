import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import vm from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AppEvent, Bridge } from '../../shared/contract';
import { ensureBuilt } from '../support/stood-in-app';

const folder = resolve(import.meta.dirname, '../../out/preload');

/** Runs the built preload as the sandbox does: a bare context with nothing but what is handed in. */
function runPreload(argv: readonly string[] = []) {
  const required: string[] = [];
  const exposed: Record<string, unknown> = {};
  const invoked: unknown[][] = [];
  const events = new EventEmitter();
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: unknown) => {
        exposed[name] = api;
      },
    },
    ipcRenderer: {
      invoke: async (...args: unknown[]) => {
        invoked.push(args);
        return { ok: true, value: 'answer' };
      },
      on: (channel: string, listener: (...args: unknown[]) => void) => events.on(channel, listener),
      off: (channel: string, listener: (...args: unknown[]) => void) => events.off(channel, listener),
    },
  };
  const code = readFileSync(resolve(folder, 'index.cjs'), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  const run = vm.runInNewContext(`(function (require, module, exports) {${code}\n})`, { process: { argv } });
  run(
    (name: string) => {
      required.push(name);
      return electron;
    },
    { exports: {} },
    {},
  );
  return { required, exposed, invoked, events, bridge: exposed.ebbgate as Bridge };
}

beforeAll(ensureBuilt);

describe('the built preload', () => {
  it('is one CommonJS file that requires electron alone', () => {
    expect(readdirSync(folder).filter((name) => !name.endsWith('.map'))).toEqual(['index.cjs']);
    expect([...new Set(runPreload().required)]).toEqual(['electron']);
  });

  it('exposes the bridge and nothing else', () => {
    const { exposed, bridge } = runPreload();
    expect(Object.keys(exposed)).toEqual(['ebbgate']);
    expect(Object.keys(bridge).sort()).toEqual(['call', 'canNotify', 'listen']);
  });

  it('tells whether the system shows notifications, as the window was told', () => {
    expect(runPreload().bridge.canNotify).toBe(true);
    expect(runPreload(['app', '--ebbgate-no-notifications']).bridge.canNotify).toBe(false);
  });

  it('passes a known request on, by the one channel', async () => {
    const { invoked, bridge } = runPreload();
    expect(await bridge.call('status', {})).toEqual({ ok: true, value: 'answer' });
    expect(invoked).toEqual([['ebbgate:call', 'status', {}]]);
  });

  it.each(['nothing.known', 'ebbgate:call', '__proto__', ''])('refuses the unknown request name %j without sending it', async (name) => {
    const { invoked, bridge } = runPreload();
    expect(await bridge.call(name as 'status', {})).toMatchObject({ ok: false, error: { code: 'usage.invalid' } });
    expect(invoked).toEqual([]);
  });

  it('hands the page events without their sender, until it stops listening', () => {
    const { events, bridge } = runPreload();
    const heard: unknown[][] = [];
    const stop = bridge.listen((...args: unknown[]) => heard.push(args));
    const event: AppEvent = { event: 'changed', data: {} };
    events.emit('ebbgate:event', { sender: 'must not leak' }, event);
    stop();
    events.emit('ebbgate:event', { sender: 'must not leak' }, event);
    expect(heard).toEqual([[event]]);
    expect(events.listenerCount('ebbgate:event')).toBe(0);
  });
});
