import { chmod, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { pathsOf, type SessionPlace, withoutOwn } from '../../support/session';

/** What a connection covers: rules of the user, profiles, modes, and how little an unchanged tree costs. */
export function describeScope(place: () => SessionPlace, { smallTeardown }: { readonly smallTeardown: boolean }): void {
  it('deletes nothing when a rule of the user takes files out of scope, nor when it is taken back', async () => {
    const files = {
      'skills/a/SKILL.md': 'a\n',
      'skills/drafts/one.md': 'one\n',
      'skills/drafts/two.md': 'two\n',
      'skills/a/big.bin': 'x\n',
    };
    await place().local.write(files);
    await place().start(['first-session']);
    await place().editConnection({ userRules: ['drafts/', '*.bin'] });
    await place().remote.write({ 'skills/drafts/one.md': 'edited there\n' });
    await place().local.remove('skills/drafts/two.md');
    const back = await place().end();
    expect(back).toMatchObject({ outcome: 'done', ledger: { written: { files: 0 }, removed: { files: 0 }, transferred: { files: 0 } } });
    expect(back.notes.join()).toContain('rules changed');
    const pushed = await place().start();
    expect(pushed).toMatchObject({ outcome: 'done', ledger: { written: { files: 0 }, removed: { files: 0 } } });
    expect(await place().remoteContents()).toEqual({ ...files, 'skills/drafts/one.md': 'edited there\n' });

    await place().editConnection({ userRules: [] });
    const again = await place().end();
    expect(again.ledger.removed.files).toBe(0);
    expect(pathsOf(again, 'conflict')).toEqual(['skills/drafts/one.md']);
    expect(pathsOf(again, 'written')).toEqual(['skills/drafts/two.md']);
    expect(await place().localContents()).toEqual(files);
  });

  it('refuses databases until the rule is lifted for the skill that ships one', async () => {
    await place().local.write({ 'skills/a/SKILL.md': 'a\n', 'skills/a/facts.db': 'facts\n', 'skills/b/other.db': 'other\n' });
    const first = await place().start(['first-session']);
    expect(first.ledger.refused.byRule).toEqual({ database: { files: 2, bytes: 12 } });
    await place().editConnection({ lifted: ['skills/a'] });
    const second = await place().start();
    expect(pathsOf(second, 'written')).toEqual(['skills/a/facts.db']);
    expect(pathsOf(second, 'refused')).toEqual(['skills/b/other.db']);
  });

  it("acts on a profile's folders alone, on both sides", async () => {
    await place().reconnect({ profile: 'work' });
    const others = { 'skills/default/SKILL.md': 'default\n', 'profiles/home/skills/h/SKILL.md': 'home\n' };
    await place().local.write({ ...others, 'profiles/work/skills/w/SKILL.md': 'work\n' });
    await place().remote.write({ 'skills/remote default/SKILL.md': 'untouched\n', 'profiles/home/skills/other/SKILL.md': 'untouched\n' });
    const pushed = await place().start(['first-session']);
    expect(pathsOf(pushed, 'written')).toEqual(['skills/w/SKILL.md']);
    await place().remote.write({ 'profiles/work/skills/new/SKILL.md': 'new\n', 'skills/more/SKILL.md': 'untouched\n' });
    expect(pathsOf(await place().end(), 'written')).toEqual(['skills/new/SKILL.md']);
    const own = (contents: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(contents).filter(([path]) => !path.includes('.ebbgate')));
    expect(own(await place().localContents())).toEqual({
      ...others,
      'profiles/work/skills/w/SKILL.md': 'work\n',
      'profiles/work/skills/new/SKILL.md': 'new\n',
    });
    expect(own(await place().remoteContents())).toEqual({
      'skills/remote default/SKILL.md': 'untouched\n',
      'skills/more/SKILL.md': 'untouched\n',
      'profiles/home/skills/other/SKILL.md': 'untouched\n',
      'profiles/work/skills/w/SKILL.md': 'work\n',
      'profiles/work/skills/new/SKILL.md': 'new\n',
    });
  });

  it('changes the mode of no folder that exists on the remote, whatever the umask here', async () => {
    const before = process.umask(0o002);
    try {
      await place().local.write({
        'skills/a/SKILL.md': 'a\n',
        'skills/a/deep/run.sh': { text: 'run\n', mode: 0o775 },
        'skills/b/x.md': 'x\n',
      });
      await place().remote.write({ skills: { folder: true, mode: 0o711 }, 'skills/a': { folder: true, mode: 0o750 } });
      await chmod(dirname(place().remoteHome), 0o755);
      await chmod(place().remoteHome, 0o755);
      expect((await place().start(['first-session'])).outcome).toBe('done');
    } finally {
      process.umask(before);
    }
    const modes = Object.fromEntries(
      [...(await place().remote.read())].map(([path, image]) => [path, 'mode' in image ? image.mode : null]),
    );
    expect(modes).toMatchObject({
      skills: 0o711,
      'skills/a': 0o750,
      'skills/a/SKILL.md': 0o644,
      'skills/a/deep': 0o755,
      'skills/a/deep/run.sh': 0o755,
      'skills/b': 0o755,
      'skills/b/x.md': 0o644,
    });
    for (const folder of [dirname(place().remoteHome), place().remoteHome]) expect((await stat(folder)).mode & 0o7777).toBe(0o755);
  });

  it(`ends a session with nothing changed among 3 000 files ${smallTeardown ? 'within 40 kB' : 'without any file content'}`, async () => {
    const name = (index: number) => `skills/group-${index % 30}/skill-${index}/SKILL.md`;
    await place().local.write(Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [name(index), `skill number ${index}\n`])));
    expect((await place().start(['first-session'])).ledger.written.files).toBe(3000);
    await place().restart();
    const before = await place().sides();
    const { outcome, paths, ledger } = await place().end();
    expect({ outcome, paths, transferred: ledger.transferred, unchanged: ledger.unchanged.files }).toEqual({
      ...{ outcome: 'done', paths: [], unchanged: 3000 },
      transferred: { files: 0, bytes: 0 },
    });
    const { sent, received, handshake } = ledger.wire;
    expect(handshake).toBeGreaterThan(0);
    expect(sent + received).toBeGreaterThan(handshake);
    if (smallTeardown) expect(sent + received).toBeLessThan(40_000);
    const started = await place().start();
    expect(started.ledger.transferred).toEqual({ files: 0, bytes: 0 });
    if (smallTeardown) expect(started.ledger.wire.sent + started.ledger.wire.received).toBeLessThan(40_000);
    const after = await place().sides();
    expect({ local: after.local, remote: withoutOwn(after.remote) }).toEqual({ local: before.local, remote: withoutOwn(before.remote) });
  });
}
