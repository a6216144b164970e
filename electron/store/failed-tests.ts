import type { FailedTest } from '../../shared/connection';
import type { StateFile } from './state-file';

/** The last test of each connection, as long as it failed and nothing has worked since. */
export interface FailedTests {
  of(connection: string): FailedTest | null;
  /** Null: it works. A connection that is not saved has none. */
  record(connection: string, failed: FailedTest | null): Promise<void>;
}

/** A view on the state file. */
export function failedTests(file: StateFile): FailedTests {
  const of = (connection: string): FailedTest | null => file.state.failedTests?.[connection] ?? null;
  return {
    of,
    async record(connection, failed) {
      if (failed === null && of(connection) === null) return;
      await file.update((draft) => {
        const { [connection]: _before, ...others } = draft.failedTests ?? {};
        const isSaved = draft.connections.some(({ id }) => id === connection);
        draft.failedTests = failed === null || !isSaved ? others : { ...others, [connection]: failed };
      });
    },
  };
}
