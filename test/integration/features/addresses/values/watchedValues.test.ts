import assert from 'node:assert/strict';
import { type Address, formatAbiItem, parseAbiItem } from '../../../../../src/core/index.ts';
import { valueGroup } from '../../../../../src/features/addresses/tree/addressNodes.ts';
import {
  MAX_WATCHED_VALUES,
  parseWatchedView,
} from '../../../../../src/features/addresses/values/watchedViews.ts';
import { type AddressView, createAddressView } from '../../../../support/host/addressView.ts';
import { selectNetwork, useNetworks } from '../../../../support/host/settings.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../../../support/sharedLocalnet.ts';

describe('watched values', () => {
  let localnet: SharedLocalnet;
  let contract: Address;
  let view: AddressView;

  before(async () => {
    localnet = await sharedLocalnet();
    contract = localnet.chain.contracts.usd.address.toLowerCase() as Address;
  });
  useNetworks(() => {
    const { anvilUrl: rpcUrl, chain } = localnet;
    return {
      node: { name: 'Node', chainId: chain.chainId, rpcUrl, symbol: 'ETH' },
      other: { name: 'Other', chainId: 31338, rpcUrl, symbol: 'ETH' },
    };
  });
  beforeEach(async () => {
    view = createAddressView();
    await selectNetwork('node');
  });
  afterEach(() => view.dispose());

  const watch = (declaration: string, ...args: readonly string[]) =>
    view.values.add(parseWatchedView({ contract, declaration, args }));
  const rows = async () =>
    (await view.items(valueGroup)).map((item) => item.accessibilityInformation?.label ?? '');

  it('are read in one request, with amounts in units, and what reverts says so', async () => {
    const name = `0x${'0'.repeat(38)}a1`;
    await view.book.setLabel(contract, 'Dollar');
    await watch('function totalSupply() view returns (uint256)');
    await watch('function balanceOf(address owner) view returns (uint256)', name);
    await watch('function decimals() view returns (uint8)');
    await watch('function absent() view returns (uint256)');
    // The units are read with the first amounts, and then known.
    await view.values.load();
    const before = view.exchanges.length;
    await Promise.all(view.values.refresh(view.values.settled));
    assert.equal(view.exchanges.length - before, 1);
    const [supply = '', balance, decimals, absent] = await rows();
    assert.match(supply, /^totalSupply = [\d,]+\.\d\d HUSD, Dollar$/);
    assert.equal(balance, 'balanceOf(0x0000…00A1) = 0.00 HUSD, Dollar');
    assert.equal(decimals, 'decimals = 6, Dollar');
    assert.equal(absent, 'absent, The call reverted., Dollar');
    const [node] = await view.tree.getChildren(valueGroup);
    assert.ok(node?.kind === 'value');
    assert.equal(`${node.copyText}000000`, node.rawAmount);
  });

  it('belong to their chain, are not twice there, and are not more than a block may read', async () => {
    assert.equal(await watch('function decimals() view returns (uint8)'), true);
    assert.equal(await watch('function decimals() public pure returns (uint8)'), true);
    assert.equal(view.values.list.length, 1);
    await selectNetwork('other');
    assert.equal(view.values.list.length, 0);
    assert.ok(!(await view.tree.getChildren()).includes(valueGroup));
    await selectNetwork('node');
    assert.equal(view.values.list.length, 1);
    for (let at = 1; at < MAX_WATCHED_VALUES; at++)
      assert.equal(await watch(`function f${at}() view returns (bool)`), true);
    assert.equal(await watch('function last() view returns (bool)'), false);
    const [first] = view.values.list;
    await view.values.remove(first?.id ?? '');
    assert.equal(view.values.list.length, MAX_WATCHED_VALUES - 1);
  });

  it('are read as their sender, who is named', async () => {
    const from = `0x${'5e'.repeat(20)}` as Address;
    await view.book.setLabel(from, 'Keeper');
    const declaration = 'function decimals() view returns (uint8)';
    await view.values.add(parseWatchedView({ contract, declaration, args: [], from }));
    const { client } = view.session.connection;
    const { callAtBlock } = client;
    const senders: (Address | undefined)[] = [];
    Object.assign(client, {
      callAtBlock: (...[call, options]: Parameters<typeof callAtBlock>) => {
        senders.push(call.from);
        return callAtBlock(call, options);
      },
    });
    await view.values.load();
    Object.assign(client, { callAtBlock });
    assert.deepEqual(senders, [from]);
    assert.match((await rows()).join(), /^decimals = 6, 0x\S+ · Sender: Keeper$/);
    const [item] = await view.items(valueGroup);
    assert.equal(item?.command?.arguments?.[3], from);
  });

  it('keep the last value, with its age, while they cannot be read', async () => {
    await watch('function decimals() view returns (uint8)');
    await view.values.load();
    const [read] = view.values.list;
    assert.ok(read);
    const item = parseAbiItem(read.declaration);
    assert.ok(item && formatAbiItem(item) === read.declaration);
    const { client } = view.session.connection;
    const { callAtBlock } = client;
    Object.assign(client, { callAtBlock: async () => assert.fail('down') });
    await Promise.all(view.values.refresh([read]));
    assert.match((await rows()).join(), /^decimals = 6, 0x\S+, last read \S.+$/);
    Object.assign(client, { callAtBlock });
    await Promise.all(view.values.refresh([read]));
    assert.match((await rows()).join(), /^decimals = 6, 0x\S+$/);
  });
});
