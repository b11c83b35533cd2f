import assert from 'node:assert/strict';
import { commands, type Tab, TabInputWebview, window } from 'vscode';
import type { Address } from '../../../../src/core/index.ts';
import { formatNftPanelTitle } from '../../../../src/features/nfts/nftPanel.ts';
import { nftPanelType } from '../../../../src/manifest.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { useNode, useRecordedServer } from '../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks, waitUntil, writeSettings } from '../../../support/host/settings.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const NFT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SHORT = '0x5aAe…eAed';
/** Of which no test reads logs. */
const QUIET = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const SUPPORTS_ERC721 = '0x01ffc9a780ac58cd';
/** The precompile that returns its input. */
const IDENTITY = '0x0000000000000000000000000000000000000004';

describe('NFT commands', () => {
  useExtension();
  const logFilters: { readonly address?: string }[] = [];
  const dataApiPaths: string[] = [];
  const explorerPaths: string[] = [];
  const endpoint = useNode(({ method, params }) => {
    if (method === 'eth_getLogs') logFilters.push(params[0] as (typeof logFilters)[number]);
    return answer(method, params);
  });
  const dataApi = useRecordedServer(({ url }) => {
    dataApiPaths.push(new URL(url, 'http://data-api').pathname);
    return { body: { data: { items: [] }, error: false } };
  });
  const explorer = useRecordedServer(({ url }) => {
    explorerPaths.push(new URL(url, 'http://explorer').pathname);
    return { body: { items: [], next_page_params: null } };
  });
  const person = useDialogs();
  useNetworks(() => ({
    bare: { name: 'Bare', chainId: 5, rpcUrl: endpoint.url },
    indexed: { name: 'Indexed', chainId: 7, rpcUrl: `${explorer.url}/api/eth-rpc` },
    served: { name: 'Served', chainId: 6, rpcUrl: endpoint.url, dataApiUrl: dataApi.url },
  }));

  beforeEach(async () => {
    await selectNetwork('bare');
    logFilters.length = 0;
    dataApiPaths.length = 0;
  });
  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await waitUntil(() => tabs().length === 0);
  });

  function answer(method: string, params: readonly unknown[]): unknown {
    switch (method) {
      case 'eth_getLogs':
        return [];
      case 'eth_call':
        return answerContract(params[0] as { to: string; data: string });
      default:
        return '0x10';
    }
  }

  function answerContract({ to, data }: { readonly to: string; readonly data: string }): string {
    return to === IDENTITY ? data : word(data.startsWith(SUPPORTS_ERC721) ? 1 : 0);
  }

  /** Of NFT panels alone: documents that other tests have opened may stand beside them. */
  const tabs = (): readonly Tab[] =>
    window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => input instanceof TabInputWebview && input.viewType.endsWith(nftPanelType));
  /** But for those of the panels before, of which a last one may still come in. */
  const newLogFilters = () => logFilters.filter(({ address }) => address !== NFT.toLowerCase());
  const hasTab = (label: string) => tabs().some((tab) => tab.label === label);

  it('read the transfers of a token that is given, out of logs where there is no data API', async () => {
    await commands.executeCommand('chainside.showNftTransfers', NFT, '0x11');
    await waitUntil(() => hasTab(`NFT: ${SHORT} #17`) && logFilters.length > 0);
    assert.ok(logFilters.every(({ address }) => address === NFT.toLowerCase()));
  });

  it('read the transfers at once from an explorer, which costs nothing, where that is chosen', async () => {
    await writeSettings({ 'chainside.sources.tokens': 'explorer' });
    try {
      await selectNetwork('indexed');
      explorerPaths.length = 0;
      await commands.executeCommand('chainside.showNftTransfers', NFT, '6');
      await waitUntil(() => explorerPaths.some((path) => path.endsWith('/transfers')));
    } finally {
      await writeSettings({ 'chainside.sources.tokens': undefined });
    }
  });

  it('call the tab by the name of the contract, else by that of the workspace, else by its checksummed address', () => {
    const contractAddress = NFT.toLowerCase() as Address;
    const titleOf = (value: unknown, name?: string, tokenId?: bigint) =>
      formatNftPanelTitle({ contractAddress, tokenId, contract: { value } as never }, () => name);
    assert.equal(titleOf({ state: 'known', contract: { name: 'Items' } }, 'Mine'), 'Items');
    assert.equal(titleOf(undefined, 'Mine', 3n), 'Mine #3');
    assert.equal(titleOf(undefined, undefined, 3n), `NFT: ${SHORT} #3`);
  });

  for (const row of [{ contract: QUIET }, { kind: 'address', account: QUIET.toLowerCase() }]) {
    it(`show a contract of a row without a token, and read no logs for it: ${Object.keys(row)}`, async () => {
      await commands.executeCommand('chainside.showNftContract', row);
      await waitUntil(() => hasTab('NFT: 0xfB69…d359'));
      assert.deepEqual(newLogFilters(), []);
    });
  }

  it('go back to the panel that is about the same already', async () => {
    await commands.executeCommand('chainside.showNftTransfers', NFT, 6);
    await waitUntil(() => hasTab(`NFT: ${SHORT} #6`));
    await commands.executeCommand('chainside.showNftContract', NFT, 6n);
    assert.equal(tabs().length, 1);
    await commands.executeCommand('chainside.showNftContract', NFT, '7');
    await waitUntil(() => hasTab(`NFT: ${SHORT} #7`));
    assert.equal(tabs().length, 2);
  });

  const wrong: readonly (readonly unknown[])[] = [
    ['0x12', '1'],
    [QUIET, 'six'],
    [QUIET, (2n ** 256n).toString()],
    [QUIET, -1],
    [7],
    [{ contract: QUIET, tokenId: {} }],
  ];
  for (const given of wrong) {
    it(`refuse ${given.map((value) => JSON.stringify(value)).join(' and ')}, with words`, async () => {
      await commands.executeCommand('chainside.showNftTransfers', ...given);
      await waitUntil(() => person.told.length > 0);
      assert.match(person.told[0] ?? '', /^(Not an? (address|token ID)[.:]|Expected a contract address)/);
      assert.deepEqual([tabs().length, newLogFilters()], [0, []]);
    });
  }

  it('ask the data API for transfers only after its price was told', async () => {
    await selectNetwork('served');
    person.types = ['ckey_0000000000000000000000000000'];
    await commands.executeCommand('chainside.setApiKey');
    person.prompts.length = 0;
    dataApiPaths.length = 0;

    await commands.executeCommand('chainside.showNftTransfers', NFT, '6');
    await waitUntil(() => hasTab(`NFT: ${SHORT} #6`));
    assert.deepEqual([dataApiPaths, logFilters], [[], []]);
    await commands.executeCommand('workbench.action.closeAllEditors');

    person.types = ['6'];
    await commands.executeCommand('chainside.showNftTransfers', NFT);
    await waitUntil(() => dataApiPaths.length > 0);
    assert.match(person.prompts[0] ?? '', /It costs 0\.1 credits of your key for each entry/);
    assert.deepEqual(dataApiPaths, [`/v1/6/tokens/${NFT.toLowerCase()}/nft_transactions/6/`]);
    assert.deepEqual(logFilters, []);
  });
});
