import { EventEmitter, type TreeItem, window } from 'vscode';
import type { Address } from '../../../src/core/index.ts';
import { AddressBook } from '../../../src/features/addresses/addressBook.ts';
import { createBalanceReader } from '../../../src/features/addresses/balances/balanceReader.ts';
import { BalanceStore } from '../../../src/features/addresses/balances/balanceStore.ts';
import { createProjectTokens } from '../../../src/features/addresses/balances/projectTokens.ts';
import { createVisibleRows } from '../../../src/features/addresses/balances/visibleRows.ts';
import { WatchedTokens } from '../../../src/features/addresses/balances/watchedTokens.ts';
import { AddressIdentityCache } from '../../../src/features/addresses/identityCache.ts';
import type { AddressTreeNode } from '../../../src/features/addresses/tree/addressNodes.ts';
import { AddressTree } from '../../../src/features/addresses/tree/addressTree.ts';
import { WatchedValues } from '../../../src/features/addresses/values/watchedValues.ts';
import type { CodeVerdicts } from '../../../src/host/code/codeVerdicts.ts';
import type { WorkspaceContracts } from '../../../src/host/contracts/workspaceContracts.ts';
import { openNamesService } from '../../../src/host/names/nameProviders.ts';
import { WorkspaceSearch } from '../../../src/host/places/workspaceSearch.ts';
import { createHttp } from '../../../src/host/session/http.ts';
import {
  createEndpointAccess,
  createEndpointSecrets,
  createKeyStore,
} from '../../../src/host/session/secrets.ts';
import { Session } from '../../../src/host/session/session.ts';
import { SettingsService } from '../../../src/host/settings/settings.ts';
import { toTreeItem } from '../../../src/host/ui/tree.ts';
import { createWorkspaceFiles } from '../../../src/host/workspace/workspaceFiles.ts';
import { createTestClock } from '../clocks.ts';
import { memoryBookFiles, memorySecrets } from '../memory.ts';
import { memoryContracts, memoryMemento } from './memoryFiles.ts';
import { selectNetwork } from './settings.ts';

export type AddressView = ReturnType<typeof createAddressView>;

/** Nothing is compared. */
export const noVerdicts: CodeVerdicts = {
  get: () => undefined,
  readListed: async () => undefined,
  compare: async () => {
    throw new Error('Nothing is compared.');
  },
  listTargets: () => [],
  onDidChange: new EventEmitter<void>().event,
  dispose: () => undefined,
};

/** The Addresses view on a network for the tests of a suite, a new one for each. */
export function useAddressView(network: string): AddressView {
  const view = {} as AddressView;
  beforeEach(async () => {
    await selectNetwork(network);
    Object.assign(view, createAddressView());
  });
  afterEach(() => view.dispose());
  return view;
}

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
  const identities = new AddressIdentityCache({ session, clock });
  const contracts = memoryContracts();
  const projectTokens = createProjectTokens({ contracts, session, identities });
  const watchedTokens = new WatchedTokens({ session, book, projectTokens, clock, readHead });
  const values = new WatchedValues({ session, contracts, clock, readHead, workspaceState: memoryMemento() });
  const visibleRows = createVisibleRows({ balances, watchedTokens, identities, values });
  const search = new WorkspaceSearch({ files: createWorkspaceFiles(clock), clock });
  if (pathOf) Object.assign(contracts, { pathOf });
  const names = openNamesService({ mine: book, contracts, search, log });
  const tree = new AddressTree({
    ...{
      session,
      settings,
      book,
      balances,
      watchedTokens,
      values,
      identities,
      search,
      visibleRows,
      names,
      clock,
    },
  });

  async function items(node: AddressTreeNode): Promise<readonly TreeItem[]> {
    return (await tree.getChildren(node)).map((child) => toTreeItem(tree.getTreeItem(child)));
  }
  return {
    ...{ tree, search, balances, watchedTokens, identities, book, keys, session, settings, names, contracts },
    ...{ exchanges, items, values, verdicts: noVerdicts, checkDeployments: async () => undefined },
    /** What a screen reader hears of the rows under an address. */
    async rows(address: Address): Promise<readonly string[]> {
      return (await items(tree.getNode(address))).map((item) => item.accessibilityInformation?.label ?? '');
    },
    dispose() {
      for (const part of [
        tree,
        names,
        contracts,
        search,
        identities,
        watchedTokens,
        values,
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
