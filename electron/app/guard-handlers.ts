import type { RunReport } from '../../shared/run-report';
import type { Handlers } from '../ipc/gate';
import type { Guarding } from './guard';

/** Answers to the requests of guard mode. `record` carries out what is a run. */
export function guardHandlers(
  guard: Guarding,
  record: (running: Promise<RunReport>) => Promise<RunReport>,
): Pick<Handlers, 'guard.list' | 'guard.look' | 'guard.watch' | 'guard.put-back' | 'guard.dismiss'> {
  return {
    'guard.list': async () => guard.view(),
    'guard.look': async () => {
      await guard.look();
      return guard.view();
    },
    'guard.watch': async () => {
      guard.start();
      return guard.view();
    },
    'guard.put-back': ({ id }) => record(guard.putBack(id)),
    'guard.dismiss': async ({ id }) => {
      await guard.dismiss(id);
      return {};
    },
  };
}
