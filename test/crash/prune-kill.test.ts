import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Status } from '../../shared/contract';
import type { RunReport } from '../../shared/run-report';
import { archive, backups, ids } from '../integration/pruned-homes';
import { type KillablePlace, makeKillablePlace, reportOf } from '../support/killable';
import { box } from '../support/session';
import { ensureBuilt } from '../support/stood-in-app';

/** Stands for the remote's `mv`: waits with what comes after the first move until the test lets it go on. */
const haltingMv = `#!/bin/sh
if [ -e "$0.moved" ]; then
  while [ ! -e "$0.go" ]; do sleep 0.02; done
fi
: > "$0.moved"
PATH=\${PATH#*:}
exec mv "$@"
`;

let place: KillablePlace;
beforeAll(async () => {
  ensureBuilt();
  place = await makeKillablePlace({ mv: { text: haltingMv, mode: 0o755 } });
});
afterAll(() => place.tearDown());

async function isThere(file: string): Promise<void> {
  while (!existsSync(file)) await delay(10);
}

const status = async () => (JSON.parse((await place.cli(['status'])).stdout) as Status).connections[0];
const runs = async () => (JSON.parse((await place.cli(['history'])).stdout) as { readonly runs: readonly RunReport[] }).runs;

it('tells of a prune that was killed between two moves until something else is done, and puts back what had gone', async () => {
  for (const side of ['local', 'remote'] as const) {
    for (const id of [ids.newest, ids.copy, ids.oldest]) {
      await place[side].write({ [`${backups}/${id}/skills.tar.gz`]: archive(`${side} ${id}`, 1000) });
    }
  }
  const before = [await place.contents('local'), await place.contents('remote')];
  const mv = join(place.folder, 'tools/mv');
  const killed = await place.cli(['prune', box, '--apply'], { killAfter: isThere(`${mv}.moved`) });
  expect(killed.code).toBeNull();
  await writeFile(`${mv}.go`, '');
  expect(await place.survivors()).toEqual([]);
  expect(await place.contents('remote')).not.toEqual(before[1]);

  const told = /was interrupted\. On this computer 0 of 2 had gone\. On the remote up to 2 may have gone; it was not asked\./;
  expect(await status()).toMatchObject({
    state: 'needs-you',
    lastRun: { kind: 'prune', outcome: 'interrupted', notes: [expect.stringMatching(told)] },
  });
  expect((await runs()).map(({ kind, outcome }) => [kind, outcome])).toEqual([['prune', 'interrupted']]);
  expect((await status())?.state).toBe('needs-you');

  const undone = reportOf(await place.cli(['prune', box, '--undo']));
  expect(undone).toMatchObject({ kind: 'undo', outcome: 'done' });
  expect([await place.contents('local'), await place.contents('remote')]).toEqual(before);
  expect((await status())?.state).toBe('ready');
  expect((await runs()).map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['undo', 'done'],
    ['prune', 'interrupted'],
  ]);
});
