import { availableParallelism, release, type } from 'node:os';
import { goalLines } from './goals';
import { type LinkName, slowLink } from './link';
import type { ToolName } from './main';
import { type ScenarioName, scenarios } from './scenarios';
import type { Measured } from './tools';
import type { Size } from './trees';

/** One measured run. */
export interface Cell extends Measured {
  /** The other side had what changed. */
  readonly noticed: boolean;
  readonly failed: string | null;
}

export interface Row {
  readonly size: Size;
  readonly link: LinkName;
  readonly scenario: ScenarioName;
  readonly tool: ToolName;
  readonly cells: readonly Cell[];
}

/** Facts about the whole run. */
export interface RunFacts {
  readonly rounds: number;
  readonly seed: number;
  /** Peers that are not installed here. */
  readonly missing: readonly string[];
}

const begin = '<!-- npm run bench: begin -->';
const end = '<!-- npm run bench: end -->';

const toolWords: Readonly<Record<ToolName, string>> = {
  ebbgate: 'Ebbgate, prepared',
  'ebbgate-cold': 'Ebbgate, unprepared',
  'ebbgate-sftp': 'Ebbgate, SFTP only',
  rsync: 'rsync -a --delete',
  'rsync-z': 'rsync -az',
  'rsync-c': 'rsync -a --checksum',
  unison: 'unison',
  'whole-tar': 'whole tar, hashed (the way of Hermes)',
  'sftp-walk': 'SFTP walk, 64 in flight',
};

/** The middle one of the values; NaN when there is none. */
export function median(values: readonly number[]): number {
  const sorted = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Milliseconds of a row's middle run. */
export function wallOf(row: Row | undefined): number {
  return median(row?.cells.map(({ wallMs }) => wallMs) ?? []);
}

/** Bytes on the wire of a row's middle run. */
export function wireOf(row: Row | undefined): number {
  return median(row?.cells.map(({ wire }) => wire ?? Number.NaN) ?? []);
}

/** Bytes in the unit people say them in. */
export function bytesText(bytes: number): string {
  if (Number.isNaN(bytes)) return '–';
  return bytes < 1e3 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function timeText(milliseconds: number): string {
  return milliseconds < 10_000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** A ratio with two digits that count. */
export function ratioText(ratio: number): string {
  return Number.isNaN(ratio) ? '–' : ratio >= 0.1 ? ratio.toFixed(2) : ratio.toPrecision(2);
}

function rowLine(row: Row, ours: Row | undefined): string {
  const walls = row.cells.map(({ wallMs }) => wallMs).filter((wall) => Number.isFinite(wall));
  const failed = row.cells.find((cell) => cell.failed !== null)?.failed;
  if (walls.length === 0) return `| ${toolWords[row.tool]} | failed: ${failed} | | | | |`;
  const noticed = row.cells.every((cell) => cell.noticed) ? 'yes' : '**no**';
  const range = `${timeText(Math.min(...walls))} – ${timeText(Math.max(...walls))}`;
  const ratio = row.tool.startsWith('ebbgate') ? '' : ratioText(wallOf(ours) / wallOf(row));
  return `| ${toolWords[row.tool]} | ${timeText(wallOf(row))} | ${range} | ${bytesText(wireOf(row))} | ${ratio} | ${noticed} |`;
}

function tableOf(rows: readonly Row[]): readonly string[] {
  const ours = rows.find(({ tool }) => tool === 'ebbgate');
  const head = ['| tool | median | range | on the wire | prepared Ebbgate / tool | result is right |', '|---|---|---|---|---|---|'];
  return [...head, ...rows.map((row) => rowLine(row, ours)), ''];
}

const placeWords: Readonly<Record<LinkName, string>> = { loopback: 'loopback', slow: 'slow link' };

function productLines(rows: readonly Row[]): readonly string[] {
  const head = ['| tree, link | connection and login | longest block of the event loop | peak memory |', '|---|---|---|---|'];
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    if (row.tool !== 'ebbgate' && row.tool !== 'ebbgate-cold') continue;
    const key = `${row.size}, ${placeWords[row.link]}, ${toolWords[row.tool]}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const lines = [...groups].map(([key, group]) => {
    const cells = group.flatMap((row) => row.cells.flatMap(({ product }) => product ?? []));
    const connects = cells.map(({ connectMs }) => connectMs).filter((time) => time > 5);
    const blocked = Math.max(...cells.map(({ blockedMs }) => blockedMs));
    const memory = Math.max(...cells.map(({ peakRssMb }) => peakRssMb));
    return `| ${key} | ${connects.length === 0 ? '–' : timeText(median(connects))} | ${timeText(blocked)} | ${memory.toFixed(0)} MB |`;
  });
  return [...head, ...lines, ''];
}

/** The generated part of docs/PERFORMANCE.md. */
function generated(rows: readonly Row[], { rounds, seed, missing }: RunFacts): string {
  const { delayMs, bitsPerSecond } = slowLink;
  const lines = [
    `Measured on ${availableParallelism()} cores, ${type()} ${release().split('-')[0]}, Node.js ${process.versions.node}; ${rounds} rounds, seed ${seed}, medians.`,
    `Slow link: a relay of our own with ${delayMs} ms each way and ${bitsPerSecond / 1e6} Mbit/s; it imitates neither slow start nor loss.`,
    'Bytes on the wire are both ways, above the handshake; on loopback only our own are counted.',
    ...missing.map((program) => `Not run: ${program} (not installed).`),
    '',
    '### Goals',
    '',
    ...goalLines(rows),
    '',
    '### The product itself',
    '',
    ...productLines(rows),
  ];
  const keys = new Set(rows.map(({ size, link, scenario }) => `${size} ${link} ${scenario}`));
  for (const key of keys) {
    const [size, link, scenario] = key.split(' ') as [Size, LinkName, ScenarioName];
    lines.push(`### ${size}, ${placeWords[link]}: ${scenarios[scenario].title}`, '');
    lines.push(...tableOf(rows.filter((row) => row.size === size && row.link === link && row.scenario === scenario)));
  }
  return `${begin}\n\n${lines.join('\n')}\n${end}\n`;
}

/** The page with its generated part replaced; what people wrote around it stays. */
export function writeReport(page: string, rows: readonly Row[], facts: RunFacts): string {
  const [before = ''] = page.split(begin);
  const after = page.split(end)[1] ?? '';
  return `${before}${generated(rows, facts)}${after.replace(/^\n/, '')}`;
}
