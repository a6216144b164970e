import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeResolvePlace, type ResolvePlace } from './resolving';

let place: ResolvePlace;
beforeEach(async () => {
  place = await makeResolvePlace();
});
afterEach(() => place.remove());

describe('what was held for its size', () => {
  it.each([
    ['discard', 'growth-declined'],
    ['release', 'growth-release'],
    ['expect', 'growth-expected'],
  ] as const)('is decided by %s, which is remembered as %s; no file is touched', async (choice, remembered) => {
    const item = await place.wait({ kind: 'growth', path: 'skills/web/.npm', local: null, remote: null });
    const before = await place.contents();
    const report = await place.resolve(choice, item.id);
    expect(report.outcome).toBe('done');
    expect(place.decisions.list('c').map(({ path, choice: made }) => [path, made])).toEqual([['skills/web/.npm', remembered]]);
    expect(place.inbox.list('c')).toEqual([]);
    expect(await place.contents()).toEqual(before);
  });

  it('can be excluded for good', async () => {
    const item = await place.wait({ kind: 'growth', path: 'skills/web/.npm', local: null, remote: null });
    await place.resolve('exclude', item.id);
    expect(place.connection.userRules).toEqual(['/skills/web/.npm']);
  });
});
