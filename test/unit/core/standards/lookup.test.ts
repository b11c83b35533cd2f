import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { erc20Abi, erc1155Abi, erc4626Abi, multicall3Abi } from 'viem';
import { entryPoint06Abi, entryPoint07Abi, entryPoint08Abi, entryPoint09Abi } from 'viem/account-abstraction';
import { fromRoot } from '../../../../scripts/support/paths.ts';
import { type AbiEvent, type AbiItem, formatAbiItem, parseAbiItem } from '../../../../src/core/abi/item.ts';
import { parseAbi } from '../../../../src/core/abi/parseAbi.ts';
import {
  getStandardLookup,
  listStandardItems,
  standardLists,
} from '../../../../src/core/standards/lookup.ts';

const lookup = getStandardLookup();

/** What tells items apart: names of parameters do not. */
function layoutOf(item: AbiItem): string {
  const indexed = item.kind === 'event' ? item.inputs.map((input) => input.indexed).join() : '';
  return `${item.kind} ${item.signature} ${indexed}`;
}

function find(item: AbiItem): readonly string[] {
  const found =
    item.kind === 'event'
      ? lookup.events(item.anonymous ? undefined : item.topic0)
      : item.kind === 'error'
        ? lookup.errors(item.selector)
        : lookup.functions(item.selector);
  return found.map((candidate) => layoutOf(candidate.item));
}

/** The items of an ABI that no list has. */
function lacking(abi: unknown, kinds: readonly AbiItem['kind'][] = ['event', 'error', 'function']) {
  const { items, skipped } = parseAbi(abi);
  assert.equal(skipped, 0);
  const read = items.flatMap((text) => parseAbiItem(text) ?? []);
  assert.ok(read.length > 0);
  return read
    .filter((item) => kinds.includes(item.kind) && !find(item).includes(layoutOf(item)))
    .map(formatAbiItem);
}

function openZeppelin(contract: string): unknown {
  const file = fromRoot('node_modules/@openzeppelin/contracts/build/contracts', `${contract}.json`);
  return JSON.parse(readFileSync(file, 'utf8')).abi;
}

describe('bundled lists', () => {
  it('hold items as their text, each once', () => {
    const items = [...listStandardItems()].map(({ text }) => text);
    assert.ok(items.length > 1500);
    const read = items.map((text) => {
      const item = parseAbiItem(text);
      assert.ok(item, text);
      return item;
    });
    assert.deepEqual(read.map(formatAbiItem), items);
    assert.equal(new Set(read.map(layoutOf)).size, items.length);
  });

  it('have names that differ', () => {
    assert.equal(new Set(standardLists.map(({ name }) => name)).size, standardLists.length);
  });

  it('have the event of an upgrade in both forms, as proxies had it before ERC-1967', () => {
    const item = parseAbiItem('event Upgraded(address implementation)') as AbiEvent;
    assert.deepEqual(find(item), ['event Upgraded(address) true', 'event Upgraded(address) false']);
  });

  for (const contract of [
    ...['IERC20', 'IERC20Metadata', 'IERC20Permit', 'IERC20Errors', 'IERC721', 'IERC721Metadata'],
    ...['IERC721Enumerable', 'IERC721Errors', 'IERC721Receiver', 'IERC1155', 'IERC1155MetadataURI'],
    ...['IERC1155Errors', 'IERC1155Receiver', 'IERC2612', 'IERC4626', 'IERC6909', 'IERC5267', 'IERC1967'],
    ...['IERC2981', 'IERC4906', 'IERC3009', 'IERC1271', 'Ownable', 'Ownable2Step', 'AccessControl'],
    ...['IAccessControlDefaultAdminRules', 'IAccessControlEnumerable', 'Initializable', 'IGovernor'],
    ...['IAccessManager', 'ProxyAdmin', 'UpgradeableBeacon', 'UUPSUpgradeable', 'Multicall'],
  ]) {
    it(`have all that ${contract} of OpenZeppelin declares`, () => {
      assert.deepEqual(lacking(openZeppelin(contract)), []);
    });
  }

  for (const contract of [
    ...['ERC4626', 'ERC20Permit', 'ERC6909', 'ERC6909TokenSupply', 'Governor', 'GovernorSettings'],
    ...['GovernorTimelockControl', 'GovernorTimelockCompound', 'TimelockController', 'Pausable', 'Votes'],
    ...['AccessControlDefaultAdminRules', 'AccessManager', 'ERC1967Utils', 'TransparentUpgradeableProxy'],
    ...['SafeERC20', 'Address', 'Errors', 'Strings', 'SafeCast', 'ECDSA', 'ReentrancyGuard'],
  ]) {
    it(`have the events and errors of ${contract} of OpenZeppelin`, () => {
      assert.deepEqual(lacking(openZeppelin(contract), ['event', 'error']), []);
    });
  }

  it('have what another library knows of tokens, EntryPoint and Multicall3', () => {
    for (const abi of [erc20Abi, erc1155Abi, erc4626Abi, multicall3Abi]) {
      assert.deepEqual(lacking(abi), []);
    }
    for (const abi of [entryPoint06Abi, entryPoint07Abi, entryPoint08Abi, entryPoint09Abi])
      assert.deepEqual(lacking(abi), []);
  });

  it('have Transfer of ERC-20 and of ERC-721, in this order', () => {
    const events = lookup.events('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef');
    assert.deepEqual(
      events.map(({ item, origin }) => [origin.from, indexedOf(item)]),
      [
        ['ERC-20', [true, true, false]],
        ['ERC-721', [true, true, true]],
      ],
    );
  });

  for (const [name, topic0] of [
    ['AddedOwner', '0x9465fa0c962cc76958e6373a993326400c1c94f8be2fe3a952adfa7f60b2ea26'],
    ['RemovedOwner', '0xf8d49fc529812e9a7c5c50e69c20f0dccc0db8fa95c98bc58cc9a4f1c1299eaf'],
    ['EnabledModule', '0xecdf3a3effea5783a3c4c2140e677577666428d44ed9d474a0b3a4c9943f8440'],
  ] as const) {
    it(`have ${name} of Safe before 1.4 and since`, () => {
      assert.deepEqual(
        lookup.events(topic0).map(({ item, origin }) => [item.name, origin.from, indexedOf(item)]),
        [
          [name, 'Safe', [true]],
          [name, 'Safe 1.3', [false]],
        ],
      );
    });
  }

  function indexedOf(event: AbiEvent): readonly boolean[] {
    return event.inputs.map(({ indexed }) => indexed);
  }
});
