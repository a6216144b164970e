import { describe, expect, it } from 'vitest';
import { describeLeftovers, isRebuildable, isRollbackStaging, syncBackOwner } from '../../../electron/hygiene/leftovers';
import { excludedNames } from '../../../shared/rules';

describe('isRebuildable', () => {
  it('splits the excluded names into what can be filled again and what is somebody’s state', () => {
    const state = ['.git', '.github', '.hub', '.archive', '.curator_backups', '.locks'];
    expect(excludedNames.filter((name) => !isRebuildable(name))).toEqual(state);
  });

  it('takes a name that Hermes may exclude one day for state', () => {
    expect(['.curator_index', 'vendor', '.cache'].map(isRebuildable)).toEqual([false, false, false]);
  });
});

describe('describeLeftovers', () => {
  const tree = (name: string) => ({ name, path: `skills/a/${name}`, files: 2, bytes: 30, estimated: false });
  const found = [{ path: 'skills/.curator_backups/.rollback-staging-x', bytes: 5, cause: 'rollback' }] as const;

  it('lists rebuildable trees of a remote first, with where and how much', () => {
    const leftovers = describeLeftovers('remote', [tree('.hub'), tree('node_modules'), tree('.git')], found);
    expect(leftovers.map(({ path, bytes }) => [path, bytes])).toEqual([
      ['skills/a/node_modules', 30],
      ['skills/.curator_backups/.rollback-staging-x', 5],
    ]);
    expect(leftovers.every(({ reason }) => reason.length > 10)).toBe(true);
  });

  it('does not call the user’s own working folders here leftovers', () => {
    expect(describeLeftovers('local', [tree('node_modules')], found).map(({ bytes }) => bytes)).toEqual([5]);
  });
});

describe('names of broken runs', () => {
  it.each([
    ['hermes-sync-back-123-abc', 123],
    ['hermes-sync-back-123-', 123],
    ['hermes-sync-back-0-abc', null],
    ['hermes-sync-back-12x-abc', null],
    ['hermes-sync-back-', null],
    ['my-hermes-sync-back-1-a', null],
  ])('%s belongs to process %s', (name, owner) => {
    expect(syncBackOwner(name)).toBe(owner);
  });

  it('knows a staging directory of a rollback', () => {
    expect(['.rollback-staging-x', 'rollback-staging-x', '.rollback'].map(isRollbackStaging)).toEqual([true, false, false]);
  });
});
