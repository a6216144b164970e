import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../electron/cli/run-commands';
import { box, connectionTo, makePlace, outcomesOf, pathsOf, type SessionPlace, storedInInbox } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';

let sshd: TestSshd;
let place: SessionPlace;
beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => sshd.stop());
beforeEach(async () => {
  place = await makePlace({ sshd });
});
afterEach(() => place.tearDown());

const skill = (name: string, text = `${name}\n`) => ({ [`skills/${name}/SKILL.md`]: text });
const agreed = { ...skill('same'), ...skill('edited-here'), ...skill('edited-there'), ...skill('gone-here'), ...skill('gone-there') };

/** The one file of a folder whose name contains the word. */
async function fileWith(folder: string, word: string): Promise<string> {
  const found = (await readdir(folder)).filter((name) => name.includes(word));
  expect(found).toHaveLength(1);
  return join(folder, found[0] ?? '');
}

describe('a broken state.json', { timeout: 240_000 }, () => {
  it('is set aside and said so; nothing on either side is lost', async () => {
    await place.local.write(agreed);
    await place.start(['first-session']);
    const file = join(place.dataDir, 'state.json');
    const before = await place.sides();
    await place.restart(() => writeFile(file, '{"version":1,"clientId":'));
    expect(await place.call('connection.list', {})).toEqual({ connections: [] });
    const aside = await fileWith(place.dataDir, 'state.json.broken-');
    expect(await readFile(aside, 'utf8')).toBe('{"version":1,"clientId":');
    expect(await place.sides()).toEqual(before);

    await place.call('connection.add', connectionTo(sshd));
    const report = await place.start();
    expect(report).toMatchObject({ outcome: 'stopped', stop: { guard: 'first-session', details: { files: 0, conflicts: 0 } } });
    expect(report.notes.join('\n')).toContain(aside);
    const again = await place.start(['first-session']);
    expect(again).toMatchObject({ outcome: 'done', notes: [], ledger: { transferred: { files: 0 }, removed: { files: 0 } } });
    expect(await place.localContents()).toEqual(agreed);
    expect(await place.remoteContents()).toEqual(agreed);
  });

  it('of a newer version is refused untouched', async () => {
    const file = join(place.dataDir, 'state.json');
    const before = await readFile(file, 'utf8');
    const newer = before.replace('"version": 1', '"version": 99');
    expect(newer).not.toBe(before);
    await expect(place.restart(() => writeFile(file, newer))).rejects.toMatchObject({ code: 'store.newer', details: { version: 99 } });
    expect(await readFile(file, 'utf8')).toBe(newer);
    await writeFile(file, before);
    await place.restart();
    expect((await place.call('connection.list', {})).connections.map(({ name }) => name)).toEqual([box]);
  });
});

describe('a baseline cut to ten bytes', { timeout: 240_000 }, () => {
  const diverge = async () => {
    await place.local.write(agreed);
    await place.start(['first-session']);
    await place.local.write(skill('edited-here', 'edited on this computer\n'));
    await place.remote.write(skill('edited-there', 'edited over there\n'));
    await place.local.remove('skills/gone-here');
    await place.remote.remove('skills/gone-there');
    await place.restart(async () => truncate(await fileWith(join(place.dataDir, 'baselines'), '.json.gz'), 10));
  };

  it('is set aside, deletes nothing at an end, and makes conflicts of what differs', async () => {
    await diverge();
    const report = await place.end();
    expect(outcomesOf(report)).toEqual({
      'skills/edited-here/SKILL.md': 'conflict',
      'skills/edited-there/SKILL.md': 'conflict',
      'skills/gone-here/SKILL.md': 'written',
    });
    expect(exitCodeOf(report)).toBe(3);
    const aside = await fileWith(join(place.dataDir, 'baselines'), '.broken-');
    expect((await readFile(aside)).length).toBe(10);
    expect(report.notes.join('\n')).toContain(aside);
    expect(report.notes.join('\n')).toContain('nothing was deleted');
    expect(await place.localContents()).toEqual({ ...agreed, ...skill('edited-here', 'edited on this computer\n') });
    const stored = await Promise.all((await place.inbox()).map(async (item) => [item.path, await storedInInbox(place, item)]));
    expect(Object.fromEntries(stored)).toEqual({ ...skill('edited-here'), ...skill('edited-there', 'edited over there\n') });
    const next = await place.end();
    expect(next).toMatchObject({ outcome: 'held', notes: [], ledger: { written: { files: 0 }, removed: { files: 0 } } });
  });

  it('is set aside, deletes nothing at a start, and leaves the remote file of a conflict alone', async () => {
    await diverge();
    const report = await place.start();
    expect(pathsOf(report, 'removed')).toEqual([]);
    expect(pathsOf(report, 'conflict')).toEqual(['skills/edited-here/SKILL.md', 'skills/edited-there/SKILL.md']);
    expect(report.notes.join('\n')).toContain('nothing was deleted');
    expect(await place.remoteContents()).toEqual({ ...agreed, ...skill('edited-there', 'edited over there\n') });
  });

  it('asks for no files again when only the memory of both sides is damaged', async () => {
    await place.local.write(agreed);
    await place.start(['first-session']);
    await place.restart(async () => truncate(await fileWith(join(place.dataDir, 'memories'), '.json.gz'), 10));
    expect(await place.end()).toMatchObject({ outcome: 'done', paths: [], notes: [], ledger: { transferred: { files: 0, bytes: 0 } } });
  });
});
