import assert from 'node:assert/strict';
import {
  createLogDecoder,
  createTimeSlices,
  explainHex,
  explainTransaction,
  findKnownHash,
  type Hex,
  systemClock,
  type Transaction,
  toChecksumAddress,
  transferEvents,
} from '../../../../src/core/index.ts';
import { explainTrace } from '../../../../src/core/traces/explainTrace.ts';
import {
  createOtherHashDocument,
  createTransactionDocument,
  type TransactionParts,
} from '../../../../src/features/decode/formatTransaction.ts';
import { createWording, encodeItem, frameOf, lookupOf } from '../../../support/decodingStubs.ts';
import { anyNetwork } from '../../../support/stubs.ts';
import { addressOf, answerOf, transactionOf } from '../../../support/transactions.ts';

const TREASURY = addressOf(1);
const TOKEN = addressOf(0xe20);
const network = anyNetwork(5, { name: 'Harbor', symbol: 'HBR' });
const wording = createWording(TREASURY);
const ERROR = 'error Unpaid(address by, uint256 missing)';
const CALL = 'function pay(uint256 price)';
const EVENT = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const lookup = lookupOf(ERROR, CALL, EVENT);
const topic = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;

async function linesOf(facts: Partial<Transaction>, more: Partial<TransactionParts> = {}) {
  const transaction = transactionOf(facts);
  const slices = createTimeSlices(systemClock);
  const explained = await explainTransaction(transaction, { lookup, chainId: 5, slices });
  return createTransactionDocument({
    ...{ result: answerOf(transaction), network, format: wording, explained, places: undefined },
    uriOf: (file) => `file:///${file}`,
    unitsOf: () => undefined,
    ...more,
  });
}
const textOf = async (...rest: Parameters<typeof linesOf>) =>
  (await linesOf(...rest)).map(({ level, text }) => `${'  '.repeat(level)}${text}`).join('\n');

function assertHas(text: string, ...patterns: readonly RegExp[]): void {
  for (const pattern of patterns) assert.match(text, pattern);
}

describe('document of a transaction with transfers', () => {
  const value = `0x${4217n.toString(16).padStart(64, '0')}` as const;
  const transfer = {
    ...{ address: TOKEN, data: value, logIndex: 0 },
    topics: [transferEvents.transfer.topic0, topic(TREASURY), topic(addressOf(2))],
  };
  const range = {
    ...{ address: TOKEN, data: value, logIndex: 0 },
    topics: [
      transferEvents.consecutiveTransfer.topic0,
      `0x${'0'.repeat(64)}` as const,
      topic(TREASURY),
      topic(addressOf(2)),
    ],
  };

  it('has both readings of one whose contract does not tell what its number is, and no sum', async () => {
    const transaction = transactionOf({ logs: [transfer] });
    const slices = createTimeSlices(systemClock);
    const fetchTransferStandard = async () => undefined;
    const explained = await explainTransaction(transaction, {
      ...{ lookup, chainId: 5, slices, fetchTransferStandard },
    });
    const text = await textOf({ logs: [transfer] }, { explained });
    assert.match(
      text,
      /amount 4,217 \(ERC-20\) or token #4217 \(ERC-721\)\. The contract does not report which\./,
    );
    assert.doesNotMatch(text, /[+−]4,?217/);
  });

  it('has a range of tokens as one', async () => {
    const text = await textOf({ logs: [range] });
    assertHas(text, /#0 – #4217 · ERC-721/, /\+4,?218/);
  });
});

describe('document of a transaction', () => {
  it('has the facts, with names and units', async () => {
    const fee = { total: 42_100n, execution: 42_000n, l1: 100n, blobs: undefined };
    const text = await textOf({
      value: 1_500_000_000_000_000_000n,
      fee,
      gasPrice: 2n,
      authorizations: 1,
      type: 4,
    });
    assertHas(
      text,
      /^Treasury paid 1\.5 HBR to 0x\w{4}…\w{4}, and 1 more\nTransaction 0x\w{64} on Harbor\n\nStatus: Success\nBlock: 5, index 0\n/,
      /\nTime: 1970-01-01T00:00:01Z\n/,
      new RegExp(`From: Treasury \\(${toChecksumAddress(TREASURY)}\\)`),
      /\nValue: 1\.5 HBR\n/,
      /\nFee: 0\.0000000000000421 HBR \(21,000 gas at 0\.000000002 gwei, 0\.0000000000000001 HBR for data on L1\)/,
      /\nGas: 21,000 of 30,000\n/,
      /\nType: 4 \(set code, EIP-7702\)\nAuthorizations: 1\n/,
      /\nSource: http:\/\/node\.example at 1970-01-01T00:00:00Z, by eth_getTransactionByHash/,
    );
  });

  it('names the bytes behind the arguments of its call, however many there are', async () => {
    const suffix = '62617365617070070080218021802180218021802180218021';
    const call = encodeItem(CALL, 7n);
    const attribution = /\n {2,6}Attribution \(ERC-8021\): baseapp\n/;
    for (const input of [`${call}${suffix}`, `${call}000000${suffix}`] as const) {
      const text = await textOf({ input });
      assert.match(text, /\n {2}Call to function pay\(uint256 price\)\n/);
      assert.match(text, /price uint256 = 7\n {4}2[58] bytes behind the arguments: 0x/);
      assert.match(text, attribution);
    }
    assert.match(await textOf({ input: `0x12345678${suffix}` }), attribution);
    assert.match(await textOf({ input: `${call}360c6ebe` }), /4 bytes behind the arguments: 0x360c6ebe\n/);
  });

  it('has a fee that was paid in a token in the unit of that token', async () => {
    const fee = { token: TOKEN, total: 42_000n, execution: 42_000n, l1: undefined, blobs: undefined };
    const named = toChecksumAddress(TOKEN);
    const raw = await textOf({ fee, gasPrice: 2n });
    assert.match(
      raw,
      new RegExp(`\\nFee: 42,000 in the smallest unit of the token ${named} \\(21,000 gas\\)\\n`),
    );
    const unitsOf = () => ({ symbol: 'USD', decimals: 3 });
    const withUnits = await textOf({ fee, gasPrice: 2n }, { unitsOf });
    assert.match(withUnits, new RegExp(`\\nFee: 42\\.00 USD of the token ${named} \\(21,000 gas\\)\\n`));
    const none = { total: undefined, execution: undefined };
    assert.match(await textOf({ fee: { ...fee, ...none } }), /\nFee: unknown amount of the token 0x/);
    const unknown = await textOf({ fee: { ...fee, ...none, token: 'unknown' } });
    assert.match(unknown, /\nFee: unknown, may be paid in a token\n/);
    for (const text of [raw, withUnits, unknown]) assert.doesNotMatch(text, /Fee:.*HBR/);
  });

  it('says what is not known, and leaves out what is not there', async () => {
    const fee = { total: undefined, execution: 42_000n, l1: undefined, blobs: undefined };
    const text = await textOf({ fee, time: undefined, nonce: undefined, logs: undefined, status: 'unknown' });
    assertHas(
      text,
      /Fee: 0\.000000000000042 HBR plus an unknown part/,
      /Time: unknown/,
      /Logs are not available/,
    );
    assert.doesNotMatch(text, /Nonce|Created|Moved|Why/);
    const pending = await textOf({
      status: 'pending',
      block: undefined,
      position: undefined,
      gasUsed: undefined,
    });
    assert.match(pending, /Status: Pending\nFrom/);
    assert.match(pending, /Gas: limit 30,000/);
    assert.doesNotMatch(pending, /Block|Time|logs/i);
  });

  it('has why it failed, with lines of the workspace to go to', async () => {
    const data = encodeItem(ERROR, TREASURY, 7n);
    const failure = {
      state: 'told',
      by: 'replay',
      data,
      isCut: false,
      message: 'execution reverted',
    } as const;
    const places = [{ file: 'src/Shop.sol', line: 41 }];
    const lines = await linesOf({ status: 'failed', failure, block: 6n }, { places });
    const text = lines.map((line) => line.text).join('\n');
    assertHas(
      text,
      /Why it failed\nReverted with error Unpaid\(address by, uint256 missing\)\nDefined in Shop in src\/Shop\.sol:7/,
      /missing uint256 = 7/,
      /Replayed at block 5; earlier transactions in the same block are not applied\./,
    );
    const candidate = lines.find((line) => line.text === 'src/Shop.sol:41');
    assert.deepEqual(candidate?.place, { file: 'file:///src/Shop.sol', line: 40 });
  });

  it('says in words why nobody knows', async () => {
    const why = async (failure: Transaction['failure']) => textOf({ status: 'failed', failure });
    assert.match(await why({ state: 'passed' }), /succeeds on the state before its block/);
    assert.match(await why({ state: 'notOffered' }), /does not support eth_call/);
    assert.match(await why({ state: 'refused', message: 'missing trie node' }), /missing trie node/);
    const told = { state: 'told', by: 'explorer', isCut: false } as const;
    assert.match(
      await why({ ...told, data: '0x', message: 'execution reverted' }),
      /Reverted without a reason/,
    );
    assert.match(await why({ ...told, data: undefined, message: 'out of gas' }), /\n {2}Out of gas\n/);
    assert.match(
      await why({ ...told, data: undefined, message: 'EVM error OutOfGas' }),
      /\n {2}Out of gas \(EVM error OutOfGas\)\n/,
    );
    assert.match(await why({ ...told, data: undefined, message: 'busy' }), /\n {2}Busy\n/);
    assert.match(await why({ ...told, data: undefined, message: undefined }), /failed without a reason/);
    assert.match(
      await why({ ...told, data: '0x12345678', message: 'Reverted' }),
      /No known error matches the data: 0x12345678/,
    );
    assert.match(
      await why({ ...told, data: '0x12345678', isCut: true, message: 'X' }),
      /Only the beginning of the revert data/,
    );
  });

  it('has call, movements and logs, each with where it is declared', async () => {
    const topics = [transferEvents.transfer.topic0, topic(TREASURY), topic(addressOf(2))];
    const log = { address: TOKEN, topics, data: `0x${'5b8d80'.padStart(64, '0')}` as Hex, logIndex: 0 };
    const units = { symbol: 'HUSD', decimals: 6 };
    const lines = await linesOf({ input: encodeItem(CALL, 12_500n), logs: [log] }, { unitsOf: () => units });
    const text = lines.map(({ level, text }) => `${'  '.repeat(level)}${text}`).join('\n');
    assertHas(
      text,
      /Call\n {2}Call to function pay\(uint256 price\)\n/,
      /price uint256 = 12,500\n/,
      /HUSD · 0x\w{40} · ERC-20\n {4}−6\.00 HUSD · Treasury \(0x\w{40}\)\n {4}\+6\.00 HUSD · 0x\w{40}/,
      /Logs: 1\n {2}Log from 0x\w{40}\n {4}event Transfer/,
      /value uint256 = 6\.00 HUSD \(6000000\)/,
    );
    const declared = lines.filter((line) => line.place);
    assert.deepEqual(
      declared.map(({ place }) => place?.file),
      ['file:///src/Shop.sol', 'file:///src/Shop.sol'],
    );
  });

  it('has an amount of a call to a token in its units, and each number once', async () => {
    const call = 'function transfer(address to, uint256 value)';
    const input = encodeItem(call, TREASURY, 200n * 10n ** 18n);
    const transaction = transactionOf({ input, to: TOKEN, logs: [] });
    const explained = await explainTransaction(transaction, {
      ...{ lookup: lookupOf(call), chainId: 5, slices: createTimeSlices(systemClock) },
    });
    const units = { symbol: 'KELP', decimals: 18 };
    const text = await textOf({}, { explained, unitsOf: () => units });
    assert.match(text, /value uint256 = 200\.00 KELP \(200000000000000000000\)\n?/);
    const raw = await textOf({}, { explained });
    assert.match(raw, /value uint256 = 200,000,000,000,000,000,000\n?/);
    assert.doesNotMatch(raw, /200000000000000000000/);
  });

  it('begins with what happened, then why it failed, and ends with gas, nonce, type and requests', async () => {
    const data = encodeItem(ERROR, TREASURY, 7n);
    const failure = {
      state: 'told',
      by: 'replay',
      data,
      isCut: false,
      message: 'execution reverted',
    } as const;
    const text = await textOf({ status: 'failed', failure, logs: [], input: encodeItem(CALL, 5n) });
    const heads = ['Failed: Unpaid(Treasury, 7) in 0x', 'Transaction 0x', 'Why it failed', 'Status: Failed'];
    const tails = ['From: ', 'Value: ', '\nCall\n', 'No logs', 'Gas: ', 'Nonce: ', 'Type: ', 'Source: '];
    const places = [...heads, ...tails].map((part) => text.indexOf(part));
    assert.equal(places[0], 0);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      text,
    );
    assert.match(text.slice(text.indexOf('Source: ')), /^[^\n]*$/);
  });

  it('has a link from what happened to the line that failed', async () => {
    const lookup = lookupOf(ERROR);
    const root = await explainTrace(frameOf({ error: 'execution reverted', output: '0x' }), {
      ...{ lookup, decoder: createLogDecoder({ lookup, chainId: 5 }), contracts: new Map(), chainId: 5 },
      ...{ transaction: transactionOf(), slices: createTimeSlices(systemClock) },
    });
    const failedAt = { certain: true, file: 'src/Shop.sol', line: 41, stack: [] } as const;
    const told = { state: 'told', root, cutReason: undefined, hasLogs: true, failedAt } as const;
    const trace = { ...told, method: 'debug_traceTransaction' } as const;
    const [first] = await linesOf({ status: 'failed', failure: { state: 'passed' } }, { trace });
    assert.deepEqual(first, {
      ...{ level: 0, text: 'Failed: reverted without a reason at src/Shop.sol:41', style: 'failure' },
      place: { file: 'file:///src/Shop.sol', line: 40 },
    });
  });

  it('colours the state, and marks what names a value', async () => {
    const line = async (status: Transaction['status']) =>
      (await linesOf({ status })).find(({ text }) => text.startsWith('Status'));
    assert.deepEqual(await line('success'), {
      ...{ level: 0, text: 'Status: Success', label: 'Status:', style: 'success' },
    });
    assert.equal((await line('failed'))?.style, 'failure');
  });

  it('has a creation, and an input that no function is known for', async () => {
    assert.match(
      await textOf({ to: undefined, created: TOKEN, input: '0x6080' }),
      /Creation code\n {2}2 bytes/,
    );
    const creation = { to: undefined, created: TOKEN, input: '0x6080' } as const;
    assert.match(await textOf(creation), /Created contract: 0x/);
    const failed = await textOf({ ...creation, status: 'failed' });
    assert.match(failed, /Contract \(not created\): 0x/);
    assert.doesNotMatch(failed, /Created contract/);
    assert.match(
      await textOf({ input: '0xdeadbeef01' }),
      /No known function matches the 5-byte input: 0xdeadbeef01/,
    );
  });
});

describe('document of a hash that is no transaction', () => {
  const hash = transferEvents.transfer.topic0;
  const { transaction: _, ...rest } = answerOf(transactionOf());
  const textBy = (of: Hex, answer: Parameters<typeof createOtherHashDocument>[0]['answer']) =>
    createOtherHashDocument({
      ...{ hash: of, network, answer, wording },
      known: findKnownHash(of, lookup),
      meanings: explainHex(of, { lookup }),
    })
      .map(({ text }) => text)
      .join('\n');

  it('says what it is, and what was asked', () => {
    const event = textBy(hash, { ...rest, kind: 'unknown' });
    assert.match(event, /is not a transaction on Harbor\n\ntopic0 of event Transfer/);
    assert.match(event, /Source: http:\/\/node\.example/);
    const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
    assert.match(
      textBy(slot, { ...rest, kind: 'unknown' }),
      /keccak256\("eip1967\.proxy\.implementation"\) - 1/,
    );
    const block = textBy(transactionOf().hash, { ...rest, kind: 'block', block: 12_345n, time: 1000 });
    assert.match(block, /Hash of block 12,345, 1970-01-01T00:00:01Z/);
    assert.match(
      textBy(transactionOf().hash, { ...rest, kind: 'unknown' }),
      /0x\w{64} was not found on Harbor/,
    );
    assert.match(textBy(`0x${'5'.padStart(64, '0')}`, { ...rest, kind: 'unknown' }), /May be uint256 = 5\n/);
  });
});
