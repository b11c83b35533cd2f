import assert from 'node:assert/strict';
import { type Address, formatShortAddress, formatUnitsGrouped } from '../../../../../src/core/index.ts';
import { getAddressNodeId } from '../../../../../src/features/addresses/tree/addressNodes.ts';
import { toTreeItem } from '../../../../../src/host/ui/tree.ts';
import { type AddressView, createAddressView } from '../../../../support/host/addressView.ts';
import { selectNetwork, useNetworks } from '../../../../support/host/settings.ts';
import { type LoopbackServer, startLoopbackServer } from '../../../../support/loopbackServer.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../../../support/sharedLocalnet.ts';

/** Of which the explorer has no record, and the node a balance of zero. */
const NOBODY: Address = `0x${'0'.repeat(38)}aa`;

describe('the rows of an address on a local network', () => {
  let localnet: SharedLocalnet;
  let alice: Address;
  let halfway: LoopbackServer;
  let isDown = false;
  let view: AddressView;

  before(async () => {
    localnet = await sharedLocalnet();
    alice = localnet.chain.accounts.alice.toLowerCase() as Address;
    halfway = await startHalfIndexed(localnet.rpcUrl, () => isDown);
  });
  after(() => halfway.close());
  useNetworks(() => {
    const { anvilUrl, rpcUrl, dataApi } = localnet;
    const { chainId } = localnet.chain;
    return {
      served: { name: 'Served', chainId, rpcUrl, dataApiUrl: dataApi.url, symbol: 'ETH' },
      explorer: { name: 'Explorer', chainId, rpcUrl, symbol: 'ETH' },
      halfway: { name: 'Halfway', chainId, rpcUrl: `${halfway.url}/api/eth-rpc`, symbol: 'ETH' },
      node: { name: 'Node', chainId: 31338, rpcUrl: anvilUrl, symbol: 'NODE' },
    };
  });
  beforeEach(() => {
    view = createAddressView();
  });
  afterEach(() => view.dispose());

  async function rowsOf(address: Address): Promise<readonly string[]> {
    await view.balances.load(address, 'recent');
    return view.rows(address);
  }
  const has = (rows: readonly string[], wanted: RegExp) =>
    assert.ok(
      rows.some((row) => wanted.test(row)),
      `${wanted}\n${rows.join('\n')}`,
    );

  it('have the tokens that the workspace deployed there, those with an amount first, unless they are watched', async () => {
    const { usd, tide } = localnet.chain.contracts;
    const abi = [
      'function balanceOf(address account) returns (uint256)',
      'function transfer(address to, uint256 value) returns (bool)',
    ];
    const contract = { source: 'src/Token.sol', line: 1, itemLines: undefined };
    const deployment = { chainId: '31338', transaction: undefined, block: undefined, commit: undefined };
    view.contracts.put('src/Token.sol', {
      contracts: [
        { ...contract, name: 'Token', abi },
        { ...contract, name: 'Vault', abi: abi.slice(0, 1) },
      ],
    });
    const absent: Address = `0x${'ab'.repeat(20)}`;
    const put = (name: string, address: string) => ({
      ...deployment,
      contract: name,
      address: address.toLowerCase() as Address,
    });
    view.contracts.put('broadcast/run-latest.json', {
      deployments: [put('Token', usd.address), put('Token', absent), put('Vault', tide.address)],
    });
    await selectNetwork('node');
    await view.watchedTokens.load(alice);
    const rows = await rowsOf(alice);
    has(rows, /^[\d,.]+M? \w+, of this workspace$/);
    assert.equal(rows.filter((row) => row.endsWith('of this workspace')).length, 1, rows.join('\n'));
    assert.ok(!rows.some((row) => row.startsWith('No token data')), rows.join('\n'));
    view.contracts.put('broadcast/run-latest.json', {
      deployments: [{ ...put('Token', usd.address), chainId: String(localnet.chain.chainId) }],
    });
    await selectNetwork('explorer');
    await view.watchedTokens.load(alice);
    const listed = await rowsOf(alice);
    assert.equal(listed.filter((row) => / HUSD\b/.test(row)).length, 1, listed.join('\n'));
    view.contracts.put('broadcast/run-latest.json', { deployments: [put('Token', usd.address)] });
    await selectNetwork('node');
    await view.watchedTokens.load(alice);
    await view.book.watchToken(usd.address.toLowerCase() as Address);
    const watched = await rowsOf(alice);
    assert.ok(!watched.some((row) => row.endsWith('of this workspace')), watched.join('\n'));
    has(watched, /, watched$/);
  });

  async function assertHoldings(): Promise<void> {
    const rows = await rowsOf(alice);
    const wei = BigInt((await localnet.node.call('eth_getBalance', [alice, 'latest'])) as string);
    const exact = formatUnitsGrouped(wei, 18);
    assert.ok(rows.includes(`${exact} ETH, native`), rows.join('\n'));
    has(rows, /^\$[\d,.]+ in total, not included: 1 without a price, NFTs$/);
    has(rows, /^[\d,.]+M? TIDE, no price$/);
    has(rows, /^[\d,.]+M? HUSD, \$[\d,.]+ at \$1\.00 each$/);
    const [collection] = (await view.tree.getChildren(view.tree.getNode(alice))).filter(
      ({ kind }) => kind === 'fold' || kind === 'collection',
    );
    assert.ok(collection, rows.join('\n'));
    const below = collection.kind === 'fold' ? await view.tree.getChildren(collection) : [collection];
    const [first] = below;
    assert.ok(first);
    assert.match(spoken(await view.tree.getTreeItem(first)), /^.+, [\d,]+ NFTs?$/);
    const [token] = await view.tree.getChildren(first);
    assert.ok(token);
    assert.match(spoken(view.tree.getTreeItem(token)), /^.+ #\d+/);
    assert.ok(!rows.join('\n').includes('Some holdings'));
  }

  it('are the exact balance and tokens with their value by the data API, once there is a key', async () => {
    await selectNetwork('served');
    await view.keys.set(localnet.dataApi.url, localnet.dataApi.keys.classic);
    await assertHoldings();
    assert.ok(askedOf(localnet.dataApi.url) > 0);
  });

  it('are the same by the explorer without a key, and the data API is asked nothing', async () => {
    await selectNetwork('served');
    await assertHoldings();
    assert.equal(askedOf(localnet.dataApi.url), 0);
  });

  it('offer what there is of NFTs on a contract known to have them, and ask nobody for it', async () => {
    await selectNetwork('explorer');
    const tokensOf = (address: Address) => {
      const row = toTreeItem(view.tree.getTreeItem(view.tree.getNode(address)));
      return row.contextValue?.split(' ') ?? [];
    };
    const contracts = [
      localnet.chain.contracts.badge,
      localnet.chain.contracts.items,
      localnet.chain.contracts.usd,
    ];
    const addresses = contracts.map(({ address }) => address.toLowerCase() as Address);
    assert.deepEqual(
      addresses.map((address) => tokensOf(address).includes('nftContract')),
      [false, false, false],
    );
    await Promise.all(addresses.map((address) => view.identities.load(address)));
    assert.deepEqual(
      addresses.map((address) => tokensOf(address).includes('nftContract')),
      [true, true, false],
    );
    assert.ok(addresses.every((address) => tokensOf(address).includes('history')));
  });

  it('say what may be missing while the explorer has not indexed every block', async () => {
    await selectNetwork('halfway');
    const rows = await rowsOf(alice);
    has(rows, /^Some holdings may be missing, The explorer has indexed 50\s?% of the blocks\.$/);
    has(rows, /^[\d,.]+M? HUSD, /);
  });

  it('tell unknown from zero, and from what could not be read until it can', async () => {
    await selectNetwork('explorer');
    has(await rowsOf(NOBODY), /^Unknown balance, the explorer has no balance on record$/);
    await selectNetwork('halfway');
    isDown = true;
    has(await rowsOf(alice), /^Could not load balance, failed \(HTTP 500\)/);
    isDown = false;
    await view.balances.load(alice, 'fresh');
    has(await view.rows(alice), /^[\d,]+\.\d+ ETH, native$/);
    await selectNetwork('node');
    const rows = await rowsOf(NOBODY);
    assert.equal(rows[0], '0 NODE, native');
    assert.equal(
      rows[1],
      'No token data, neither a data API nor an explorer lists tokens here · Watch Token…',
    );
  });

  it('are of the active network alone, and there again when it is', async () => {
    await selectNetwork('explorer');
    await view.book.watch(alice);
    await rowsOf(alice);
    const shown = async () => {
      const groups = (await view.tree.getChildren()).filter((node) => getAddressNodeId(node) !== 'workspace');
      const below = await Promise.all(groups.map((group) => view.items(group)));
      return below.flat().map(({ accessibilityInformation }) => accessibilityInformation?.label ?? '');
    };
    const before = await shown();
    const short = formatShortAddress(localnet.chain.accounts.alice as Address);
    has(before, new RegExp(`^anvil #1, [\\d,.]+ ETH, ${short}`));
    await selectNetwork('node');
    assert.deepEqual(await shown(), []);
    await selectNetwork('explorer');
    assert.equal((await shown()).length, before.length);
  });

  function askedOf(origin: string): number {
    return view.exchanges.filter((exchange) => (exchange as { readonly origin: string }).origin === origin)
      .length;
  }
});

function spoken(row: Parameters<typeof toTreeItem>[0]): string {
  return toTreeItem(row).accessibilityInformation?.label ?? '';
}

/** The local explorer, which says that it has indexed half of the blocks; while it is down it fails. */
function startHalfIndexed(rpcUrl: string, isDown: () => boolean): Promise<LoopbackServer> {
  const { origin } = new URL(rpcUrl);
  return startLoopbackServer(async (incoming, response) => {
    const { method = 'GET', url = '' } = incoming;
    if (isDown()) return void response.writeHead(500).end();
    const body = method === 'POST' ? Buffer.concat(await incoming.toArray()) : null;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${origin}${url}`, { method, headers, body });
    const text = await answer.text();
    const isStatus = url.endsWith('/indexing-status');
    const told = isStatus ? text.replace(/("indexed_blocks_ratio":)[^,}]+/, '$1"0.50"') : text;
    response.writeHead(answer.status, headers).end(told);
  });
}
