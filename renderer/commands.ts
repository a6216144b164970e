import type { Dispatch } from 'react';
import type { Bridge, Envelope } from '../shared/contract';
import type { Resolution } from '../shared/inbox';
import type { Guard, RunReport } from '../shared/run-report';
import { createGuardCalls, type GuardCalls } from './guard-calls';
import { createRestoreCalls, type RestoreCalls } from './restore-calls';
import type { Action } from './state';
import { createUndoCalls, type UndoCalls } from './undo-calls';

/** What the buttons do. Every answer, good or bad, arrives as an action. */
export interface Commands {
  /** `allow`: guards whose question was answered before it was asked. */
  start(connection: string, allow?: readonly Guard[]): void;
  end(connection: string): void;
  /** Asks a stopped run again, letting its guard through together with those let through on the way here. */
  repeat(connection: string, run: RunReport, allowed: readonly Guard[]): void;
  cancel(connection: string): void;
  test(connection: string, acceptHostKey?: string): void;
  /** Opens an item of the inbox and reads its versions. */
  openItem(connection: string, id: string): void;
  closeItem(connection: string): void;
  resolve(connection: string, id: string, choice: Resolution): void;
  revoke(connection: string, decision: string): void;
  /** Asks what a start would send. */
  preview(connection: string): Promise<Envelope<RunReport>>;
  /** Forgets a connection; files on both sides stay. */
  remove(connection: string): void;
  /** Has a link that waits for its next attempt try at once. */
  tryNow(connection: string): void;
  /** Forgets the passphrases and passwords remembered for a connection. */
  forgetSecrets(connection: string): void;
  readonly restore: RestoreCalls;
  readonly undo: UndoCalls;
  readonly guard: GuardCalls;
}

/** The commands over a bridge. Bridge calls never reject. */
export function createCommands(bridge: Bridge, dispatch: Dispatch<Action>): Commands {
  const preview = async (connection: string) => {
    dispatch({ kind: 'asked', connection, ask: 'preview', allow: [] });
    const reply = await bridge.call('preview', { connection, direction: 'push' });
    dispatch({ kind: 'run-answered', connection, reply });
    return reply;
  };
  const remove = async (connection: string) => {
    dispatch({ kind: 'remove-answered', connection, reply: await bridge.call('connection.remove', { connection }) });
  };
  const forgetSecrets = async (connection: string) => {
    dispatch({ kind: 'secrets-answered', connection, reply: await bridge.call('connection.forget-secrets', { connection }) });
  };
  const tryNow = async (connection: string) => {
    dispatch({ kind: 'try-answered', connection, reply: await bridge.call('connection.try-now', { connection }) });
  };
  const run = async (ask: 'start' | 'end', connection: string, allow: readonly Guard[]) => {
    dispatch({ kind: 'asked', connection, ask, allow });
    dispatch({ kind: 'run-answered', connection, reply: await bridge.call(`session.${ask}`, { connection, allow }) });
  };
  const cancel = async (connection: string) => {
    dispatch({ kind: 'cancel-asked', connection });
    dispatch({ kind: 'cancel-answered', connection, reply: await bridge.call('run.cancel', { connection }) });
  };
  const test = async (connection: string, acceptHostKey: string | undefined) => {
    dispatch({ kind: 'asked', connection, ask: 'test', allow: [] });
    dispatch({ kind: 'test-answered', connection, reply: await bridge.call('connection.test', { connection, acceptHostKey }) });
  };
  const openItem = async (connection: string, id: string) => {
    dispatch({ kind: 'item-opened', connection, id });
    dispatch({ kind: 'item-compared', connection, id, reply: await bridge.call('inbox.compare', { id }) });
  };
  const resolve = async (connection: string, id: string, choice: Resolution) => {
    dispatch({ kind: 'asked', connection, ask: 'resolve', allow: [] });
    dispatch({ kind: 'run-answered', connection, reply: await bridge.call('inbox.resolve', { ids: [id], choice }) });
  };
  const revoke = async (connection: string, id: string) => {
    dispatch({ kind: 'revoke-answered', connection, reply: await bridge.call('decision.revoke', { id }) });
  };
  return {
    start: (connection, allow = []) => void run('start', connection, allow),
    end: (connection) => void run('end', connection, []),
    repeat: (connection, report, allowed) => {
      if (report.stop === null) return;
      const allow = [...new Set([...allowed, report.stop.guard])];
      void run(report.kind === 'push' ? 'start' : 'end', connection, allow);
    },
    cancel: (connection) => void cancel(connection),
    test: (connection, acceptHostKey) => void test(connection, acceptHostKey),
    openItem: (connection, id) => void openItem(connection, id),
    closeItem: (connection) => dispatch({ kind: 'item-closed', connection }),
    resolve: (connection, id, choice) => void resolve(connection, id, choice),
    revoke: (connection, decision) => void revoke(connection, decision),
    preview,
    remove: (connection) => void remove(connection),
    tryNow: (connection) => void tryNow(connection),
    forgetSecrets: (connection) => void forgetSecrets(connection),
    restore: createRestoreCalls(bridge),
    undo: createUndoCalls(bridge),
    guard: createGuardCalls(bridge),
  };
}
