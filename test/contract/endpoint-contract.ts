import { afterEach, beforeEach, describe } from 'vitest';
import type { Endpoint } from '../../electron/engine/endpoint';
import type { TestHome } from '../support/tree';
import { describeApply } from './contract-apply';
import { describeApplyGuards } from './contract-apply-guards';
import { describeListing } from './contract-listing';
import { describeReading } from './contract-reading';
import type { ContractAbilities, ContractSide } from './contract-side';

export type { ContractAbilities, ContractSide } from './contract-side';

/** What each group of behaviours gets: the side of the running test. */
export interface ContractContext {
  open(): Promise<Endpoint>;
  readonly home: TestHome;
  readonly side: ContractSide;
  readonly sees: ContractAbilities;
}

/**
 * The behaviours that every endpoint shows. A new endpoint's test file calls this once:
 *
 *     describeEndpoint('remote shell', { setUp, sees: { stealthEdits: true, unreadable: true, disk: true } });
 *
 * `setUp` runs before each test and gives an existing, empty home, usually `folderHome(await makeTempFolder(…))` for the tree.
 */
export function describeEndpoint(
  name: string,
  options: { readonly setUp: () => Promise<ContractSide>; readonly sees: ContractAbilities },
): void {
  describe(`${name} endpoint`, () => {
    let side: ContractSide | undefined;
    let opened: Endpoint[] = [];
    const current = (): ContractSide => {
      if (side === undefined) throw new Error('no side is set up outside a test');
      return side;
    };

    beforeEach(async () => {
      opened = [];
      side = await options.setUp();
    });
    afterEach(async () => {
      for (const endpoint of opened) await endpoint.close();
      await side?.tearDown();
      side = undefined;
    });

    const context: ContractContext = {
      open: async () => {
        const endpoint = await current().open();
        opened.push(endpoint);
        return endpoint;
      },
      get home() {
        return current().home;
      },
      get side() {
        return current();
      },
      sees: options.sees,
    };
    describeListing(context);
    describeReading(context);
    describeApply(context);
    describeApplyGuards(context);
  });
}
