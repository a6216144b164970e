import { describe, expect, it } from 'vitest';
import { type Action, type AppState, factsOf, initialState, reduce, sortByAttention } from '../../../renderer/state';
import type { ConnectionView, Progress } from '../../../shared/contract';
import { defaultSettings } from '../../../shared/settings';
import { ago, cannedReport, cannedView } from '../../support/canned';

const id = 'c-hetzner';
const progress: Progress = { connection: id, kind: 'push', phase: 'listing', done: 1, total: null, unit: 'files' };
const failure = { ok: false, error: { code: 'run.busy', message: 'Busy.', details: {} } } as const;

function stateAfter(...actions: readonly Action[]): AppState {
  return actions.reduce(reduce, initialState);
}

function status(...connections: readonly ConnectionView[]): Action {
  return { kind: 'status', reply: { ok: true, value: { connections, needsYou: 0 } } };
}

describe('a status', () => {
  it('replaces the last one and takes back an earlier failure', () => {
    const view = cannedView();
    const state = stateAfter({ kind: 'status', reply: failure }, status(view));
    expect([state.status?.connections, state.problem]).toEqual([[view], null]);
  });

  it('that cannot be read leaves what was known', () => {
    const state = stateAfter(status(cannedView()), { kind: 'status', reply: failure });
    expect([state.status?.connections.length, state.problem?.code]).toEqual([1, 'run.busy']);
  });

  it('ends progress of a connection that no longer works, and keeps newer progress of one that does', () => {
    const newer = { ...progress, done: 7 };
    const working = cannedView({ state: 'working', progress });
    expect(factsOf(stateAfter(status(working)), id).progress).toEqual(progress);
    expect(
      factsOf(stateAfter(status(working), { kind: 'event', event: { event: 'progress', data: newer } }, status(working)), id).progress,
    ).toEqual(newer);
    expect(factsOf(stateAfter(status(working), status(cannedView())), id).progress).toBeNull();
  });

  it('forgets connections that are gone', () => {
    expect(stateAfter(status(cannedView()), status()).facts).toEqual({});
  });
});

describe('the settings', () => {
  it('are kept, and a failure to read them is told', () => {
    const settings = { kind: 'settings', reply: { ok: true, value: { ...defaultSettings, language: 'fr' } } } as const;
    expect(stateAfter(settings, { kind: 'settings', reply: failure })).toMatchObject({
      settings: { language: 'fr' },
      problem: { code: 'run.busy' },
    });
  });
});

describe('an event', () => {
  it('of progress finds its connection by id, and by name too', () => {
    const byName = { ...progress, connection: 'hetzner-1' };
    expect(factsOf(stateAfter(status(cannedView()), { kind: 'event', event: { event: 'progress', data: byName } }), id).progress).toEqual(
      byName,
    );
  });

  it('of a run ends progress and tells how it ended', () => {
    const run = cannedReport({ endedAt: ago(0) });
    const event: Action = { kind: 'event', event: { event: 'run', data: run } };
    const answered: Action = { kind: 'run-answered', connection: id, reply: { ok: true, value: run } };
    const facts = factsOf(stateAfter(status(cannedView()), event, answered, event), id);
    expect(facts).toMatchObject({ progress: null, cancelling: false, ended: run });
  });

  it('that something changed changes nothing by itself', () => {
    const state = stateAfter(status(cannedView()));
    expect(reduce(state, { kind: 'event', event: { event: 'changed', data: {} } })).toBe(state);
  });
});

describe('a request', () => {
  const asked: Action = { kind: 'asked', connection: id, ask: 'start', allow: ['first-session'] };

  it('clears what the one before it left', () => {
    const facts = factsOf(stateAfter({ kind: 'run-answered', connection: id, reply: failure }, asked), id);
    expect(facts).toMatchObject({ asking: 'start', allowed: ['first-session'], problem: null, test: null, ended: null });
  });

  it('that is refused says why and can be asked again', () => {
    const facts = factsOf(stateAfter(asked, { kind: 'run-answered', connection: id, reply: failure }), id);
    expect(facts).toMatchObject({ asking: null, allowed: [], problem: failure.error });
  });

  it('that is stopped again remembers what was let through; one that ends forgets it', () => {
    const answer = (outcome: 'stopped' | 'done'): Action => ({
      kind: 'run-answered',
      connection: id,
      reply: { ok: true, value: cannedReport({ outcome }) },
    });
    expect(factsOf(stateAfter(asked, answer('stopped')), id).allowed).toEqual(['first-session']);
    expect(factsOf(stateAfter(asked, answer('done')), id).allowed).toEqual([]);
  });

  it('to cancel is shown until the run ends, or until it is refused', () => {
    const cancel: Action = { kind: 'cancel-asked', connection: id };
    const working = status(cannedView({ state: 'working' }));
    expect(factsOf(stateAfter(working, cancel, working), id).cancelling).toBe(true);
    expect(factsOf(stateAfter(working, cancel, status(cannedView())), id).cancelling).toBe(false);
    expect(factsOf(stateAfter(working, cancel, { kind: 'cancel-answered', connection: id, reply: failure }), id)).toMatchObject({
      cancelling: false,
      problem: failure.error,
    });
  });

  it('for a test keeps its verdicts', () => {
    const test = { ok: false, checks: [{ id: 'login', ok: false, detail: 'No.', fix: null }] };
    const facts = factsOf(
      stateAfter({ ...asked, ask: 'test' }, { kind: 'test-answered', connection: id, reply: { ok: true, value: test } }),
      id,
    );
    expect(facts).toMatchObject({ asking: null, test });
  });
});

describe('sortByAttention', () => {
  it('puts the one that needs its user first and the quiet ones last, by name', () => {
    const of = (name: string, state: ConnectionView['state'], pending = false) =>
      cannedView({ name, state, session: pending ? { connection: name, state: 'pending', startedAt: ago(1) } : null });
    const sorted = sortByAttention([
      of('e', 'ready'),
      of('d', 'ready'),
      of('c', 'paused'),
      of('b', 'offline'),
      of('z', 'offline', true),
      of('a', 'working'),
      of('x', 'needs-you'),
    ]);
    expect(sorted.map((view) => view.name)).toEqual(['x', 'a', 'z', 'b', 'c', 'd', 'e']);
  });
});
