import { describe, expect, it } from 'vitest';
import type { AgreedEntry, FileEntry } from '../../../electron/engine/entry';
import { type Decision, decide, nearestSkill, type ReconcileInput, reconcile, skillFolders } from '../../../electron/engine/reconcile';
import { agreed, agreements, file, files, noDecisions, plainRules } from './entries';

const path = 'skills/a/SKILL.md';
// Contents differ in length, so that a size taken from the wrong side shows.
const contents = { A: 'A', B: 'Bb', C: 'Ccc' } as const;
type Version = keyof typeof contents | 'A+x' | null;

function entry(version: Version): FileEntry | undefined {
  if (version === null) return undefined;
  return version === 'A+x' ? file(contents.A, true) : file(contents[version]);
}

/** The decision in one line: what, which change or reason, and whose content. */
function said(decision: Decision): string {
  if (decision.kind === 'write') {
    const version = (['A', 'B', 'C', 'A+x'] as const).find((one) => JSON.stringify(entry(one)) === JSON.stringify(decision.entry));
    return `${decision.change} ${version}`;
  }
  if (decision.kind === 'remove') return `remove ${decision.size} B`;
  return decision.kind === 'wait' ? `${decision.why} ${decision.change}` : decision.kind;
}

/** Sentence, baseline, local, remote, decision of a sync-back, decision of a push. */
const table: readonly (readonly [string, Version, Version, Version, string, string])[] = [
  ['nothing anywhere is left', null, null, null, 'leave', 'leave'],
  ['new here goes out', null, 'B', null, 'leave', 'create B'],
  ['new there comes home', null, null, 'B', 'create B', 'leave'],
  ['new on both sides with the same bytes is adopted', null, 'B', 'B', 'adopt', 'adopt'],
  ['new on both sides with other bytes is a conflict', null, 'B', 'C', 'conflict create', 'conflict create'],
  ['new on both sides with other execute bits is a conflict', null, 'A', 'A+x', 'conflict create', 'conflict create'],
  ['the same everywhere is unchanged', 'A', 'A', 'A', 'unchanged', 'unchanged'],
  ['changed there comes home', 'A', 'A', 'B', 'update B', 'leave'],
  ['changed here goes out', 'A', 'B', 'A', 'leave', 'update B'],
  ['changed alike on both sides is adopted', 'A', 'B', 'B', 'adopt', 'adopt'],
  ['changed apart on both sides is a conflict', 'A', 'B', 'C', 'conflict update', 'conflict update'],
  ['removed there and unchanged here is removed here', 'A', 'A', null, 'remove 1 B', 'leave'],
  ['removed here and unchanged there is removed there', 'A', null, 'A', 'leave', 'remove 1 B'],
  ['removed here and changed there is a conflict', 'A', null, 'B', 'conflict update', 'conflict delete'],
  ['changed here and removed there is a conflict', 'A', 'B', null, 'conflict delete', 'conflict update'],
  ['gone on both sides is dropped', 'A', null, null, 'drop', 'drop'],
  ['made executable there comes home', 'A', 'A', 'A+x', 'update A+x', 'leave'],
  ['made executable here goes out', 'A', 'A+x', 'A', 'leave', 'update A+x'],
  ['made executable on both sides is adopted', 'A', 'A+x', 'A+x', 'adopt', 'adopt'],
  ['made executable here and edited there is a conflict', 'A', 'A+x', 'B', 'conflict update', 'conflict update'],
  ['no longer executable there comes home', 'A+x', 'A+x', 'A', 'update A', 'leave'],
];

function baselineOf(version: Version): AgreedEntry | undefined {
  const found = entry(version);
  return found && { hash: found.hash, size: found.size, executable: found.executable ?? false };
}

describe('decide', () => {
  it.each(table)('%s', (_sentence, baseline, local, remote, syncBack, push) => {
    expect(said(decide(path, baselineOf(baseline), entry(local), entry(remote)))).toBe(syncBack);
    expect(said(decide(path, baselineOf(baseline), entry(remote), entry(local)))).toBe(push);
  });

  it('is asked about all eight presence combinations', () => {
    const combinations = new Set(
      table.map(([, ...versions]) =>
        versions
          .slice(0, 3)
          .map((version) => version !== null)
          .join(),
      ),
    );
    expect(combinations.size).toBe(8);
  });

  it('takes a disk without execute bits for any side', () => {
    const bitless = file('A', null);
    const changed = file('Bb', null);
    expect(said(decide(path, agreed('A', true), bitless, file('A', true)))).toBe('unchanged');
    expect(said(decide(path, agreed('A', true), file('A', true), bitless))).toBe('unchanged');
    expect(said(decide(path, undefined, bitless, file('A', true)))).toBe('adopt');
    expect(said(decide(path, undefined, file('A', true), bitless))).toBe('adopt');
    expect(said(decide(path, agreed('A', true), bitless, undefined))).toBe('remove 1 B');
    expect(decide(path, agreed('A', true), file('A', true), changed)).toEqual({ kind: 'write', path, change: 'update', entry: changed });
  });
});

const input = (parts: Partial<ReconcileInput>): ReconcileInput => ({
  direction: 'sync-back',
  baseline: new Map(),
  receiver: new Map(),
  sender: new Map(),
  blocked: [],
  rules: plainRules,
  newSkills: 'bring',
  decided: noDecisions,
  ...parts,
});
const decided = (parts: Partial<ReconcileInput>) =>
  Object.fromEntries([...reconcile(input(parts))].map((decision) => [decision.path, said(decision)]));

describe('a guarded file', () => {
  const usage = 'skills/.usage.json';
  const one = (version: Version) => {
    const found = entry(version);
    return new Map(found === undefined ? [] : [[usage, found]]);
  };
  const base = (version: Version) => {
    const found = baselineOf(version);
    return new Map(found === undefined ? [] : [[usage, found]]);
  };
  const rows: readonly (readonly [string, Version, Version, Version, string, string])[] = [
    ['that is new there is held, and left by a push', null, null, 'B', 'guarded create', 'leave'],
    ['that is new here goes out where none is', null, 'B', null, 'leave', 'create B'],
    ['that differs with no common version is held, and left by a push', null, 'B', 'C', 'guarded create', 'leave'],
    ['that is the same on both sides is adopted', null, 'B', 'B', 'adopt', 'adopt'],
    ['that changed there is held, and left by a push', 'A', 'A', 'B', 'guarded update', 'leave'],
    ['that changed here goes out over what was agreed', 'A', 'B', 'A', 'leave', 'update B'],
    ['that changed on both sides is held, and left by a push', 'A', 'B', 'C', 'guarded update', 'leave'],
    ['that was removed there is held', 'A', 'A', null, 'guarded delete', 'leave'],
    ['that was removed here stays there', 'A', null, 'A', 'leave', 'leave'],
    ['that was removed here and changed there is held, and left by a push', 'A', null, 'B', 'guarded update', 'leave'],
    ['that changed here and was removed there is held, and left by a push', 'A', 'B', null, 'guarded delete', 'leave'],
  ];
  it.each(rows)('%s', (_sentence, baseline, local, remote, syncBack, push) => {
    expect(decided({ baseline: base(baseline), receiver: one(local), sender: one(remote) })).toEqual({ [usage]: syncBack });
    expect(decided({ direction: 'push', baseline: base(baseline), receiver: one(remote), sender: one(local) })).toEqual({ [usage]: push });
  });
});

describe('the review of new skills', () => {
  const local = files({ 'skills/known/SKILL.md': 'k' });
  const remote = files({
    'skills/known/SKILL.md': 'k',
    'skills/known/more.md': 'Bb',
    'skills/known/inner/SKILL.md': 'Bb',
    'skills/cat/new/SKILL.md': 'Bb',
    'skills/cat/new/scripts/run.sh': 'Ccc',
    'skills/cat/loose.md': 'Bb',
  });

  it('holds whole skills that are not here yet, and brings what belongs to known ones or to none', () => {
    expect(decided({ newSkills: 'review', receiver: local, sender: remote })).toEqual({
      'skills/known/SKILL.md': 'adopt',
      'skills/known/more.md': 'create B',
      'skills/known/inner/SKILL.md': 'review create',
      'skills/cat/new/SKILL.md': 'review create',
      'skills/cat/new/scripts/run.sh': 'review create',
      'skills/cat/loose.md': 'create B',
    });
  });

  it('is no matter of a push, nor where new skills are simply brought', () => {
    const sent = decided({ direction: 'push', newSkills: 'review', receiver: local, sender: remote });
    const brought = decided({ newSkills: 'bring', receiver: local, sender: remote });
    expect(sent).toEqual(brought);
    expect(Object.values(brought).filter((word) => word.startsWith('create'))).toHaveLength(5);
  });
});

describe('a blocked path', () => {
  it('gets no decision, nor does anything below it, and its neighbours do', () => {
    const parts = {
      baseline: agreements({ 'skills/a/x.md': 'A', 'skills/ab.md': 'A', 'skills/c.md': 'A' }),
      receiver: files({ 'skills/a/x.md': 'A', 'skills/a/deep/y.md': 'A', 'skills/ab.md': 'A', 'skills/c.md': 'A' }),
      sender: files({ 'skills/a/new.md': 'Bb' }),
    };
    expect(decided({ ...parts, blocked: ['skills/a', 'skills/c.md'] })).toEqual({ 'skills/ab.md': 'remove 1 B' });
    expect(decided({ ...parts, blocked: ['skills'] })).toEqual({});
    expect(Object.keys(decided(parts))).toHaveLength(5);
  });
});

describe('an earlier decision', () => {
  const guarded = 'skills/.usage.json';
  const parts = {
    baseline: agreements({ 'skills/c.md': 'A', 'skills/u.md': 'A', 'skills/gone.md': 'A' }),
    receiver: files({ 'skills/c.md': 'Bb', 'skills/u.md': 'A', 'skills/gone.md': 'A', [guarded]: 'A' }),
    sender: files({ 'skills/c.md': 'Ccc', 'skills/u.md': 'Bb', [guarded]: 'Bb' }),
  };
  const hash = (content: string) => file(content).hash;

  it('leaves what was discarded, until the remote changes again', () => {
    const declined = (content: string) => ({ ...noDecisions, declined: new Map([['skills/c.md', hash(content)]]) });
    expect(decided({ ...parts, decided: declined('Ccc') })['skills/c.md']).toBe('leave');
    expect(decided({ ...parts, decided: declined('older') })['skills/c.md']).toBe('conflict update');
  });

  it('holds what was undone, a removal too, until the remote changes again', () => {
    const undone = (content: string) =>
      new Map([
        ['skills/u.md', hash(content)],
        ['skills/gone.md', null],
      ]);
    const held = decided({ ...parts, decided: { ...noDecisions, undone: undone('Bb') } });
    expect([held['skills/u.md'], held['skills/gone.md']]).toEqual(['review update', 'review delete']);
    expect(decided({ ...parts, decided: { ...noDecisions, undone: undone('older') } })['skills/u.md']).toBe('update B');
  });

  it('keeps a guarded file always local where that was asked for, and no other file', () => {
    const keepLocal = new Set([guarded, 'skills/c.md', 'skills/u.md']);
    expect(decided({ ...parts, decided: { ...noDecisions, keepLocal } })).toEqual({
      'skills/c.md': 'conflict update',
      'skills/u.md': 'update B',
      'skills/gone.md': 'remove 1 B',
      [guarded]: 'leave',
    });
  });

  it('never makes a push overwrite or remove more', () => {
    const all = {
      declined: new Map([['skills/c.md', hash('Ccc')]]),
      undone: new Map([['skills/u.md', hash('Bb')]]),
      keepLocal: new Set([guarded]),
    };
    const push = { ...parts, direction: 'push' as const, receiver: parts.sender, sender: parts.receiver };
    expect(decided({ ...push, decided: all })).toEqual({ ...decided(push), 'skills/c.md': 'leave' });
  });
});

describe('skill folders', () => {
  it('are those with a SKILL.md on either side, and the nearest one owns a path', () => {
    const skills = skillFolders(files({ 'skills/a/SKILL.md': 'A', 'skills/x/NOTSKILL.md': 'A' }), files({ 'skills/a/in/SKILL.md': 'A' }));
    expect([...skills]).toEqual(['skills/a', 'skills/a/in']);
    const owners = ['skills/a/SKILL.md', 'skills/a/b/c.md', 'skills/a/in/x.md', 'skills/x/y.md', 'skills/ab/y.md', 'skills'].map((one) =>
      nearestSkill(one, skills),
    );
    expect(owners).toEqual(['skills/a', 'skills/a', 'skills/a/in', null, null, null]);
  });
});
