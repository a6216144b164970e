import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { compose } from '../../electron/compose';
import type { ComposedApp } from '../../electron/ipc/host';
import type { NewConnection } from '../../shared/connection';
import type { Status } from '../../shared/contract';
import type { RunReport } from '../../shared/run-report';

/**
 * The product itself: one application for many sessions, as the tray app holds it, or for one request each, as a command does.
 * The argument is JSON of `ProductOptions`. Reads the lines `start`, `end` and `forget` (a computer that was never here), answers
 * each with JSON of `ProductResult`.
 */
export interface ProductOptions {
  readonly dataDir: string;
  readonly hermesHome: string;
  readonly connection: NewConnection;
  /** The application stays, keeps the link of a session and prepares its end. */
  readonly lasting: boolean;
}

export interface ProductResult {
  /** From the moment the connection was up to the end of the request: lists, comparison, transfer, apply, records, report. */
  readonly wallMs: number;
  /** Address, host key and login. */
  readonly connectMs: number;
  /** On the socket, both ways, above the handshake. */
  readonly wire: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
  /** Longest time in which nothing else could run. */
  readonly blockedMs: number;
  readonly outcome: string;
}

const { dataDir, hermesHome, connection, lasting } = JSON.parse(process.argv[2] ?? '') as ProductOptions;
const name = connection.name;

async function open(): Promise<ComposedApp> {
  const app = await compose({ dataDir, hermesHome, lasting });
  const known = await app.dispatch('connection.list', {});
  if (known.ok && (known.value as { connections: readonly unknown[] }).connections.length === 0) {
    const added = await app.dispatch('connection.add', connection);
    if (!added.ok) throw new Error(added.error.message);
  }
  return app;
}

/** Looks for the longest pause of the event loop. */
function watchLoop(): () => number {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 2);
    last = now;
  }, 2);
  return () => {
    clearInterval(timer);
    return Math.max(longest, performance.now() - last - 2);
  };
}

async function run(app: ComposedApp, kind: 'start' | 'end'): Promise<ProductResult> {
  const startedAt = performance.now();
  let upAt = startedAt;
  const stop = app.listen((event) => {
    if (event.event === 'progress' && event.data.phase === 'listing') upAt = performance.now();
  });
  const blocked = watchLoop();
  const answer = await app.dispatch(kind === 'start' ? 'session.start' : 'session.end', {
    connection: name,
    allow: ['first-session', 'mass-change'],
  });
  const endedAt = performance.now();
  const blockedMs = blocked();
  stop();
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  const report = answer.value as RunReport;
  if (report.error !== null) throw new Error(`${report.error.code}: ${report.error.message}`);
  if (report.stop !== null) throw new Error(report.stop.message);
  const { sent, received, handshake } = report.ledger.wire;
  const peakRssMb = process.resourceUsage().maxRSS / 1024;
  return {
    wallMs: endedAt - upAt,
    connectMs: upAt - startedAt,
    wire: sent + received - handshake,
    rssMb: process.memoryUsage.rss() / 1e6,
    peakRssMb,
    blockedMs,
    outcome: report.outcome,
  };
}

/** A session lasts longer than its end takes to prepare; that shows in no view, so a pause stands for it. */
async function untilPrepared(): Promise<void> {
  for (let isUp = false; !isUp; await pause(20)) {
    const status = await app.dispatch('status', {});
    isUp = status.ok && (status.value as Status).connections[0]?.link?.state === 'up';
  }
  await pause(1200);
}

let app = await open();
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'forget') {
    await app.dispose();
    await rm(dataDir, { recursive: true, force: true });
    await rm(join(hermesHome, '.ebbgate'), { recursive: true, force: true });
    app = await open();
    process.stdout.write('{}\n');
    continue;
  }
  const result = await run(app, line === 'start' ? 'start' : 'end').catch((error: unknown) => ({ failed: String(error) }));
  if (lasting && line === 'start' && !('failed' in result)) await untilPrepared();
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
await app.dispose();
process.exit(0);
