import type { NewConnection } from './connection';

/** A remote found in what the user has configured already, ready to be added. */
export interface Proposal {
  readonly origin: 'ssh-config' | 'hermes';
  /** The file that names it. */
  readonly file: string;
  /** What `connection.add` takes; its name is free unless `savedAs` says otherwise. */
  readonly connection: NewConnection;
  /** The saved connection that leads there already; null when there is none. */
  readonly savedAs: string | null;
}
