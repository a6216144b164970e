import { createMemoryEndpoint } from '../support/memory-endpoint';
import { createMemoryHome } from '../support/memory-home';
import { describeEndpoint } from './endpoint-contract';

for (const side of ['local', 'remote'] as const) {
  describeEndpoint(`in-memory ${side}`, {
    setUp: async () => {
      const home = createMemoryHome();
      const unreadable = new Set<string>();
      return {
        home,
        open: async () => createMemoryEndpoint({ side, home, unreadable }),
        withUnreadable: async (path, action) => {
          unreadable.add(path);
          return action().finally(() => unreadable.delete(path));
        },
        tearDown: async () => undefined,
      };
    },
    sees: { stealthEdits: true, unreadable: true, disk: 'memory has no links to follow, no pipes and no folder modes' },
  });
}
