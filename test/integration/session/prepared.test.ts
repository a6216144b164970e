import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { box, makePlace, outcomesOf, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';

/**
 * A `mktemp` in front of the real one shows which scripts are still there: each has its folder in here, and removes it when it ends.
 * A prepared one has the cached listing in its folder, and nothing else yet.
 */
function makeWatchedMktemp(): { readonly dir: string; running(): readonly (readonly string[])[] } {
  const dir = mkdtempSync(join(tmpdir(), 'ebbgate-mktemp-'));
  writeFileSync(join(dir, 'mktemp'), `#!/bin/sh\nexec /usr/bin/mktemp -d ${dir}/script.XXXXXX\n`, { mode: 0o755 });
  const contentOf = (name: string): readonly string[] => {
    try {
      return readdirSync(join(dir, name));
    } catch {
      return ['gone meanwhile'];
    }
  };
  const running = () =>
    readdirSync(dir)
      .filter((name) => name.startsWith('script.'))
      .map(contentOf);
  return { dir, running };
}

const mktemp = makeWatchedMktemp();
let sshd: TestSshd;
let place: SessionPlace;

beforeAll(async () => {
  sshd = await startSshd({ path: `${mktemp.dir}:/usr/bin:/bin` });
});
afterAll(async () => {
  await sshd.stop();
  rmSync(mktemp.dir, { recursive: true });
});
beforeEach(async () => {
  place = await makePlace({ sshd, composed: { lasting: true } });
  await place.local.write({ 'skills/a/SKILL.md': 'one', 'skills/b/SKILL.md': 'two' });
  await place.remote.write({ skills: { folder: true } });
});
afterEach(() => place.tearDown());

const logins = () => sshd.log().split('Accepted publickey').length - 1;
const ended = () => expect.poll(() => mktemp.running(), { timeout: 20_000 }).toEqual([]);
const prepared = () => expect.poll(() => mktemp.running(), { timeout: 20_000 }).toEqual([['base']]);

describe('an open session', () => {
  it('ends over its link, in one exchange of less than 1 kB when nothing changed', async () => {
    await place.start(['first-session']);
    await prepared();
    const before = logins();
    const { outcome, ledger } = await place.end();
    expect(outcome).toBe('done');
    expect(logins()).toBe(before);
    expect(ledger.wire.handshake).toBe(0);
    expect(ledger.wire.sent + ledger.wire.received).toBeLessThan(1000);
    await ended();
  });

  it('brings home what changed after the preparation, same-size edits with their time put back included', async () => {
    await place.start(['first-session']);
    await prepared();
    await place.remote.stealthEdit('skills/a/SKILL.md', 'ONE');
    await place.remote.write({ 'skills/c/SKILL.md': 'three', 'skills/.hub/lock.json': '{}' });
    const report = await place.end();
    expect(outcomesOf(report)).toEqual({ 'skills/a/SKILL.md': 'written', 'skills/c/SKILL.md': 'written' });
    expect(report.ledger.refused).toMatchObject({ files: 1, bytes: 2, estimated: false });
    expect((await place.localContents())['skills/a/SKILL.md']).toBe('ONE');
  });

  it('leaves no script behind when its link dies, and ends all the same', async () => {
    await place.start(['first-session']);
    await prepared();
    await place.remote.write({ 'skills/a/SKILL.md': 'changed' });
    expect(sshd.dropConnections()).toBeGreaterThan(0);
    await ended();
    const report = await place.end();
    expect([report.outcome, outcomesOf(report)]).toEqual(['done', { 'skills/a/SKILL.md': 'written' }]);
  });

  it('leaves no script behind when the application ends', async () => {
    await place.start(['first-session']);
    await prepared();
    await place.restart(ended);
    expect((await place.end()).outcome).toBe('done');
  });

  it('leaves no script behind when its connection is removed', async () => {
    await place.start(['first-session']);
    await prepared();
    await place.call('connection.remove', { connection: box });
    await ended();
  });

  it('is pushed again over its link, in one exchange of less than 1 kB when nothing changed', async () => {
    await place.start(['first-session']);
    await prepared();
    await place.local.write({ 'skills/.hub/lock.json': '{}' });
    const { outcome, ledger } = await place.start();
    expect([outcome, ledger.wire.handshake]).toEqual(['done', 0]);
    expect(ledger.refused).toMatchObject({ files: 1, bytes: 2, estimated: false });
    expect(ledger.wire.sent + ledger.wire.received).toBeLessThan(1000);
  });

  it('sends what changed meanwhile over its link', async () => {
    await place.start(['first-session']);
    await prepared();
    await place.local.write({ 'skills/a/SKILL.md': 'more' });
    const before = logins();
    const report = await place.start();
    expect([report.outcome, outcomesOf(report), logins()]).toEqual(['done', { 'skills/a/SKILL.md': 'written' }, before]);
    await prepared();
    expect((await place.end()).outcome).toBe('done');
  });

  it('says so when the temporary folder is gone, and the next end completes', async () => {
    await place.start(['first-session']);
    await prepared();
    await place.remote.write({ 'skills/a/SKILL.md': 'changed' });
    for (const name of readdirSync(mktemp.dir)) if (name.startsWith('script.')) rmSync(join(mktemp.dir, name), { recursive: true });
    expect((await place.end()).error?.code).toBe('remote.failed');
    expect(outcomesOf(await place.end())).toEqual({ 'skills/a/SKILL.md': 'written' });
  });

  it('compares everything by content when the listing that the remote keeps was changed', async () => {
    await place.start(['first-session']);
    await prepared();
    await place.remote.write({ 'skills/a/SKILL.md': 'changed' });
    const cache = [...(await place.remote.read()).keys()].find((path) => path.endsWith('/base')) ?? '';
    await place.remote.write({ [cache]: 'not a listing//\n' });
    const report = await place.end();
    expect([report.outcome, outcomesOf(report)]).toEqual(['done', { 'skills/a/SKILL.md': 'written' }]);
  });
});
