import { describe, expect, it } from 'vitest';
import type { ChangeGroup } from '../../../electron/engine/groups';
import { createJournal, endJournal, type JournalHead, type JournalLog, readJournal } from '../../../electron/engine/journal';
import { write } from '../../contract/contract-side';

const head: JournalHead = {
  ...{ runId: 'run', kind: 'sync-back', connection: { id: '1', name: 'bücherei' }, pid: 7, home: '/h', stagingDir: '/s', undoDir: '/u' },
  ...{ startedAt: '2026-01-02T03:04:05.000Z', undoes: null },
};
const agreed = { hash: 'a'.repeat(64), size: 3, executable: false };
const groups: readonly ChangeGroup[] = [
  { changes: [write('skills/ä.md', 'new'), write('skills/b.md', 'two')], folders: [{ path: 'skills', existed: true, mode: 0o700 }] },
];

class Lines implements JournalLog {
  text = '';
  async append(line: string): Promise<void> {
    this.text += line;
  }
}

async function written(upTo: 'begin' | 'plan' | 'end'): Promise<string> {
  const log = new Lines();
  const journal = createJournal(log, head, async () => new Map([['skills/ä.md', agreed]]));
  await journal.begin();
  if (upTo !== 'begin') await journal.plan(groups);
  if (upTo === 'end') await journal.end();
  return log.text;
}

describe('readJournal', () => {
  it('reads what was written, however far it came', async () => {
    const common = { kind: 'read', head };
    for (const upTo of ['begin', 'plan', 'end'] as const) {
      const text = await written(upTo);
      const plan = upTo === 'begin' ? { groups: null, agreed: new Map() } : { groups, agreed: new Map([['skills/ä.md', agreed]]) };
      expect(readJournal(text)).toEqual({ ...common, ...plan, ended: upTo === 'end', text });
    }
  });

  it.each(['plan', 'end'] as const)('reads everything before the last line when that line, the %s, is cut at any byte', async (upTo) => {
    const whole = await written(upTo);
    const before = await written(upTo === 'plan' ? 'begin' : 'plan');
    for (let length = before.length; length < whole.length - 1; length += 1) {
      expect(readJournal(whole.slice(0, length)), `cut at ${length}`).toEqual(readJournal(before));
    }
  });

  it('is damaged when its first line is cut at any byte', async () => {
    const whole = await written('begin');
    expect(readJournal('')).toEqual({ kind: 'damaged', reason: 'it is empty' });
    for (let length = 1; length < whole.length - 1; length += 1) {
      expect(readJournal(whole.slice(0, length)), `cut at ${length}`).toMatchObject({ kind: 'damaged' });
    }
  });

  it('is damaged when a byte of a line before the last one changed', async () => {
    const whole = await written('end');
    const last = (await written('plan')).length;
    for (let at = 0; at < last; at += 7) {
      const changed = `${whole.slice(0, at)}${whole[at] === '~' ? '!' : '~'}${whole.slice(at + 1)}`;
      expect(readJournal(changed).kind, `changed at ${at}`).not.toBe('read');
    }
  });

  it('tells a newer version, whatever else is in it', () => {
    expect(readJournal('{"version":2,"something":"else"}\nnot json\n')).toEqual({ kind: 'newer', version: 2 });
  });

  it('goes on after a cut line once that is dropped', async () => {
    const whole = await written('plan');
    const found = readJournal(whole.slice(0, -20));
    const log = new Lines();
    log.text = found.kind === 'read' ? found.text : '';
    await endJournal(log);
    expect(readJournal(log.text)).toMatchObject({ kind: 'read', groups: null, ended: true });
  });
});

describe('createJournal', () => {
  it('writes no end for a journal that never began', async () => {
    const log = new Lines();
    await createJournal(log, head).end();
    expect(log.text).toBe('');
  });
});
