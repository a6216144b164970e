import type { ReactNode } from 'react';
import type { Reply } from '../../shared/contract';
import type { InspectedSide, RestorePoint, TreeSize } from '../../shared/inspection';
import { visibleName } from '../format';
import { translate } from '../translate';
import { countFiles, words } from '../words';
import { Bytes, Literal, Moment } from './amounts';
import { NameList } from './name-list';
import { Parity } from './parity';
import { RestorePointName } from './plan-lines';
import { SidesTable } from './sides-table';

interface Sides {
  readonly local: InspectedSide | null;
  readonly remote: InspectedSide | null;
}

/** What there is to say where a side has nothing: that it cannot be read is another thing than that nothing is there. */
function missing(side: InspectedSide | null): ReactNode {
  if (side === null) return <span className="faint">?</span>;
  return <span className="faint">{side.readable ? words.inspection.notThere : words.inspection.cannotRead}</span>;
}

function Tree({ tree, side }: { readonly tree: TreeSize | undefined; readonly side: InspectedSide | null }) {
  if (tree === undefined) return missing(side);
  return (
    <>
      {tree.estimated && `${words.ledger.atLeast} `}
      <Bytes value={tree.bytes} />
      <br />
      <span className="faint">{countFiles(tree.files)}</span>
    </>
  );
}

/** Everything both sides name, each once, in the order in which it is met. */
function union<T>(a: readonly T[], b: readonly T[], keyOf: (one: T) => string): readonly string[] {
  return [...new Set([...a, ...b].map(keyOf))];
}

interface TreesProps extends Sides {
  readonly name: string;
  readonly label: string;
  readonly of: (side: InspectedSide) => readonly TreeSize[];
}

function Trees({ local, remote, name, label, of }: TreesProps) {
  const here = local === null ? [] : of(local);
  const there = remote === null ? [] : of(remote);
  const paths = union(here, there, ({ path }) => path);
  if (paths.length === 0) return <p className="faint">{words.inspection.noTrees}</p>;
  return (
    <SidesTable
      label={label}
      subject={words.inspection.tree}
      remote={name}
      rows={paths.map((path) => ({
        key: path,
        name: <Literal text={path} />,
        local: <Tree tree={here.find((one) => one.path === path)} side={local} />,
        remote: <Tree tree={there.find((one) => one.path === path)} side={remote} />,
      }))}
    />
  );
}

function Point({ point, side }: { readonly point: RestorePoint | undefined; readonly side: InspectedSide | null }) {
  if (point === undefined) return missing(side);
  const { good, bad, unchecked } = words.inspection;
  const word = point.restorable === null ? unchecked : point.restorable ? good : bad;
  return (
    <>
      <Bytes value={point.bytes} />
      <br />
      <span className={point.restorable === false ? 'held' : 'faint'} title={point.problem ?? undefined}>
        {word}
      </span>
    </>
  );
}

function Points({ local, remote, name }: Sides & { readonly name: string }) {
  const here = local?.restorePoints ?? [];
  const there = remote?.restorePoints ?? [];
  const ids = [...union(here, there, ({ id }) => id)].sort().reverse();
  if (ids.length === 0) return <p className="faint">{words.inspection.noPoints}</p>;
  return (
    <SidesTable
      label={words.inspection.points}
      subject={words.inspection.point}
      remote={name}
      rows={ids.map((id) => ({
        key: id,
        name: <RestorePointName id={id} />,
        local: <Point point={here.find((one) => one.id === id)} side={local} />,
        remote: <Point point={there.find((one) => one.id === id)} side={remote} />,
      }))}
    />
  );
}

function HubLock({ local, remote, name, now }: Sides & { readonly name: string; readonly now: number }) {
  const verdict = (local ?? remote)?.hubLock.verdict ?? 'unknown';
  const differing = (local ?? remote)?.hubLock.differingSkills ?? [];
  const time = (side: InspectedSide | null) => {
    if (side === null) return missing(side);
    const { state, mtime } = side.hubLock;
    if (state === 'unreadable') return <span className="held">{words.inspection.cannotRead}</span>;
    return state === 'missing' || mtime === null ? missing(side) : <Moment at={mtime} now={now} />;
  };
  return (
    <div className="card">
      <p>{remote === null ? words.inspection.verdicts.unknown : words.inspection.verdicts[verdict]}</p>
      <SidesTable
        label={words.inspection.hubLock}
        subject={words.inspection.hubLock}
        remote={name}
        rows={[{ key: 'time', name: words.inspection.changed, local: time(local), remote: time(remote) }]}
      />
      <NameList label={words.inspection.differing} names={differing} />
    </div>
  );
}

function Home({ side }: { readonly side: InspectedSide | null }) {
  if (side === null) return missing(side);
  return (
    <>
      <Literal text={side.home} />
      {(side.problem !== null || !side.readable) && (
        <>
          <br />
          <span className="held">{visibleName(translate(side.problem ?? words.inspection.cannotRead))}</span>
        </>
      )}
    </>
  );
}

function Homes({ local, remote, name }: Sides & { readonly name: string }) {
  const runs = (side: InspectedSide | null) => {
    if (side === null || !side.readable) return missing(side);
    return side.runsHermes ? words.inspection.runsHere : words.inspection.notFound;
  };
  const blobs = (side: InspectedSide | null) =>
    side === null || !side.readable ? (
      missing(side)
    ) : side.ledgerBlobs.files === 0 ? (
      missing(side)
    ) : (
      <Bytes value={side.ledgerBlobs.bytes} />
    );
  return (
    <div className="card">
      <SidesTable
        label={words.inspection.home}
        subject=""
        remote={name}
        rows={[
          { key: 'home', name: words.inspection.home, local: <Home side={local} />, remote: <Home side={remote} /> },
          { key: 'hermes', name: words.inspection.hermes, local: runs(local), remote: runs(remote) },
          { key: 'blobs', name: words.inspection.ledgerBlobs, local: blobs(local), remote: blobs(remote) },
        ]}
      />
    </div>
  );
}

/** Remains that a clean-up does not take: of runs that broke off. */
function Leftovers({ local, remote, name }: Sides & { readonly name: string }) {
  const sides = [
    [words.thisComputer, local],
    [name, remote],
  ] as const;
  const found = sides.flatMap(([where, side]) => side?.leftovers.map((one) => ({ where, ...one })) ?? []);
  return (
    <section className="block">
      <h2>{words.inspection.leftovers}</h2>
      {found.length === 0 ? (
        <p className="faint">{words.inspection.noLeftovers}</p>
      ) : (
        <ul className="card list">
          {found.map(({ where, path, bytes, reason }) => (
            <li key={`${where} ${path}`}>
              <Literal text={path} />
              <span className="line faint">
                <span>{where}</span>
                <Bytes value={bytes} />
              </span>
              <span className="faint wrap">{translate(reason)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What an inspection found, both sides beside each other. */
export function Inspected({ found, name, now }: { readonly found: Reply<'inspect'>; readonly name: string; readonly now: number }) {
  const { local, remote, parity } = found;
  const profiles = union(local?.profiles ?? [], remote?.profiles ?? [], (profile) => profile.name);
  return (
    <>
      <Homes local={local} remote={remote} name={name} />
      <section className="block">
        <h2>{words.inspection.trees}</h2>
        <div className="card">
          <Trees local={local} remote={remote} name={name} label={words.inspection.trees} of={(side) => side.trees} />
        </div>
      </section>
      {profiles.map((profile) => (
        <section key={profile} className="block">
          <h2>{words.inspection.profile(visibleName(profile))}</h2>
          <div className="card">
            <Trees
              local={local}
              remote={remote}
              name={name}
              label={words.inspection.profile(visibleName(profile))}
              of={(side) => side.profiles.find((one) => one.name === profile)?.trees ?? []}
            />
          </div>
        </section>
      ))}
      <section className="block">
        <h2>{words.inspection.hubLock}</h2>
        <HubLock local={local} remote={remote} name={name} now={now} />
      </section>
      <section className="block">
        <h2>{words.inspection.points}</h2>
        <div className="card">
          <Points local={local} remote={remote} name={name} />
        </div>
      </section>
      <Leftovers local={local} remote={remote} name={name} />
      <Parity parity={parity} />
    </>
  );
}
