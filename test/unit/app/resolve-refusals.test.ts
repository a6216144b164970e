import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../../shared/run-report';
import { A, eachInItsOwnPlace, L, path, place, R } from './resolving';

eachInItsOwnPlace();

async function arrange(): Promise<void> {
  await place.write({ [path]: L });
  await place.agree({ [path]: A });
}

describe('what is refused before anything is done', () => {
  const codeOf = (work: Promise<RunReport>) => work.then(() => null).catch((error: { readonly code: string }) => error.code);

  it('is an id nobody knows, however many others are right', async () => {
    await arrange();
    const item = await place.wait({ path, local: L, remote: R });
    expect(await codeOf(place.resolve('keep-remote', item.id, 'nobody'))).toBe('inbox.unknown');
    await expect(place.resolve('keep-remote', item.id, 'nobody')).rejects.toThrow('"nobody"');
    expect(await place.contents()).toEqual({ [path]: L });
    expect(place.inbox.list()).toEqual([item]);
  });

  it('is a choice that does not fit the kind', async () => {
    const growth = await place.wait({ kind: 'growth', path: 'skills/big', local: null, remote: null });
    const review = await place.wait({ kind: 'review', path: 'skills/n/SKILL.md', local: null, remote: R });
    const conflict = await place.wait({ path, local: L, remote: R });
    expect(await codeOf(place.resolve('keep-remote', growth.id))).toBe('inbox.not-allowed');
    expect(await codeOf(place.resolve('expect', review.id))).toBe('inbox.not-allowed');
    expect(await codeOf(place.resolve('keep-both', review.id))).toBe('inbox.not-allowed');
    expect(await codeOf(place.resolve('release', conflict.id))).toBe('inbox.not-allowed');
  });

  it('is a version that is not stored, with the way to get it', async () => {
    await arrange();
    const item = await place.wait({ path, local: L, remote: R, stored: false });
    for (const choice of ['keep-remote', 'keep-both'] as const) {
      await expect(place.resolve(choice, item.id)).rejects.toThrow(/"session end" fetches it/);
    }
    expect(place.inbox.list()).toEqual([item]);
    expect((await place.resolve('keep-local', item.id)).outcome).toBe('done');
  });

  it('is a mixture of connections', async () => {
    const one = await place.wait({ path, local: L, remote: R });
    const two = await place.wait({ connection: 'd', path, local: L, remote: R });
    expect(await codeOf(place.resolve('discard', one.id, two.id))).toBe('inbox.several-connections');
    expect(place.decisions.list()).toEqual([]);
  });

  it('is a connection at work', async () => {
    await arrange();
    const item = await place.wait({ path, local: L, remote: R });
    let finish = (): void => undefined;
    const working = place.runs.runOwn(place.connection, 'undo', async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      throw new Error('over');
    });
    expect(await codeOf(place.resolve('keep-remote', item.id))).toBe('run.busy');
    finish();
    await working;
    expect((await place.resolve('keep-remote', item.id)).outcome).toBe('done');
  });
});
