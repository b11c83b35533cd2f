import { type TreeItem, window } from 'vscode';
import type { Address } from '../../../src/core/index.ts';
import { createBalanceReader } from '../../../src/features/addresses/balances/balanceReader.ts';
import { BalanceStore } from '../../../src/features/addresses/balances/balanceStore.ts';
import { createInSight } from '../../../src/features/addresses/balances/inSight.ts';
import { WatchedTokens } from '../../../src/features/addresses/balances/watchedTokens.ts';
import { AddressBook } from '../../../src/features/addresses/book/addressBook.ts';
import { Identities } from '../../../src/features/addresses/identity/identities.ts';
import type { TreeNode } from '../../../src/features/addresses/tree/addressNodes.ts';
import { AddressTree } from '../../../src/features/addresses/tree/addressTree.ts';
import type { WorkspaceContracts } from '../../../src/host/contracts/workspaceContracts.ts';
import { openNames } from '../../../src/host/names/openNames.ts';
import { WorkspaceSearch } from '../../../src/host/places/workspaceSearch.ts';
import { createEndpointAccess } from '../../../src/host/session/endpointAccess.ts';
import { createEndpointSecrets } from '../../../src/host/session/endpointSecrets.ts';
import { createHttp } from '../../../src/host/session/http.ts';
import { createKeyStore } from '../../../src/host/session/secrets.ts';
import { Session } from '../../../src/host/session/session.ts';
import { SettingsService } from '../../../src/host/settings/settings.ts';
import { treeItem } from '../../../src/host/surface/tree.ts';
import { createWorkspaceFiles } from '../../../src/host/workspace/workspaceFiles.ts';
import { memoryBookFiles } from '../../support/memoryBookFiles.ts';
import { memorySecrets } from '../../support/memorySecrets.ts';
import { createTestClock } from '../../support/testClock.ts';
import { memoryContracts } from './memoryContracts.ts';
import { memoryMemento } from './memoryMemento.ts';

export type AddressView = ReturnType<typeof createAddressView>;

/** The Addresses view without its frame: the services and stores of the extension over secrets and storage in memory. */
export function createAddressView(pathOf?: WorkspaceContracts['pathOf']) {
  const log = window.createOutputChannel('Address view under test', { log: true });
  const clock = createTestClock();
  const settings = new SettingsService(log, memoryMemento());
  const secrets = memorySecrets();
  const keys = createKeyStore(secrets);
  const exchanges: unknown[] = [];
  const http = { ...createHttp((exchange) => exchanges.push(exchange)), clock };
  const endpoints = createEndpointAccess({ http, secrets: createEndpointSecrets(secrets) });
  const session = new Session({ settings, keys, http, endpoints });
  const book = new AddressBook({ files: memoryBookFiles(), storage: memoryMemento(), session });
  const readHead = async () => ({ block: 7n, firstSeenElapsed: 0 });
  const reader = createBalanceReader({ session, settings, clock, readHead });
  const balances = new BalanceStore({ session, settings, reader, clock });
  const watchedTokens = new WatchedTokens({ session, book, clock, readHead });
  const identities = new Identities({ session, clock });
  const inSight = createInSight({ balances, watchedTokens, identities });
  const search = new WorkspaceSearch({ files: createWorkspaceFiles(clock), clock });
  const contracts = memoryContracts();
  if (pathOf) Object.assign(contracts, { pathOf });
  const names = openNames({ mine: book, contracts, search, log });
  const tree = new AddressTree({
    ...{ session, settings, book, balances, watchedTokens, identities, search, inSight, names, clock },
  });

  async function items(node: TreeNode): Promise<readonly TreeItem[]> {
    return (await tree.getChildren(node)).map((child) => treeItem(tree.getTreeItem(child)));
  }
  return {
    ...{ tree, search, balances, watchedTokens, identities, book, keys, session, settings, names, contracts },
    ...{ exchanges, items },
    /** What a screen reader hears of the rows under an address. */
    async rows(address: Address): Promise<readonly string[]> {
      return (await items(tree.nodeOf(address))).map((item) => item.accessibilityInformation?.label ?? '');
    },
    dispose() {
      for (const part of [
        tree,
        names,
        contracts,
        search,
        identities,
        watchedTokens,
        balances,
        reader,
        book,
        session,
        settings,
        log,
      ])
        part.dispose();
    },
  };
}
