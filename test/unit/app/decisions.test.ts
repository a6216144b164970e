import { describe, expect, it } from 'vitest';
import { ruleFor } from '../../../electron/app/decisions';
import { compileUserRules } from '../../../electron/app/user-rules';
import { openStateFile } from '../../../electron/store/state-file';
import { sha256 } from '../../support/tree';
import { A, eachInItsOwnPlace, L, path, place, R } from './resolving';

eachInItsOwnPlace();

const rulesOf = () => place.connection.userRules;
const waitingPaths = () => place.inbox.list().map((item) => item.path);

describe('a declined version', () => {
  it('is remembered by its hash, or that it is gone, for its connection alone', async () => {
    const one = await place.wait({ path, local: L, remote: R });
    const two = await place.wait({ path: 'skills/a/gone.md', local: L, remote: null });
    await place.resolve('discard', one.id, two.id);
    expect(place.decisions.declinedFor('c')).toEqual(
      new Map([
        [path, sha256(R)],
        ['skills/a/gone.md', null],
      ]),
    );
    expect(place.decisions.declinedFor('d')).toEqual(new Map());
  });

  it('gives way to a later one, and to any other decision about the path', async () => {
    await place.write({ [path]: L });
    await place.agree({ [path]: A });
    await place.resolve('discard', (await place.wait({ path, local: L, remote: 'an earlier one\n' })).id);
    await place.resolve('discard', (await place.wait({ path, local: L, remote: R })).id);
    expect(place.decisions.declinedFor('c')).toEqual(new Map([[path, sha256(R)]]));
    await place.resolve('keep-local', (await place.wait({ path, local: L, remote: 'a later one\n' })).id);
    expect(place.decisions.list()).toEqual([]);
  });
});

describe('exclude', () => {
  it('adds a rule for the very path, drops the item and touches no file', async () => {
    await place.write({ [path]: L });
    await place.agree({ [path]: A });
    const before = await place.agreed();
    const item = await place.wait({ path, local: L, remote: R });
    await place.wait({ path: `${path}x`, local: L, remote: R });
    const report = await place.resolve('exclude', item.id);
    expect(report.paths).toMatchObject([{ path, outcome: 'refused', reason: 'excluded; stays as it is on both sides' }]);
    expect(rulesOf()).toEqual([`/${path}`]);
    expect(waitingPaths()).toEqual([`${path}x`]);
    expect(await place.contents()).toEqual({ [path]: L });
    expect(await place.agreed()).toEqual(before);
  });

  it('of a growth item covers its folder, with whatever else waits below', async () => {
    const big = await place.wait({ kind: 'growth', path: 'skills/big', local: null, remote: null });
    await place.wait({ path: 'skills/big/x/y.md', local: L, remote: R });
    await place.wait({ path: 'skills/bigger.md', local: L, remote: R });
    await place.wait({ connection: 'd', path: 'skills/big/x/y.md', local: L, remote: R });
    const report = await place.resolve('exclude', big.id);
    expect(report.paths.map((line) => line.path).sort()).toEqual(['skills/big', 'skills/big/x/y.md']);
    expect(rulesOf()).toEqual(['/skills/big']);
    expect(place.inbox.list().map((item) => `${item.connection} ${item.path}`)).toEqual(['d skills/big/x/y.md', 'c skills/bigger.md']);
  });

  it('of a new skill covers the whole of it, so that nothing of it slips home without its SKILL.md', async () => {
    const skill = await place.wait({ kind: 'review', path: 'skills/new/SKILL.md', local: null, remote: R });
    await place.wait({ kind: 'review', path: 'skills/new/run.sh', local: null, remote: R });
    await place.resolve('exclude', skill.id);
    expect(rulesOf()).toEqual(['/skills/new']);
    expect(waitingPaths()).toEqual([]);
  });

  it('of a guarded file keeps the local version for good, without a rule', async () => {
    const item = await place.wait({ kind: 'guarded', path: 'skills/.usage.json', local: L, remote: R });
    const report = await place.resolve('exclude', item.id);
    expect(report.paths).toMatchObject([{ outcome: 'refused', reason: 'the local version always stays from now on' }]);
    expect(place.decisions.keepsLocal('c')).toEqual(new Set(['skills/.usage.json']));
    expect(rulesOf()).toEqual([]);
    expect(waitingPaths()).toEqual([]);
  });
});

describe('the rule for a path', () => {
  const paths = [
    'skills/a/SKILL.md',
    'skills/a b/two  spaces ',
    'skills/[x]/*?',
    'skills/x/aa',
    'skills/!a#',
    '#skills/a',
    'skills/{a,b}/(c)+$^|',
    'skills/日本語/潮.md',
    'skills/line\nbreak/c',
    'skills/**/x',
    'skills/y/x',
    'skills/%20/&\'"',
  ];

  it.each(paths)('matches %j and what lies below, and no other of these', (one) => {
    const rules = compileUserRules([ruleFor(one)]);
    const matched = (candidates: readonly string[]) => candidates.filter((candidate) => rules?.matches(candidate, false) != null);
    expect(matched(paths)).toEqual([one]);
    expect(matched([`${one}/below/deep`])).toEqual([`${one}/below/deep`]);
    expect(matched([`x/${one}`, `${one}x`, one.slice(0, one.lastIndexOf('/'))])).toEqual([]);
  });
});

describe('taking a decision back', () => {
  it('takes the rule it made with it, and leaves the rules the user wrote', async () => {
    await place.state.update((draft) => {
      for (const connection of draft.connections) connection.userRules = ['*.log'];
    });
    const item = await place.wait({ path, local: L, remote: R });
    await place.resolve('exclude', item.id);
    expect(rulesOf()).toEqual(['*.log', `/${path}`]);
    const [decision] = place.decisions.list('c');
    await place.decisions.revoke(decision?.id ?? '');
    expect(rulesOf()).toEqual(['*.log']);
    expect(place.decisions.list()).toEqual([]);
  });

  it('says which id it does not know', async () => {
    await expect(place.decisions.revoke('nobody')).rejects.toMatchObject({ code: 'decision.unknown', details: { id: 'nobody' } });
  });

  it('is possible after a restart, since decisions are on disk', async () => {
    await place.decisions.keepLocal('c', 'skills/.usage.json');
    await place.decisions.decline('c', path, sha256(R));
    const again = await openStateFile(place.stateFile);
    expect(again.state.decisions).toEqual(place.decisions.list());
    expect(again.state.decisions.map(({ choice }) => choice)).toEqual(['keep-local', 'declined']);
  });
});

describe('releasing a new skill', () => {
  it('places all of it together, whichever of its files was named, and nothing of another', async () => {
    await place.write({ 'skills/old/SKILL.md': 'old\n' });
    await place.agree({});
    await place.wait({ kind: 'review', path: 'skills/new/SKILL.md', local: null, remote: '# new\n' });
    const script = { text: '#!/bin/sh\n', executable: true };
    const named = await place.wait({ kind: 'review', path: 'skills/new/scripts/run.sh', local: null, remote: script });
    const others = await place.wait({ kind: 'review', path: 'skills/newer/SKILL.md', local: null, remote: '# newer\n' });
    const report = await place.resolve('release', named.id);
    expect(report).toMatchObject({ outcome: 'done', ledger: { written: { files: 2, bytes: 16 } } });
    expect(await place.contents()).toEqual({
      'skills/old/SKILL.md': 'old\n',
      'skills/new/SKILL.md': '# new\n',
      'skills/new/scripts/run.sh': '#!/bin/sh\n',
    });
    expect(Object.keys(await place.agreed()).sort()).toEqual(['skills/new/SKILL.md', 'skills/new/scripts/run.sh']);
    expect(place.inbox.list()).toEqual([others]);
  });

  it('places nothing of it when one of its files cannot be placed', async () => {
    await place.agree({});
    const skill = await place.wait({ kind: 'review', path: 'skills/new/SKILL.md', local: null, remote: '# new\n' });
    await place.wait({ kind: 'review', path: 'skills/new/notes.md', local: null, remote: 'notes\n' });
    await place.write({ 'skills/new/notes.md': 'mine by now\n' });
    const report = await place.resolve('release', skill.id);
    expect(report.outcome).toBe('partly');
    expect(report.paths.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
    expect(await place.contents()).toEqual({ 'skills/new/notes.md': 'mine by now\n' });
    expect(waitingPaths()).toEqual(['skills/new/SKILL.md', 'skills/new/notes.md']);
  });

  it('is refused whole when a part of it is not stored', async () => {
    await place.agree({});
    const skill = await place.wait({ kind: 'review', path: 'skills/new/SKILL.md', local: null, remote: '# new\n' });
    await place.wait({ kind: 'review', path: 'skills/new/big.md', local: null, remote: 'big\n', stored: false });
    await expect(place.resolve('release', skill.id)).rejects.toMatchObject({
      code: 'inbox.not-stored',
      details: { path: 'skills/new/big.md' },
    });
    expect(await place.contents()).toEqual({});
  });
});
