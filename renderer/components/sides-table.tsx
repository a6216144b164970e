import type { ReactNode } from 'react';
import { words } from '../words';

/** One line of a comparison: the same thing on this computer and on the remote. */
export interface SidesRow {
  readonly key: string;
  readonly name: ReactNode;
  readonly local: ReactNode;
  readonly remote: ReactNode;
}

interface Props {
  readonly label: string;
  /** What the lines are about. */
  readonly subject: string;
  readonly remote: string;
  readonly rows: readonly SidesRow[];
}

/** Both sides beside each other. */
export function SidesTable({ label, subject, remote, rows }: Props) {
  return (
    <table className="sides" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{subject}</th>
          <th scope="col">{words.thisComputer}</th>
          <th scope="col">{remote}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, local, remote: there }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td>{local}</td>
            <td>{there}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
