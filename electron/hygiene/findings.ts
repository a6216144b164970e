import type { InspectedSide, RestorePoint, TreeSize } from '../../shared/inspection';
import { fill } from '../../shared/phrase';
import { notePhrases } from '../../shared/phrases/notes';
import type { Tally } from '../../shared/run-report';
import { compareHubLock, type FoundHubLock, unreadableHubLock } from './hub-lock';
import { describeLeftovers, type FoundLeftover } from './leftovers';
import { backupsFolder } from './prune-side';
import { describeRestorePoints, type FoundArchive, type FoundPoint, isRestorePointId, markCopies } from './restore-points';

/** An excluded directory with all that lies in it; `path` is relative to the Hermes home that holds it. */
export interface FoundTree extends Tally {
  readonly name: string;
  readonly path: string;
  /** False when a part could not be read. */
  readonly complete: boolean;
}

/** What one Hermes home holds: the chosen one, or a profile's. */
export interface FoundHome {
  readonly trees: readonly FoundTree[];
  readonly points: readonly FoundPoint[];
  readonly leftovers: readonly FoundLeftover[];
  /** False when a folder below `skills` could not be read, so that there may be more. */
  readonly complete: boolean;
  /** Its folder of restore points is a link, so that nobody looked into it. */
  readonly linked: boolean;
}

/** Everything one side showed, before the sides are compared. */
export interface Findings {
  readonly side: 'local' | 'remote';
  /** Absolute Hermes home, the profile's when one is chosen. */
  readonly home: string;
  /** Why nothing could be looked at; null when the home could be read. */
  readonly problem: string | null;
  readonly runsHermes: boolean;
  readonly own: FoundHome;
  readonly ledgerBlobs: Tally;
  readonly hubLock: FoundHubLock;
  readonly profiles: readonly { readonly name: string; readonly home: FoundHome }[];
}

/** Archives to hash, by `archiveKey`, with the length that makes them worth it. */
export type ArchiveSizes = ReadonlyMap<string, number>;

const emptyHome: FoundHome = { trees: [], points: [], leftovers: [], complete: true, linked: false };

/** Names an archive across sides: the profile (empty for the chosen home), then the id. */
export function archiveKey(profile: string, id: string): string {
  return `${profile}/${id}`;
}

/** A side of which nothing could be looked at, and why. */
export function nothingFound(side: Findings['side'], home: string, problem: string): Findings {
  const ledgerBlobs = { files: 0, bytes: 0 };
  return { side, home, problem, runsHermes: false, own: emptyHome, ledgerBlobs, hubLock: unreadableHubLock, profiles: [] };
}

/** Why a home cannot be looked at, from what lies at it and at its `skills`; null when it can. "Not there" is another sentence. */
export function homeProblem(home: string, state: string, skills: string): string | null {
  if (state === 'missing') return `There is no Hermes home at ${home}.`;
  if (state === 'other') return `${home} is not a folder.`;
  if (state !== 'ok') return `The Hermes home ${home} cannot be read.`;
  return skills === 'unreadable' ? `The folder ${home}/skills cannot be read.` : null;
}

/** Lengths of the archives on one side: an archive of the same name and length on the other may be the same. */
export function archiveSizes(findings: Findings): ArchiveSizes {
  const sizes = [...archivesOf(findings)].flatMap(([key, archive]) => (archive.state === 'present' ? [[key, archive.size] as const] : []));
  return new Map(sizes);
}

/** One side as inspection shows it, compared with the other; null when the other was not looked at. */
export function describeSide(here: Findings, there: Findings | null): InspectedSide {
  const [mine, other] = [archivesOf(here), there === null ? new Map<string, FoundArchive>() : archivesOf(there)];
  const pointsOf = (profile: string, home: FoundHome): readonly RestorePoint[] =>
    markCopies(describeRestorePoints(home.points), below(profile, mine), below(profile, other));
  const trees = here.own.trees.map(treeSize);
  return {
    readable: here.problem === null,
    problem: here.problem ?? notLookedAt(here),
    home: here.home,
    runsHermes: here.runsHermes,
    trees,
    ledgerBlobs: here.ledgerBlobs,
    profiles: here.profiles.map(({ name, home }) => ({ name, trees: home.trees.map(treeSize), restorePoints: pointsOf(name, home) })),
    hubLock: compareHubLock(here.side, here.hubLock, there?.problem === null ? there.hubLock : null),
    restorePoints: pointsOf('', here.own),
    leftovers: describeLeftovers(here.side, trees, here.own.leftovers),
  };
}

/** What of a home that can be read was not looked at, and why; null when everything was. */
function notLookedAt({ own, profiles }: Findings): string | null {
  const homes = [{ folder: '', home: own }, ...profiles.map(({ name, home }) => ({ folder: `profiles/${name}/`, home }))];
  const linked = homes.filter(({ home }) => home.linked).map(({ folder }) => `${folder}${backupsFolder}`);
  const parts = [
    ...(homes.every(({ home }) => home.complete) ? [] : [notePhrases['some-unreadable']]),
    ...linked.map((path) => fill(notePhrases['backups-linked'], { path })),
    ...(linked.length === 0 ? [] : [notePhrases['backups-real']]),
  ];
  return parts.length === 0 ? null : parts.join(' ');
}

function treeSize({ name, path, files, bytes, complete }: FoundTree): TreeSize {
  return { name, path, files, bytes, estimated: !complete };
}

/** Every restore point's archive, by `archiveKey`. */
export function archivesOf(findings: Findings): ReadonlyMap<string, FoundArchive> {
  const homes = [{ name: '', home: findings.own }, ...findings.profiles];
  return new Map(
    homes.flatMap(({ name, home }) =>
      home.points.filter(({ id }) => isRestorePointId(id)).map(({ id, archive }) => [archiveKey(name, id), archive] as const),
    ),
  );
}

function below(profile: string, archives: ReadonlyMap<string, FoundArchive>): ReadonlyMap<string, FoundArchive> {
  const prefix = archiveKey(profile, '');
  return new Map([...archives].filter(([key]) => key.startsWith(prefix)).map(([key, archive]) => [key.slice(prefix.length), archive]));
}
