import { describe, expect, it } from 'vitest';
import { openPart, refusedLines } from '../../../renderer/components/ledger';
import { fullLedger } from '../../support/canned';

describe('refusedLines', () => {
  it('lists the largest tree first and what other rules refused, so that the lines add up', () => {
    const { trees, other } = refusedLines(fullLedger.refused);
    expect(trees.map(([name]) => name)).toEqual(['.curator_backups', 'node_modules']);
    expect(trees.reduce((sum, [, tally]) => sum + tally.bytes, other.bytes)).toBe(fullLedger.refused.bytes);
    expect(trees.reduce((sum, [, tally]) => sum + tally.files, other.files)).toBe(fullLedger.refused.files);
  });

  it('tells what the user declined apart from what rules refused', () => {
    const { refused } = fullLedger;
    const declined = { files: 3, bytes: 900 };
    const more = { ...refused, files: refused.files + 3, bytes: refused.bytes + 900, byRule: { ...refused.byRule, declined } };
    expect(refusedLines(more)).toEqual({ ...refusedLines(refused), declined });
  });
});

describe('openPart', () => {
  it('is what makes the lines add up to what is on the remote', () => {
    const onRemote = { files: fullLedger.onRemote.files + 2, bytes: fullLedger.onRemote.bytes + 700 };
    expect(openPart(fullLedger)).toEqual({ files: 0, bytes: 0 });
    expect(openPart({ ...fullLedger, onRemote })).toEqual({ files: 2, bytes: 700 });
  });
});
