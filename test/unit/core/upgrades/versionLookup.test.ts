import assert from 'node:assert/strict';
import { type ContractAbi, contractAbiId } from '../../../../src/core/abi/lookup.ts';
import {
  type Address,
  createAbiLookup,
  createLogDecoder,
  createVersionLookup,
  decodedLogToJson,
  type LocatedItem,
  type Log,
  toAbiWord,
} from '../../../../src/core/index.ts';
import {
  createImplementationHistory,
  type UpgradeLog,
} from '../../../../src/core/upgrades/implementationHistory.ts';
import { getUpgradeTopics } from '../../../../src/core/upgrades/upgradeEvents.ts';
import { eventOf, logOfEvent } from '../../../support/eventLogs.ts';

const PROXY = `0x${'01'.repeat(20)}` as const;
const A = `0x${'0a'.repeat(20)}` as const;
const B = `0x${'0b'.repeat(20)}` as const;
const WHO = `0x${'77'.repeat(20)}` as const;
const V1 = 'event Paid(address indexed by, address indexed to, uint256 amount)';
const V2 = 'event Paid(address indexed by, address to, uint256 indexed amount)';
const ACT = 'function act(uint256 amount)';

function itemsOf(contract: string, texts: readonly string[], trust: 'deployment' | 'bundled' = 'deployment') {
  const origin = { trust, from: `src/${contract}.sol`, contract, line: undefined };
  return texts.map((text): LocatedItem => ({ text, origin }));
}

function abiOf(contract: string, texts: readonly string[]): ContractAbi {
  const items = itemsOf(contract, texts);
  return { id: contractAbiId({ from: `src/${contract}.sol`, contract }), items };
}

interface Known {
  readonly deployed?: Readonly<Record<Address, ContractAbi>>;
  /** What the workspace declares, whatever is deployed. */
  readonly declared?: readonly ContractAbi[];
  readonly bundled?: readonly string[];
  readonly upgrades?: readonly (readonly [block: number, to: Address])[] | 'unread';
  readonly delegate?: Address;
}

function lookupOf({ deployed = {}, declared = [], bundled = [], upgrades = [], delegate }: Known) {
  const asWorkspace = ({ text, origin }: LocatedItem) => ({
    text,
    origin: { ...origin, trust: 'workspace' } as const,
  });
  const workspace = createAbiLookup(declared.flatMap(({ items }) => items ?? []).map(asWorkspace));
  const lists = createAbiLookup(itemsOf('List', bundled, 'bundled'));
  const logs = upgrades === 'unread' ? [] : upgrades.map(([block, to]) => upgradeAt(block, to));
  const history = createImplementationHistory({
    address: PROXY,
    logs,
    from: 0,
    through: 100,
    isUncertain: false,
    delegate,
  });
  return createVersionLookup({
    lookups: [workspace, lists],
    known: { abiAt: ({ address }) => deployed[address] },
    histories: {
      historyOf: ({ address }) => (upgrades !== 'unread' && address === PROXY ? history : undefined),
    },
  });
}

function upgradeAt(block: number, to: Address): UpgradeLog {
  return {
    ...{ address: PROXY, topics: [getUpgradeTopics()[0] ?? '0x', toAbiWord(to)], data: '0x' },
    ...{ blockNumber: BigInt(block), transactionIndex: 0, logIndex: 0 },
  };
}

const paidAt = (block: bigint, text = V1): Log =>
  logOfEvent(eventOf(text), [WHO, PROXY, 5n], { address: PROXY, block });

/** How a log is decoded: who has the event, and how much is trusted in that; or why it is not. */
function told(known: Known, log: Log): string {
  const decoded = createLogDecoder({ lookup: lookupOf(known), chainId: 1 }).decode(log);
  if ('event' in decoded) return `${decoded.origin.trust} ${decoded.origin.contract} ${decoded.values[2]}`;
  return decoded.reason.code === 'version' ? decoded.reason.reason : decoded.reason.code;
}

describe('what a log of a proxy is decoded by', () => {
  const upgrades = [
    [10, A],
    [20, B],
  ] as const;
  const vault = abiOf('Vault', [V1, ACT]);
  const other = abiOf('VaultV2', [V2, ACT]);

  it('is the code in force', () => {
    const known = { deployed: { [A]: vault, [B]: other }, declared: [vault, other], upgrades };
    assert.equal(told(known, paidAt(15n)), 'deployment Vault 5');
    assert.equal(told(known, paidAt(25n, V2)), 'deployment VaultV2 5');
  });

  it('is never the ABI of another version alone', () => {
    const known = { deployed: { [B]: other }, declared: [other], upgrades };
    assert.equal(told(known, paidAt(15n)), 'noAbi');
    assert.equal(told(known, paidAt(5n)), 'constructor');
    assert.equal(told(known, paidAt(25n, V2)), 'deployment VaultV2 5');
  });

  it('is a standard that says the same as the other versions', () => {
    const known = { deployed: { [B]: vault }, declared: [vault], bundled: [V1], upgrades };
    assert.equal(told(known, paidAt(15n)), 'bundled List 5');
    assert.equal(told({ ...known, bundled: [V2] }, paidAt(15n)), 'noAbi');
  });

  it('is a contract that was deployed again as one of the workspace for its older code', () => {
    const known = { deployed: { [A]: vault, [B]: vault }, declared: [vault], upgrades };
    assert.equal(told(known, paidAt(15n)), 'workspace Vault 5');
    assert.equal(told(known, paidAt(25n)), 'deployment Vault 5');
  });

  it('is the newest version where files call the proxy by it, and that is none of the others', () => {
    const known = {
      deployed: { [PROXY]: other, [A]: vault, [B]: other },
      declared: [vault, other],
      upgrades,
    };
    assert.equal(told(known, paidAt(15n)), 'deployment Vault 5');
    assert.equal(told({ ...known, deployed: { [PROXY]: other, [B]: other } }, paidAt(15n)), 'noAbi');
  });

  it('is the proxy itself for what is its own, whatever is behind it', () => {
    const gate = abiOf('Gate', [V1, 'function open()']);
    const known = { deployed: { [PROXY]: gate, [B]: abiOf('Vault', [ACT]) }, declared: [gate], upgrades };
    assert.equal(told(known, paidAt(25n)), 'deployment Gate 5');
    assert.equal(told(known, paidAt(15n)), 'deployment Gate 5');
  });

  it('is the contract at the address where what it names are no contracts that are known', () => {
    const game = abiOf('Game', [V1, 'function play()']);
    const known = { deployed: { [PROXY]: game }, declared: [game], upgrades };
    assert.equal(told(known, paidAt(15n)), 'deployment Game 5');
  });

  it('is none that the workspace has where the code is known by another name', () => {
    const named = { id: 'out VaultV3', items: undefined };
    const known = { deployed: { [A]: vault, [B]: named }, declared: [vault, other], upgrades };
    assert.equal(told(known, paidAt(25n, V2)), 'noAbi');
    assert.equal(told({ ...known, deployed: { [B]: named } }, paidAt(25n)), 'noAbi');
  });
});

describe('upgrades that are to be read', () => {
  const token = abiOf('Token', [V1, ACT]);
  const vault = abiOf('Vault', [V1, 'function initialize(address owner)']);
  const proxy = abiOf('Proxy', [V1, 'event Upgraded(address indexed implementation)']);
  const lacking = (known: Known, block = 50n) => [
    ...lookupOf(known).missingHistories([paidAt(block), paidAt(3n)], 1),
  ];
  const asked = [[PROXY, 50n]];
  const upgrades = 'unread';

  it('are those of contracts whose events the workspace knows', () => {
    assert.deepEqual(lacking({ declared: [token], upgrades }), asked);
    assert.deepEqual(lacking({ bundled: [V1], upgrades }), []);
    assert.deepEqual(lacking({ upgrades }), []);
  });

  it('are those of blocks that were not read', () => {
    const read = { declared: [token], upgrades: [] };
    assert.deepEqual([lacking(read), lacking(read, 101n)], [[], [[PROXY, 101n]]]);
  });

  it('are none of a contract that is deployed as it is', () => {
    const lookup = (abi: ContractAbi) => {
      const own = createAbiLookup(abi.items ?? []);
      return createVersionLookup({
        lookups: [own],
        known: { abiAt: () => abi },
        histories: { historyOf: () => undefined },
      });
    };
    assert.equal(lookup(token).missingHistories([paidAt(5n)], 1).size, 0);
    assert.equal(lookup(vault).missingHistories([paidAt(5n)], 1).size, 1);
    assert.equal(lookup(proxy).missingHistories([paidAt(5n)], 1).size, 1);
  });
});

describe('what a log of an account that delegates (EIP-7702) is decoded by', () => {
  const first = abiOf('First', ['event Executed(address indexed target, uint256 value)']);
  const second = abiOf('Second', ['event Executed(address indexed executor, uint256 gas)']);
  const [text = ''] = second.items?.map((item) => item.text) ?? [];
  const executed = logOfEvent(eventOf(text), [WHO, 5n], { address: PROXY, block: 100n });
  const undecoded = (known: Known, log = executed) => {
    const decoded = createLogDecoder({ lookup: lookupOf(known), chainId: 1 }).decode(log);
    if ('event' in decoded) return `${decoded.origin.trust} ${decoded.origin.contract}`;
    const json = decodedLogToJson(decoded);
    return 'candidates' in json ? [...(json.candidates ?? [])].sort() : json;
  };
  const [one, other] = [
    'event Executed(address indexed executor, uint256 gas)',
    'event Executed(address indexed target, uint256 value)',
  ];

  it('is not the ABI of today: the log stays raw, with what it may be', () => {
    assert.equal(told({ deployed: { [B]: second }, declared: [second], delegate: B }, executed), 'delegated');
    assert.deepEqual(undecoded({ declared: [first, second], delegate: B }), [other]);
    assert.deepEqual(undecoded({ deployed: { [B]: second }, declared: [first], delegate: B }), [one, other]);
    assert.deepEqual(undecoded({ deployed: { [B]: second }, delegate: B }), [one]);
  });

  it('is a standard, or what a file says of the account itself', () => {
    assert.equal(undecoded({ bundled: [one ?? ''], delegate: B }), 'bundled List');
    const named = { deployed: { [PROXY]: second }, delegate: B };
    assert.equal(lookupOf(named).missingHistories([executed], 1).size, 0);
  });

  it('needs the ABI of the delegate, to say what it may be, and no more history', () => {
    const lookup = lookupOf({ declared: [first], delegate: B });
    assert.deepEqual([...lookup.missingAbis([executed], 1)], [B]);
    assert.equal(lookup.missingHistories([executed], 1).size, 0);
  });
});
