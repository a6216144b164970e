import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { ComposedApp } from '../../../electron/ipc/host';
import { type AskWhileEnding, endEverything, holdQuit } from '../../../electron/shell/quit';
import type { AppEvent, ConnectionView, Envelope } from '../../../shared/contract';
import { connectionView } from '../../support/connection-views';

const session = { connection: 'c1', state: 'open', startedAt: '2026-03-05T13:10:00Z' } as const;
const ending = { ...session, state: 'ending' } as const;
const progress = { connection: 'c1', kind: 'sync-back', phase: 'applying', done: 1, total: 2, unit: 'files' } as const;

/** An application whose connections the test sets, and whose session ends when the test opens the gate. */
function scripted(initial: readonly ConnectionView[], onEnd: (id: string) => Promise<void> = async () => {}) {
  let connections = initial;
  const listeners = new Set<(event: AppEvent) => void>();
  const did: string[] = [];
  const app: ComposedApp = {
    resumed: () => {},
    dispatch: async (name, params): Promise<Envelope<unknown>> => {
      if (name === 'status') return { ok: true, value: { connections, needsYou: 0 } };
      const { connection } = params as { connection: string };
      did.push(`${name} ${connection}`);
      await onEnd(connection);
      return { ok: false, error: { code: 'ssh.unreachable', message: 'Gone.', details: {} } };
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose: async () => {
      did.push('dispose');
    },
  };
  const become = (next: readonly ConnectionView[]) => {
    connections = next;
    for (const listener of listeners) listener({ event: 'changed', data: {} });
  };
  return { app, did, become, listeners };
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const patient: AskWhileEnding = () => new Promise(() => {});

describe('endEverything', () => {
  it('asks nothing and lets go at once when no session is open', async () => {
    const { app, did } = scripted([connectionView(), connectionView({ id: 'c2', session: { ...session, state: 'pending' } })]);
    const asked: unknown[] = [];
    await endEverything(app, async (names) => {
      asked.push(names);
      return 'wait';
    });
    expect({ did, asked }).toEqual({ did: ['dispose'], asked: [] });
  });

  it('ends each open session before it lets go, even when an end fails', async () => {
    const { app, did } = scripted([connectionView({ session }), connectionView({ id: 'c2', session })]);
    await endEverything(app, patient);
    expect(did).toEqual(['session.end c1', 'session.end c2', 'dispose']);
  });

  it('waits for an end that is under way instead of starting a second one', async () => {
    const { app, did, become, listeners } = scripted([connectionView({ session: ending, progress })]);
    const done = endEverything(app, patient);
    await Promise.resolve();
    become([connectionView({ session: ending })]);
    await Promise.resolve();
    expect(did).toEqual([]);
    become([connectionView()]);
    await done;
    expect(did).toEqual(['dispose']);
    expect(listeners.size).toBe(0);
  });

  it('ends a session that was starting once it is open', async () => {
    const { app, did, become } = scripted([connectionView({ session: { ...session, state: 'starting' }, progress })]);
    const done = endEverything(app, patient);
    await Promise.resolve();
    become([connectionView({ session })]);
    await done;
    expect(did).toEqual(['session.end c1', 'dispose']);
  });

  it('lets go without waiting when the user leaves the session pending', async () => {
    const never = gate();
    const { app, did } = scripted([connectionView({ session })], () => never.opened);
    await endEverything(app, async () => 'leave');
    expect(did).toEqual(['session.end c1', 'dispose']);
  });

  it('goes on waiting when the user wants that, or when asking failed', async () => {
    for (const ask of [async () => 'wait' as const, async () => Promise.reject(new Error('no display'))]) {
      const end = gate();
      const { app, did } = scripted([connectionView({ session })], () => end.opened);
      const done = endEverything(app, ask);
      await new Promise((resolve) => setImmediate(resolve));
      expect(did).toEqual(['session.end c1']);
      end.open();
      await done;
      expect(did).toEqual(['session.end c1', 'dispose']);
    }
  });

  it('takes its question back once everything has ended', async () => {
    let signal: AbortSignal | undefined;
    const { app } = scripted([connectionView({ session })]);
    await endEverything(app, (_names, ended) => {
      signal = ended;
      return new Promise(() => {});
    });
    expect(signal?.aborted).toBe(true);
  });
});

/** Electron's app as far as quitting goes: a quit that nobody holds ends the process. */
class QuittingApp extends EventEmitter {
  exits = 0;
  quit(): void {
    let held = false;
    this.emit('before-quit', {
      preventDefault: () => {
        held = true;
      },
    });
    if (!held) this.exits += 1;
  }
}

describe('holdQuit', () => {
  it('holds every quit until the end settled, and ends once', async () => {
    const app = new QuittingApp();
    const end = gate();
    let ends = 0;
    const isQuitting = holdQuit(
      app,
      () => {
        ends += 1;
        return end.opened;
      },
      () => {},
    );
    expect(isQuitting()).toBe(false);
    app.quit();
    app.quit();
    expect({ exits: app.exits, ends, isQuitting: isQuitting() }).toEqual({ exits: 0, ends: 1, isQuitting: true });
    end.open();
    await new Promise((resolve) => setImmediate(resolve));
    expect({ exits: app.exits, ends }).toEqual({ exits: 1, ends: 1 });
  });

  it('reports an end that failed, and quits all the same', async () => {
    const app = new QuittingApp();
    const reported: unknown[] = [];
    const failure = new Error('disk gone');
    holdQuit(
      app,
      () => Promise.reject(failure),
      (error) => reported.push(error),
    );
    app.quit();
    await new Promise((resolve) => setImmediate(resolve));
    expect({ exits: app.exits, reported }).toEqual({ exits: 1, reported: [failure] });
  });
});
