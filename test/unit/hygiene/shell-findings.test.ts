import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { describeSide } from '../../../electron/hygiene/findings';
import { readShellAnswer } from '../../../electron/hygiene/shell-findings';
import { createRules } from '../../../shared/rules';

const rules = createRules({ platform: 'posix', folds: { case: false, unicode: false } });
const marker = 'ebbgate-0123456789abcdef';
const id = '2026-05-01T13-05-42Z';
const older = '2026-04-01T13-05-42Z';
const words = (...list: readonly string[]): Buffer => Buffer.from(list.map((word) => `${word}\0`).join(''));
const text = (content: string, compress: boolean): Buffer =>
  Buffer.concat([words('text'), Buffer.from(`${marker}<`), compress ? gzipSync(content) : Buffer.from(content), Buffer.from(`${marker}>`)]);

function output({ compress = true, checks = true } = {}): Buffer {
  return Buffer.concat([
    Buffer.from('Welcome!\nquota 40 %\n'),
    words('', `${marker}-begin`, 'gz', compress ? '1' : '0', 'home', '/home/u/.hermes', 'ok', 'ok', 'hermes'),
    words('blobs', '3 700 0', 'hub', 'present', '1700000000'),
    text('{"installed": {}}\0with a NUL', compress),
    words('enter', '', 'tree', 'skills/new\nline/node_modules', '12 3456 0', 'tree', 'skills/.hub', '2 99 1'),
    words('point', id, '2 1050 0', 'present', '1000'),
    text('{"reason": "manual", "archive_bytes": 1000}', compress),
    words('point', older, '1 10 0', 'unreadable', '10', 'no-text'),
    words('left', 'skills/.curator_backups/.rollback-staging-1', '1 5 0', 'rollback'),
    words('enter', 'a profile', 'partial', 'facts-end'),
    checks ? words('sha', '', id, 'f'.repeat(64), 'gzip', '', id, 'good') : Buffer.alloc(0),
    words(`${marker}-end`),
    Buffer.from('removing TMPDIR\n'),
  ]);
}

describe('readShellAnswer', () => {
  it.each([true, false])('reads every part, between whatever else was printed (compressed: %s)', (compress) => {
    const answer = readShellAnswer(output({ compress }), marker, rules);
    expect(answer).toEqual({
      kind: 'found',
      findings: {
        side: 'remote',
        home: '/home/u/.hermes',
        problem: null,
        runsHermes: true,
        own: {
          trees: [
            { name: '.hub', path: 'skills/.hub', files: 2, bytes: 99, complete: false },
            { name: 'node_modules', path: 'skills/new\nline/node_modules', files: 12, bytes: 3456, complete: true },
          ],
          points: [
            {
              id,
              bytes: 1050,
              archive: { state: 'present', size: 1000, gzip: true, sha256: 'f'.repeat(64) },
              manifest: '{"reason": "manual", "archive_bytes": 1000}',
            },
            { id: older, bytes: 10, archive: { state: 'unreadable' }, manifest: null },
          ],
          leftovers: [{ path: 'skills/.curator_backups/.rollback-staging-1', bytes: 5, cause: 'rollback' }],
          complete: true,
          linked: false,
        },
        ledgerBlobs: { files: 3, bytes: 700 },
        hubLock: expect.objectContaining({ state: 'present', mtime: '2023-11-14T22:13:20.000Z', text: '{"installed": {}}\0with a NUL' }),
        profiles: [{ name: 'a profile', home: { trees: [], points: [], leftovers: [], complete: false, linked: false } }],
      },
    });
  });

  it('is unusable wherever it breaks off before the facts end, and has only the checks missing after that', () => {
    const whole = output();
    const factsEnd = whole.indexOf(Buffer.from('\0facts-end\0')) + '\0facts-end\0'.length;
    for (let length = 0; length < whole.length; length += 1) {
      const answer = readShellAnswer(whole.subarray(0, length), marker, rules);
      expect([length, answer.kind]).toEqual([length, length < factsEnd ? 'unusable' : 'found']);
    }
    const answer = readShellAnswer(whole.subarray(0, factsEnd), marker, rules);
    const points = answer.kind === 'found' ? describeSide(answer.findings, null).restorePoints : [];
    expect(points.map(({ restorable }) => restorable)).toEqual([null, null]);
  });

  it('does not take another run’s frame for its own', () => {
    expect(readShellAnswer(output(), 'ebbgate-another', rules).kind).toBe('unusable');
  });

  it.each([
    [
      'a tool that is missing',
      words('', `${marker}-begin`, 'no-tool', 'find', `${marker}-end`),
      { kind: 'unusable', detail: 'the remote has no find' },
    ],
    ['a home that cannot be', words('', `${marker}-begin`, 'no-home', '/home/u', `${marker}-end`), { kind: 'no-home', path: '/home/u' }],
    [
      'numbers that are none',
      words('', `${marker}-begin`, 'enter', '', 'tree', 'x', 'many', `${marker}-end`),
      { kind: 'unusable', detail: 'the output broke off' },
    ],
    [
      'words that are none of ours',
      words('', `${marker}-begin`, 'surprise', `${marker}-end`),
      { kind: 'unusable', detail: 'the output broke off' },
    ],
  ])('tells %s', (_, bytes, expected) => {
    expect(readShellAnswer(bytes, marker, rules)).toEqual(expected);
  });

  it.each([
    ['missing', 'missing', 'There is no Hermes home at /h.'],
    ['unreadable', 'missing', 'The Hermes home /h cannot be read.'],
    ['other', 'missing', '/h is not a folder.'],
    ['ok', 'unreadable', 'The folder /h/skills cannot be read.'],
    ['ok', 'missing', null],
  ])('keeps "not there" and "cannot be read" apart: home %s, skills %s', (home, skills, problem) => {
    const bytes = words(
      '',
      `${marker}-begin`,
      'home',
      '/h',
      home,
      skills,
      'hub',
      'missing',
      '',
      'no-text',
      'enter',
      '',
      'facts-end',
      `${marker}-end`,
    );
    const answer = readShellAnswer(bytes, marker, rules);
    expect(answer.kind === 'found' ? answer.findings.problem : answer).toBe(problem);
  });
});
