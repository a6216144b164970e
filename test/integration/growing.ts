import { expect } from 'vitest';
import type { Resolution } from '../../shared/inbox';
import type { SessionPlace } from '../support/session';
import type { Tree } from '../support/tree';

/** Bytes. */
export const MB = 1_000_000;
/** What both sides hold before anything grows. */
export const skill = {
  'skills/web/SKILL.md': '# Web\n',
  'skills/web/notes.md': 'n'.repeat(10_000),
  'skills/git/SKILL.md': '# Git\n',
};

/** So many bytes, the same ones for the same seed. */
export function filled(bytes: number, seed: number): Uint8Array {
  // Nothing a compressor could make small: what is not downloaded must not be hidden by what compresses well.
  const content = Buffer.alloc(bytes);
  let state = seed | 1;
  for (let at = 0; at + 4 <= bytes; at += 4) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    content.writeInt32LE(state | 0, at);
  }
  return content;
}

/** So many files of so many bytes each in one folder. */
export function many(folder: string, count: number, bytes: number): Tree {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}/f${index}`, filled(bytes, index)]));
}

/** Decides about everything that waits, and starts the application anew: what was decided is not in its memory alone. */
export async function decide(place: SessionPlace, choice: Resolution): Promise<void> {
  const ids = (await place.inbox()).map(({ id }) => id);
  expect(await place.call('inbox.resolve', { ids, choice })).toMatchObject({ kind: 'resolve', outcome: 'done' });
  await place.restart();
  expect(await place.inbox()).toEqual([]);
}

/** Each test holds several sessions, and thousands of files, on a machine that others may use too. */
export const patience = { timeout: 240_000 };
