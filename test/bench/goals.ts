import type { LinkName } from './link';
import type { ToolName } from './main';
import { bytesText, type Row, ratioText, wallOf, wireOf } from './report';
import type { ScenarioName } from './scenarios';
import type { Size } from './trees';

/** One number that was promised, for one size. */
interface Goal {
  readonly id: string;
  readonly says: string;
  readonly size: Size;
  readonly limit: number;
  readonly text: (value: number) => string;
  readonly measure: (at: At) => number;
}

/** Rows of one size, by link, scenario and tool. */
type At = (link: LinkName, scenario: ScenarioName, tool: ToolName) => Row | undefined;

const wall =
  (link: LinkName, scenario: ScenarioName, peer: ToolName, own: ToolName = 'ebbgate', ownScenario = scenario) =>
  (at: At) =>
    wallOf(at(link, ownScenario, own)) / wallOf(at(link, scenario, peer));
const wire =
  (scenario: ScenarioName, peer: ToolName, ownScenario = scenario) =>
  (at: At) =>
    wireOf(at('slow', ownScenario, 'ebbgate')) / wireOf(at('slow', scenario, peer));
const bytes = (scenario: ScenarioName, tool: ToolName) => (at: At) => wireOf(at('slow', scenario, tool));

/** A line of the page of goals: limits for S, M and L; null where there is none. */
type Line = readonly [
  id: string,
  says: string,
  limits: readonly (number | null)[],
  measure: (at: At) => number,
  text?: (value: number) => string,
];

const lines: readonly Line[] = [
  ['T1', 'nothing changed, slow link: wall / rsync', [0.2, 0.2, 0.35], wall('slow', 'nothing', 'rsync')],
  ['T1', 'the same / unison', [0.15, 0.15, 0.3], wall('slow', 'nothing', 'unison')],
  ['T1', 'the same / whole tar', [0.06, 0.06, 0.06], wall('slow', 'nothing', 'whole-tar')],
  ['T2', 'nothing changed, loopback: wall / rsync', [0.6, 0.6, 0.6], wall('loopback', 'nothing', 'rsync')],
  ['T2', 'the same / unison', [0.7, 0.7, 0.7], wall('loopback', 'nothing', 'unison')],
  ['T3', 'nothing changed: bytes, prepared', [1000, 1000, 1000], bytes('nothing', 'ebbgate'), bytesText],
  ['T3', 'nothing changed: bytes, unprepared', [6000, 6000, 6000], bytes('nothing', 'ebbgate-cold'), bytesText],
  ['T4', '10 changed, slow link: wall / rsync', [0.4, 0.4, 0.55], wall('slow', 'changed', 'rsync')],
  ['T4', 'the same / unison', [0.2, 0.2, 0.4], wall('slow', 'changed', 'unison')],
  ['T5', '10 changed, loopback: wall / rsync', [0.8, 0.8, 0.8], wall('loopback', 'changed', 'rsync')],
  ['T6', '10 changed: bytes / rsync -z', [1, 0.4, 0.03], wire('changed', 'rsync-z')],
  ['T6', 'the same / unison', [1.15, 1.15, 1.15], wire('changed', 'unison')],
  [
    'T7',
    'with bookkeeping: wall / wall of T4',
    [1.15, 1.15, 1.15],
    (at) => wallOf(at('slow', 'stale', 'ebbgate')) / wallOf(at('slow', 'changed', 'ebbgate')),
  ],
  ['T7', 'the same / whole tar', [0.01, null, null], wall('slow', 'stale', 'whole-tar')],
  ['T7', 'bytes / whole tar', [0.0005, null, null], wire('stale', 'whole-tar')],
  ['T8', 'same-size edit, time put back: wall / rsync', [0.4, 0.4, 0.55], wall('slow', 'unseen', 'rsync')],
  ['T9', 'every file touched, slow link: wall / rsync', [0.5, 0.5, 0.5], wall('slow', 'touched', 'rsync')],
  ['T9', 'the same: bytes / rsync --checksum', [1, 1, 1], wire('touched', 'rsync-c')],
  ['T10', '1 kB in 20 MB, slow link: wall / rsync', [1, 1, 1], wall('slow', 'big', 'rsync')],
  ['P1', 'first push, slow link: wall / rsync', [0.5, 0.5, 0.5], wall('slow', 'first-push', 'rsync')],
  ['P1', 'the same / rsync -z', [1.05, 1.05, 1.05], wall('slow', 'first-push', 'rsync-z')],
  ['P1', 'first push: bytes / rsync -z', [1.05, 1.05, 1.05], wire('first-push', 'rsync-z')],
  ['P2', 'first push, loopback: wall / rsync', [1.2, 1.2, 1.2], wall('loopback', 'first-push', 'rsync')],
  ['P3', 'push, nothing changed, slow link: wall / rsync', [0.2, 0.2, 0.35], wall('slow', 'push-nothing', 'rsync')],
  ['P3', 'the same on loopback', [0.7, 0.7, 0.7], wall('loopback', 'push-nothing', 'rsync')],
  ['P4', 'push, 10 changed, slow link: wall / rsync', [0.4, 0.4, 0.55], wall('slow', 'push-changed', 'rsync')],
  ['P4', 'the same on loopback', [0.8, 0.8, 0.8], wall('loopback', 'push-changed', 'rsync')],
  [
    'P5',
    'push, nothing changed / first push of whole tar, slow link',
    [0.06, 0.06, 0.06],
    wall('slow', 'first-push', 'whole-tar', 'ebbgate', 'push-nothing'),
  ],
  ['SFTP', 'SFTP only, nothing changed, loopback: wall / rsync', [null, 2, null], wall('loopback', 'nothing', 'rsync', 'ebbgate-sftp')],
  ['SFTP', 'the same, slow link', [null, 8, null], wall('slow', 'nothing', 'rsync', 'ebbgate-sftp')],
];

function goalsOf(size: Size, column: number): readonly Goal[] {
  return lines.flatMap(([id, says, limits, measure, text = ratioText]) => {
    const limit = limits[column] ?? null;
    return limit === null ? [] : [{ id, says, size, limit, text, measure }];
  });
}

/** The goals of the speed promise that these rows say something about. */
export function goalLines(rows: readonly Row[]): readonly string[] {
  const found = (['S', 'M', 'L'] as const).flatMap((size, column) =>
    goalsOf(size, column).flatMap((goal) => {
      const seen: Row[] = [];
      const value = goal.measure((link, scenario, tool) => {
        const row = rows.find((other) => other.size === size && other.link === link && other.scenario === scenario && other.tool === tool);
        if (row !== undefined && tool.startsWith('ebbgate')) seen.push(row);
        return row;
      });
      // A result that is not right meets nothing, however soon it is there.
      const isRight = seen.every(({ cells }) => cells.every(({ noticed }) => noticed));
      return Number.isNaN(value) ? [] : [{ goal, value, isMet: isRight && value <= goal.limit }];
    }),
  );
  const table = found.map(({ goal, value, isMet }) => {
    const verdict = isMet ? 'met' : '**missed**';
    return `| ${goal.id} | ${goal.size} | ${goal.says} | ${goal.text(goal.limit)} | ${goal.text(value)} | ${verdict} |`;
  });
  const met = found.filter(({ isMet }) => isMet).length;
  return [`${met} of ${found.length} met.`, '', '| goal | tree | what | at most | measured | |', '|---|---|---|---|---|---|', ...table];
}
