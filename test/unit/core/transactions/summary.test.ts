import assert from 'node:assert/strict';
import {
  type AbiLookup,
  createAbiLookup,
  createLogDecoder,
  createTimeSlices,
  encodeParameters,
  explainTransaction,
  fetchTransactionUnits,
  findCoin,
  formatMessage,
  type Hex,
  loadStandardLookup,
  mergeLookups,
  parseAbiItem,
  type SummaryNames,
  summarizeTransaction,
  systemClock,
  type Transaction,
  type TransactionTrace,
  ZERO_ADDRESS,
} from '../../../../src/core/index.ts';
import type { TransferStandard } from '../../../../src/core/tokens/transferStandard.ts';
import type { CallFrame } from '../../../../src/core/traces/callFrame.ts';
import { explainTrace } from '../../../../src/core/traces/explainTrace.ts';
import type { FailedAt } from '../../../../src/core/traces/failedAt.ts';
import { encodeItem, frameOf, lookupOf } from '../../../support/decodingStubs.ts';
import { addressOf, transactionOf } from '../../../support/transactions.ts';

const [alice, bob, vault, token, badge, router] = [1, 2, 3, 4, 5, 6].map(addressOf) as [
  ...[Hex, Hex, Hex, Hex, Hex, Hex],
];
const unknown = addressOf(0x99);
const NAMES = new Map([
  ...([
    [alice, 'Alice'] as const,
    [bob, 'Bob'],
    [vault, 'Vault'],
    [token, 'Palm'],
    [badge, 'Badge'],
  ] as const),
  [router, 'Router'] as const,
]);
const names: SummaryNames = {
  nameOf: (address) => NAMES.get(address),
  unitsOf: (contract) => (contract === token ? { symbol: 'PBL', decimals: 6 } : undefined),
  coin: { symbol: 'ETH', decimals: 18 },
};
const ETHER = 10n ** 18n;
const PBL = 10n ** 6n;

const DEPOSIT = 'function deposit(uint256 amount, address onBehalf)';
const MULTICALL = 'function multicall(bytes[] calls)';
const FEE = 'error FeeTooHigh(uint256 fee, uint256 most)';
const project = lookupOf(DEPOSIT, MULTICALL, FEE, 'function pause()', 'event Deposited(uint256 amount)');

/** A log as its declaration says, with indexed arguments as topics. */
function logOf(address: Hex, text: string, ...values: Parameters<typeof encodeParameters>[1]) {
  const event = parseAbiItem(`event ${text}`);
  if (event?.kind !== 'event') return assert.fail(text);
  const at = event.inputs.map((input, place) => ({ input, value: values[place] ?? '' }));
  const encode = (of: typeof at) =>
    encodeParameters(
      of.map(({ input }) => input),
      of.map(({ value }) => value),
    );
  return {
    ...{ address, logIndex: 0, data: encode(at.filter(({ input }) => !input.indexed)) },
    topics: [event.topic0, ...at.filter(({ input }) => input.indexed).map((one) => encode([one]))],
  };
}
const paid = (from: Hex, to: Hex, amount: bigint, of = token) =>
  logOf(of, 'Transfer(address indexed from, address indexed to, uint256 value)', from, to, amount);
const gave = (from: Hex, to: Hex, id: bigint) =>
  logOf(badge, 'Transfer(address indexed from, address indexed to, uint256 indexed tokenId)', from, to, id);
const SINGLE =
  'TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)';
const ROLE = 'RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)';
const REVOKED = 'RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)';
const MINTER = '0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6';
const APPROVAL = 'Approval(address indexed owner, address indexed spender, uint256 value)';
const OWNED = 'OwnershipTransferred(address indexed previousOwner, address indexed newOwner)';

interface Case {
  readonly facts: Partial<Transaction>;
  readonly lookup?: AbiLookup;
  readonly code?: Hex;
  readonly frame?: Partial<CallFrame>;
  readonly failedAt?: FailedAt;
  readonly standardOf?: () => TransferStandard | undefined;
  readonly names?: Partial<SummaryNames>;
  readonly standards?: false;
}

async function summaryOf({ facts, code, frame, failedAt, standardOf, ...more }: Case): Promise<string> {
  const standards = more.standards === false ? [] : [await loadStandardLookup()];
  const lookup = mergeLookups(more.lookup ?? project, ...standards);
  const slices = createTimeSlices(systemClock);
  const transaction = transactionOf({ from: alice, to: vault, ...facts });
  const explained = await explainTransaction(transaction, {
    ...{ lookup, chainId: 5, slices },
    ...(standardOf && { fetchTransferStandard: async () => standardOf() }),
    ...(code !== undefined && { getCode: async () => code }),
  });
  const decoder = createLogDecoder({ lookup, chainId: 5 });
  const contracts = new Map([[vault, 'Vault']]);
  const traced = { lookup, decoder, contracts, transaction, chainId: 5, slices };
  const trace: TransactionTrace | undefined = frame && {
    ...{ state: 'told', root: await explainTrace(frameOf({ from: alice, to: vault, ...frame }), traced) },
    ...{ cutReason: undefined, hasLogs: true, method: 'debug_traceTransaction', failedAt },
  };
  return formatMessage(summarizeTransaction(explained, { ...names, ...more.names }, trace));
}

const input = encodeItem(DEPOSIT, 5n, bob);
const reverted = (data: Hex | undefined, message = 'execution reverted'): Partial<Transaction> => ({
  ...{ status: 'failed', input },
  failure: { state: 'told', by: 'replay', data, isCut: false, message },
});
const errorText = encodeItem('error Error(string text)', 'Not\nopen');
const line = { certain: true, file: 'src/FeeMath.sol', line: 10, stack: [] } as const;
const fee = encodeItem(FEE, 2_000n, 1_000n);
const inner = (more: Partial<CallFrame>) => frameOf({ from: vault, to: bob, ...more });

const CASES: readonly (readonly [name: string, expected: string, of: Case])[] = [
  // Coins
  ['coins', 'Alice paid 1.5 ETH to Bob', { facts: { to: bob, value: (3n * ETHER) / 2n } }],
  ['coins to itself', 'Alice paid 1 ETH to itself', { facts: { to: alice, value: ETHER } }],
  [
    'coins of an unknown chain',
    'Alice paid 1 of the native coin to Bob',
    { facts: { to: bob, value: ETHER }, names: { coin: { symbol: undefined, decimals: 18 } } },
  ],
  [
    'coins to an address without a name',
    'Alice paid 1 ETH to 0xCdcd…0099',
    { facts: { to: unknown, value: ETHER } },
  ],
  ['coins with a call', 'Alice paid 1 ETH to Vault with deposit(5, Bob)', { facts: { value: ETHER, input } }],
  [
    'coins with an unknown call',
    'Alice paid 1 ETH to Vault',
    { facts: { value: ETHER, input: '0x12345678' } },
  ],
  ['nothing', 'Alice sent an empty transaction to Bob', { facts: { to: bob } }],
  ['blobs', 'Alice sent blobs to Bob', { facts: { to: bob, type: 3 } }],
  ['nothing to itself', 'Alice sent an empty transaction to itself', { facts: { to: alice } }],
  [
    'coins that a contract sent on',
    'Vault paid 2 ETH to Bob',
    { facts: { input }, frame: { calls: [inner({ value: 2n * ETHER })] } },
  ],
  [
    'coins that a failed call did not send',
    'Alice called Vault.deposit(5, Bob), although one call inside failed',
    { facts: { input }, frame: { calls: [inner({ value: ETHER, error: 'execution reverted' })] } },
  ],
  [
    'several calls that failed',
    'Alice called Vault.deposit(5, Bob), although 2 calls inside failed',
    {
      facts: { input },
      frame: {
        calls: [
          inner({ error: 'out of gas' }),
          inner({ error: 'execution reverted', calls: [inner({ error: 'execution reverted' })] }),
        ],
      },
    },
  ],
  // ERC-20
  [
    'a token',
    'Alice paid 1,200.00 PBL to Bob',
    { facts: { to: token, logs: [paid(alice, bob, 1_200n * PBL)] } },
  ],
  [
    'a token for another',
    'Bob paid 5.00 PBL to Vault',
    { facts: { to: token, logs: [paid(bob, vault, 5n * PBL)] } },
  ],
  [
    'a token without units',
    'Alice paid 1,200 base units of 0xCdcd…0099 to Bob',
    { facts: { to: unknown, logs: [paid(alice, bob, 1_200n, unknown)] } },
  ],
  [
    'a token without a symbol',
    'Alice paid 1.20 of Palm to Bob',
    {
      facts: { logs: [paid(alice, bob, 12n * 10n ** 5n)] },
      names: { unitsOf: () => ({ symbol: undefined, decimals: 6 }) },
    },
  ],
  ['a token to itself', 'Alice paid 1.00 PBL to itself', { facts: { logs: [paid(alice, alice, PBL)] } }],
  ['an amount of zero', 'Alice paid 0.00 PBL to Bob', { facts: { logs: [paid(alice, bob, 0n)] } }],
  [
    'an amount of zero beside another',
    'Bob paid 1.00 PBL to Vault, and 1 more',
    { facts: { logs: [paid(alice, bob, 0n), paid(bob, vault, PBL)] } },
  ],
  ['a mint', 'Alice minted 7.00 PBL for Bob', { facts: { logs: [paid(ZERO_ADDRESS, bob, 7n * PBL)] } }],
  ['a mint for oneself', 'Alice minted 7.00 PBL', { facts: { logs: [paid(ZERO_ADDRESS, alice, 7n * PBL)] } }],
  ['a burn', 'Alice burned 7.00 PBL', { facts: { logs: [paid(alice, ZERO_ADDRESS, 7n * PBL)] } }],
  [
    'a burn for another',
    'Alice burned 7.00 PBL of Bob',
    { facts: { logs: [paid(bob, ZERO_ADDRESS, 7n * PBL)] } },
  ],
  [
    'payments to two',
    'Alice paid 1.00 PBL to Bob, and 1 more',
    { facts: { logs: [paid(alice, bob, PBL), paid(alice, vault, PBL)] } },
  ],
  [
    'two payments to one',
    'Alice paid 3.00 PBL to Bob',
    { facts: { logs: [paid(alice, bob, PBL), paid(alice, bob, 2n * PBL)] } },
  ],
  [
    'logs that are cut',
    'Alice paid 1.00 PBL to Bob, and at least 1 more',
    { facts: { isCut: true, logs: [paid(alice, bob, PBL), paid(alice, vault, PBL)] } },
  ],
  [
    'a number without a standard',
    'Alice transferred 7 of Palm to Bob, an amount or a token ID',
    { facts: { logs: [paid(alice, bob, 7n)] }, standardOf: () => undefined },
  ],
  // Several movements
  [
    'a swap',
    'Alice paid 100.00 PBL and received 5 base units of 0xCdcd…0099',
    { facts: { to: router, logs: [paid(alice, router, 100n * PBL), paid(router, alice, 5n, unknown)] } },
  ],
  [
    'a swap over two pools',
    'Alice paid 100.00 PBL and received 5 base units of 0xCdcd…0099, and 1 more',
    {
      facts: {
        to: router,
        logs: [
          paid(alice, bob, 100n * PBL),
          paid(bob, vault, 1n, addressOf(0x98)),
          paid(vault, alice, 5n, unknown),
        ],
      },
    },
  ],
  [
    'coins for a token',
    'Alice paid 1 ETH and received 5.00 PBL',
    { facts: { value: ETHER, to: router, logs: [paid(router, alice, 5n * PBL)] } },
  ],
  [
    'a token for coins',
    'Alice paid 5.00 PBL and received 1 ETH',
    {
      facts: { to: router, logs: [paid(alice, router, 5n * PBL)] },
      frame: { to: router, calls: [frameOf({ from: router, to: alice, value: ETHER })] },
    },
  ],
  [
    'a deposit with shares',
    'Alice paid 5.00 PBL and received 4 base units of Vault',
    { facts: { logs: [paid(alice, vault, 5n * PBL), paid(ZERO_ADDRESS, alice, 4n, vault)] } },
  ],
  [
    'an NFT for a token',
    'Alice gave Badge #7 and received 5.00 PBL',
    { facts: { to: router, logs: [gave(alice, bob, 7n), paid(bob, alice, 5n * PBL)] } },
  ],
  [
    'a refund of the same asset',
    'Alice paid 1 ETH to Vault with deposit(5, Bob), and 1 more',
    {
      facts: { value: ETHER, input },
      frame: { value: ETHER, calls: [frameOf({ from: vault, to: alice, value: 1n })] },
    },
  ],
  // NFTs
  ['an NFT', 'Alice transferred Badge #7 to Bob', { facts: { to: badge, logs: [gave(alice, bob, 7n)] } }],
  [
    'an NFT with a long ID',
    'Alice transferred Badge #1234…6789 to Bob',
    { facts: { logs: [gave(alice, bob, 123_456_789_123_456_789n)] } },
  ],
  [
    'several NFTs',
    'Alice transferred 2 tokens of Badge to Bob',
    { facts: { logs: [gave(alice, bob, 7n), gave(alice, bob, 8n)] } },
  ],
  ['an NFT that is made', 'Alice minted Badge #7', { facts: { logs: [gave(ZERO_ADDRESS, alice, 7n)] } }],
  [
    'copies of an NFT',
    'Alice transferred 3 of Badge #7 to Bob',
    { facts: { logs: [logOf(badge, SINGLE, alice, alice, bob, 7n, 3n)] } },
  ],
  [
    'one copy of an NFT',
    'Alice transferred Badge #7 to Bob',
    { facts: { logs: [logOf(badge, SINGLE, alice, alice, bob, 7n, 1n)] } },
  ],
  // Rights
  [
    'an approval',
    'Alice allowed Router to spend 5.00 PBL',
    { facts: { to: token, logs: [logOf(token, APPROVAL, alice, router, 5n * PBL)] } },
  ],
  [
    'an approval without a limit',
    'Alice allowed Router to spend unlimited PBL',
    { facts: { logs: [logOf(token, APPROVAL, alice, router, 2n ** 256n - 1n)] } },
  ],
  [
    'an approval that ends',
    'Alice no longer allows Router to spend Palm',
    { facts: { logs: [logOf(token, APPROVAL, alice, router, 0n)] } },
  ],
  [
    'an approval that a payment lowers',
    'Alice paid 1.00 PBL to Bob',
    { facts: { logs: [logOf(token, APPROVAL, alice, router, 1n), paid(alice, bob, PBL)] } },
  ],
  [
    'an approval of an NFT',
    'Alice allowed Bob to transfer Badge #7',
    {
      facts: {
        logs: [
          logOf(
            badge,
            'Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
            alice,
            bob,
            7n,
          ),
        ],
      },
    },
  ],
  [
    'an approval of all NFTs',
    'Alice allowed Bob to transfer all tokens of Badge',
    {
      facts: {
        logs: [
          logOf(
            badge,
            'ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
            alice,
            bob,
            true,
          ),
        ],
      },
    },
  ],
  [
    'a role',
    'Alice granted MINTER_ROLE of Vault to Bob',
    { facts: { logs: [logOf(vault, ROLE, MINTER, bob, alice)] } },
  ],
  [
    'a role that no list has',
    'Alice granted role 0xabab…abab of Vault to Bob',
    { facts: { logs: [logOf(vault, ROLE, `0x${'ab'.repeat(32)}`, bob, alice)] } },
  ],
  [
    'a role that is taken',
    'Alice revoked DEFAULT_ADMIN_ROLE of Vault from Bob',
    { facts: { logs: [logOf(vault, REVOKED, `0x${'0'.repeat(64)}`, bob, alice)] } },
  ],
  [
    'a role beside a payment',
    'Alice granted MINTER_ROLE of Vault to Bob, and 1 more',
    { facts: { logs: [paid(alice, bob, PBL), logOf(vault, ROLE, MINTER, bob, alice)] } },
  ],
  ['an owner', 'Alice made Bob the owner of Vault', { facts: { logs: [logOf(vault, OWNED, alice, bob)] } }],
  [
    'an ownership that ends',
    'Alice gave up the ownership of Vault',
    { facts: { logs: [logOf(vault, OWNED, alice, ZERO_ADDRESS)] } },
  ],
  [
    'an upgrade',
    'Alice upgraded Vault to 0xCdcd…0099',
    { facts: { logs: [logOf(vault, 'Upgraded(address indexed implementation)', unknown)] } },
  ],
  [
    'a pause',
    'Alice paused Vault',
    {
      facts: {
        input: encodeItem('function pause()'),
        logs: [logOf(vault, 'Paused(address account)', alice)],
      },
    },
  ],
  // Creations
  [
    'a creation',
    'Alice created Vault at 0xcDCd…0003',
    { facts: { to: undefined, created: vault, input: '0x6080' } },
  ],
  [
    'a creation with more',
    'Alice created the contract 0xCdcd…0099, and 2 more',
    {
      facts: {
        to: undefined,
        created: unknown,
        input: '0x6080',
        logs: [paid(ZERO_ADDRESS, alice, PBL), logOf(unknown, OWNED, ZERO_ADDRESS, alice)],
      },
    },
  ],
  [
    'a creation by a call',
    'Alice created the contract 0xCdcd…0099 through Vault',
    { facts: { input }, frame: { calls: [frameOf({ type: 'CREATE2', from: vault, to: unknown })] } },
  ],
  // Calls
  ['a call', 'Alice called Vault.deposit(5, Bob)', { facts: { input } }],
  [
    'a call with a log',
    'Alice called Vault.deposit(5, Bob)',
    { facts: { input, logs: [logOf(vault, 'Deposited(uint256 amount)', 5n)] } },
  ],
  [
    'a call without arguments',
    'Alice called Vault.pause()',
    { facts: { input: encodeItem('function pause()') } },
  ],
  [
    'a call that does not fit',
    'Alice called Vault.deposit(…)',
    { facts: { input: `${input.slice(0, 10)}12` as Hex } },
  ],
  ['an unknown selector', 'Alice called Vault.0x12345678', { facts: { input: '0x1234567800' } }],
  [
    'several calls in one',
    'Alice called Vault.multicall([deposit(…), pause(…)])',
    { facts: { input: encodeItem(MULTICALL, [input, encodeItem('function pause()')]) } },
  ],
  [
    'a call of nobody',
    'Alice sent data to 0xCdcd…0099, which has no code, so nothing ran',
    { facts: { to: unknown, input }, code: '0x' },
  ],
  [
    'a call of somebody',
    'Alice called 0xCdcd…0099.deposit(5, Bob)',
    { facts: { to: unknown, input }, code: '0x60' },
  ],
  [
    'a call without data',
    'Alice called Vault without data',
    { facts: { logs: [logOf(vault, 'Deposited(uint256 amount)', 5n)] } },
  ],
  [
    'an authorization',
    'Alice sent an authorization for an account to run Vault',
    { facts: { to: alice, type: 4, authorizations: 1, authorizationList: [{ address: vault }] } },
  ],
  [
    'an authorization that ends one',
    'Alice sent an authorization for an account to run no more code',
    { facts: { to: alice, type: 4, authorizations: 1, authorizationList: [{ address: ZERO_ADDRESS }] } },
  ],
  [
    'an authorization with a call',
    'Alice called Vault.deposit(5, Bob), and 1 more',
    { facts: { input, type: 4, authorizations: 1 } },
  ],
  ['several calls of Tempo', 'Alice sent several calls', { facts: { to: undefined } }],
  // Failures
  ['an error', 'Failed: FeeTooHigh(2,000, 1,000) in Vault.deposit(5, Bob)', { facts: reverted(fee) }],
  [
    'an error with its line',
    'Failed: FeeTooHigh(2,000, 1,000) at src/FeeMath.sol:10',
    { facts: reverted(fee), frame: { error: 'execution reverted', output: fee }, failedAt: line },
  ],
  [
    'an error with lines that may be',
    'Failed: FeeTooHigh(2,000, 1,000) in Vault.deposit(5, Bob)',
    {
      facts: reverted(fee),
      frame: { error: 'execution reverted', output: fee },
      failedAt: { certain: false, candidates: [line] },
    },
  ],
  [
    'an error that only the trace has',
    'Failed: FeeTooHigh(2,000, 1,000) in Vault.deposit(5, Bob)',
    {
      facts: { status: 'failed', input, failure: { state: 'passed' } },
      frame: { error: 'execution reverted', output: fee },
    },
  ],
  ['a text', 'Failed: "Not<U+000A>open" in Vault.deposit(5, Bob)', { facts: reverted(errorText) }],
  [
    'a panic',
    'Failed: an integer overflowed or underflowed in Vault.deposit(5, Bob)',
    { facts: reverted(encodeItem('error Panic(uint256 code)', 0x11n)) },
  ],
  ['no data', 'Failed: reverted without a reason in Vault.deposit(5, Bob)', { facts: reverted('0x') }],
  [
    'no data by the trace alone',
    'Failed: reverted without a reason in Vault.deposit(5, Bob)',
    {
      facts: { status: 'failed', input, failure: { state: 'passed' } },
      frame: { error: 'execution reverted' },
    },
  ],
  [
    'an unknown error',
    'Failed: unknown error 0x12345678 in Vault.deposit(5, Bob)',
    { facts: reverted('0x1234567800') },
  ],
  [
    'no gas',
    'Failed: out of gas in Vault.deposit(5, Bob)',
    { facts: reverted(undefined, 'EVM error OutOfGas') },
  ],
  [
    'no gas by the trace',
    'Failed: out of gas at src/FeeMath.sol:10',
    { facts: reverted('0x'), frame: { error: 'out of gas' }, failedAt: line },
  ],
  [
    'words of a server',
    'Failed: "quota is over" in Vault.deposit(5, Bob)',
    { facts: reverted(undefined, 'quota is over') },
  ],
  [
    'no reason',
    'Failed: unknown reason in Vault.deposit(5, Bob)',
    { facts: { status: 'failed', input, failure: { state: 'notOffered' } } },
  ],
  [
    'a creation that failed',
    'Failed: reverted without a reason in the creation of a contract',
    { facts: { ...reverted('0x'), to: undefined, created: vault } },
  ],
  [
    'coins that were refused',
    'Failed: reverted without a reason',
    { facts: { ...reverted('0x'), input: '0x', value: 1n } },
  ],
  // Not yet, or not known
  ['a pending call', 'Pending: Alice calls Vault.deposit(5, Bob)', { facts: { status: 'pending', input } }],
  [
    'pending coins',
    'Pending: Alice pays 1 ETH to Bob',
    { facts: { status: 'pending', to: bob, value: ETHER } },
  ],
  [
    'a pending creation',
    'Pending: Alice creates a contract',
    { facts: { status: 'pending', to: undefined, input: '0x60' } },
  ],
  [
    'an unknown status',
    'Success or failure is unknown: Alice sends an empty transaction to Bob',
    { facts: { status: 'unknown', to: bob } },
  ],
];

describe('the sentence about a transaction', () => {
  for (const [name, expected, of] of CASES)
    it(`for ${name} is: ${expected}`, async () => assert.equal(await summaryOf(of), expected));

  it('shows names, symbols and texts of others as text only', async () => {
    const hostile = { nameOf: () => 'A\u202eB', unitsOf: () => ({ symbol: 'U\u202e', decimals: 0 }) };
    const text = await summaryOf({ facts: { logs: [paid(alice, bob, 5n)] }, names: hostile });
    assert.equal(text, 'A<U+202E>B paid 5 U<U+202E> to A<U+202E>B');
  });

  it('stays short for long arguments', async () => {
    const declaration = 'function note(string text, uint256[] list)';
    const long = encodeItem(
      declaration,
      'x'.repeat(5_000),
      Array.from({ length: 500 }, () => 7n),
    );
    const text = await summaryOf({ facts: { input: long }, lookup: lookupOf(declaration) });
    assert.match(text, /^Alice called Vault\.note\("x+…", \[7, 7.*…\)$/);
    assert.ok(text.length < 200, text);
  });

  it('has no name of a function for a selector of which a list of signatures has several', async () => {
    const origin = { trust: 'signatures', from: 'list', contract: undefined, line: undefined } as const;
    const listOf = (...texts: readonly string[]) => createAbiLookup(texts.map((text) => ({ text, origin })));
    const burn = encodeItem('function burn(uint256 value)', 5n << 128n);
    const textBy = (...texts: readonly string[]) =>
      summaryOf({ facts: { input: burn }, lookup: listOf(...texts), standards: false });
    const other = 'function collate_propagate_storage(bytes16)';
    assert.match(await textBy('function burn(uint256)'), /^Alice called Vault\.burn\(1,701,/);
    assert.equal(await textBy('function burn(uint256)', other), 'Alice called Vault.0x42966c68');
  });
});

describe('units for the sentence', () => {
  it('are those of moved and approved tokens, each once, without those that fail', async () => {
    const lookup = await loadStandardLookup();
    const logs = [
      paid(alice, bob, 1n),
      paid(bob, alice, 1n),
      logOf(vault, APPROVAL, alice, bob, 1n),
      gave(alice, bob, 1n),
    ];
    const slices = createTimeSlices(systemClock);
    const explained = await explainTransaction(transactionOf({ logs }), { lookup, chainId: 5, slices });
    const asked: Hex[] = [];
    const client = {
      async fetchTokenUnits(address: Hex) {
        asked.push(address);
        return address === token ? { symbol: 'PBL', decimals: 6 } : undefined;
      },
    };
    const units = await fetchTransactionUnits(explained, { client, chainId: 5, index: undefined });
    assert.deepEqual(asked, [token, vault]);
    assert.deepEqual([...units.keys()], [token]);
  });

  it('of the coin are those of the user, of the chain, or of a development chain', () => {
    const coin = { symbol: undefined, decimals: 18 };
    assert.equal(findCoin({ ...coin, symbol: 'PALM' }, 1).symbol, 'PALM');
    assert.equal(findCoin(coin, 100).symbol, 'xDAI');
    assert.equal(findCoin(coin, 31337).symbol, 'ETH');
    assert.equal(findCoin(coin, 987_654_321).symbol, undefined);
    assert.equal(findCoin(coin, undefined).symbol, undefined);
  });
});
