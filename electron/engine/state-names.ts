import { createHash } from 'node:crypto';
import { copyMark, ownName } from '../../shared/rules';
import type { EnginePath } from './entry';

/** Folder of our own state in a Hermes home, on either side. Outside every root, so it is never synced. */
export const stateFolder: EnginePath = ownName;

/** The identity marker. */
export const identityPath: EnginePath = `${stateFolder}/id`;

/** Pruned restore points on the remote, until they are deleted for good. */
export const trashFolder: EnginePath = `${stateFolder}/trash`;

/** Staging and undo, when the data folder lies on another volume than the home. */
export const stagingFolder: EnginePath = `${stateFolder}/staging`;
export const undoFolder: EnginePath = `${stateFolder}/undo`;

/** Pruned restore points of this computer, when the data folder lies on another volume than the home. */
export const prunedFolder: EnginePath = `${stateFolder}/pruned`;

/**
 * A client of a remote: one connection of one data folder. What it keeps and stages there carries this name, so that two laptops, or
 * two connections that work there at once, do not spoil or tidy away each other's.
 */
export function clientName(dataFolder: string, connection: string): string {
  return `${dataFolder}-${connection}`;
}

/** Why a temporary name exists: new content on its way to its name, a marker being made, a probe. */
export type TemporaryKind = 'new' | 'id' | 'probe';

/** A temporary name taken apart. */
export interface TemporaryName {
  readonly kind: TemporaryKind;
  readonly pid: number;
  readonly random: string;
}

const temporary = new RegExp(`^${ownName.replace('.', '\\.')}-(new|id|probe)-([1-9]\\d{0,9})-([0-9a-f]{8,64})$`);

/** Makes a temporary name for a folder that is synced. The process id tells a leftover from a file in use. */
export function makeTemporaryName({ kind, pid, random }: TemporaryName): string {
  return `${ownName}-${kind}-${pid}-${random}`;
}

/** Takes a temporary name apart; null when the name is not one that `makeTemporaryName` makes. */
export function parseTemporaryName(name: string): TemporaryName | null {
  const match = temporary.exec(name);
  if (match === null) return null;
  return { kind: match[1] as TemporaryKind, pid: Number(match[2]), random: match[3] ?? '' };
}

/** True for every name that this app may have created in a home or a root, in any version. */
export function isOwnName(name: string): boolean {
  return name === ownName || name.startsWith(`${ownName}-`) || isCopyName(name);
}

/** Longest name every disk stores, in bytes, and how much of it a connection may take. */
const longest = { name: 255, connection: 40 } as const;

/** Name of a copy of the remote's version beside the local file: `SKILL.md` gives `SKILL.ebbgate-copy-build-box.md`. */
export function makeCopyName(name: string, connection: string, number: number): string {
  const safe = connection.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, longest.connection) || 'remote';
  const mark = `${copyMark}${safe}${number === 1 ? '' : `-${number}`}`;
  const point = name.lastIndexOf('.');
  const extension = point > 0 && name.length - point <= 20 ? name.slice(point) : '';
  let stem = [...name.slice(0, name.length - extension.length)];
  const room = longest.name - Buffer.byteLength(mark + extension);
  while (Buffer.byteLength(stem.join('')) > room) stem = stem.slice(0, -1);
  return `${stem.join('')}${mark}${extension}`;
}

/** True for a copy that the user asked for. It belongs to the user: nothing of ours ever removes it. */
export function isCopyName(name: string): boolean {
  return name.includes(copyMark);
}

/**
 * Name of a path's content inside a staging or undo folder. Flat, so that no name from the remote shapes a path there, and a
 * function of the path alone, so that recovery finds the content without a directory of names.
 */
export function storedName(path: EnginePath): string {
  return createHash('sha256').update(path).digest('hex');
}

const runId = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z-[0-9a-f]{6}$/;

/** True for the id of a run, which begins with its time and names what it keeps in the data folder and in the remote's trash. */
export function isRunId(name: string): boolean {
  return runId.test(name);
}
