import assert from 'node:assert/strict';
import type { Random } from '../../localnet/chain/random.ts';
import { createTimeSlices } from '../../src/core/base/timeSlices.ts';
import { readHex } from '../../src/core/eth/bytes.ts';
import { type Hex, parseHexData, parseQuantity } from '../../src/core/eth/hex.ts';
import { systemClock } from '../../src/core/index.ts';
import type { Log } from '../../src/core/logs/log.ts';
import { encodeReceipts } from '../../src/core/logs/proof/blockReceipts.ts';
import { createBloomBuilder } from '../../src/core/logs/proof/bloom.ts';
import { encodeRlp, hashBytes, toRlpInteger } from '../../src/core/logs/proof/merkleTrie.ts';
import { proveLogs } from '../../src/core/logs/proof/proveLogs.ts';
import { createLogTest, type LogFilter } from '../../src/core/logs/query/filter.ts';
import { parseLogFilter } from '../../src/core/logs/query/queryJson.ts';
import { createLogStore } from '../../src/core/logs/store/logStore.ts';
import { createRecordedCall, type RecordedBlock, type RecordedChain, topics } from './proofChain.ts';

type Blocks = readonly RecordedBlock[];
type Wire = Readonly<Record<string, unknown>>;
type WireLogs = readonly Wire[];

interface Truth {
  readonly random: Random;
  readonly blocks: Blocks;
  readonly rows: readonly Log[];
  readonly filter: LogFilter;
}

interface Lie {
  readonly rows: readonly Log[];
  readonly blocks: Blocks;
}

/** Blocks whose logs all lies are about. The last recorded one has too many receipts for thousands of proofs. */
const FIRST = 2;
const LAST = 7;
const FILTERS = [{}, {}, { topics: [topics[0]] }, { topics: [[topics[1], topics[2]]] }];

/**
 * Tells a lie about the logs of a chain, and tries to prove it.
 *
 * @returns the kind of the lie, and what the proof says of it.
 */
export async function tellLie(chain: RecordedChain, random: Random) {
  const blocks = chain.blocks.slice(0, LAST + 1);
  const names = Object.keys(LIES);
  const name = names[random.below(names.length)] ?? '';
  const tell = async (query: object) => {
    const filter = parseLogFilter(query);
    const truth = { random, blocks, filter, rows: listRows(blocks, filter) };
    const lie = await (LIES[name] ?? assert.fail())(truth);
    const isLie = name === 'altered header' || toText(lie.rows) !== toText(truth.rows);
    return { ...lie, filter, isLie };
  };
  let lie = await tell(FILTERS[random.below(FILTERS.length)] ?? {});
  // What does not match the filter changes no row.
  if (!lie.isLie) lie = await tell({});
  assert.ok(lie.isLie, name);
  const { filter, rows, blocks: told } = lie;
  const store = createLogStore();
  store.append(rows);
  const trustHash = blocks.at(-1)?.header.hash as Hex;
  // The hash of the last block is trusted, or a lie about it would be a lie about all.
  const isTrusted = NEED_TRUST.includes(name) || random.below(2) === 0;
  const proof = await proveLogs(
    { filter, range: { fromBlock: 0n, toBlock: BigInt(LAST) }, logs: store, order: 'oldestFirst' },
    { call: createRecordedCall(told), clock: systemClock },
    isTrusted ? { trustHash } : {},
  );
  return { name, level: proof.level, isAboutRows: name in ROW_LIES, reasons: proof.reasons };
}

const toText = (rows: readonly Log[]) =>
  JSON.stringify(rows.map((row) => ({ ...row, blockNumber: String(row.blockNumber) })));

/** The rows that follow from the receipts of blocks. */
function listRows(blocks: Blocks, filter: LogFilter): readonly Log[] {
  return blocks.flatMap(({ header, receipts }) => {
    let logIndex = 0;
    return receipts.flatMap(({ logs, transactionHash }, transactionIndex) =>
      (logs as WireLogs)
        .map(({ address, data, topics: list }) => ({
          ...({ address, data, topics: list, transactionHash, transactionIndex } as unknown as Log),
          blockHash: header.hash as Hex,
          blockNumber: BigInt(header.number as string),
          time: Number(header.timestamp) * 1000,
          logIndex: logIndex++,
        }))
        .filter((log) => createLogTest(filter)(log)),
    );
  });
}

/** A row of the truth, and its place there. */
function pickRow({ random, rows }: Truth) {
  const at = random.below(rows.length);
  return { at, row: rows[at] ?? assert.fail() };
}

/** Another value of the same length. */
function alterHex(hex: string, random: Random): Hex {
  if (hex.length < 4) return '0x01';
  const at = 2 + random.below(hex.length - 2);
  const digit = ((Number.parseInt(hex[at] ?? '0', 16) + 1 + random.below(15)) % 16).toString(16);
  return `${hex.slice(0, at)}${digit}${hex.slice(at + 1)}` as Hex;
}

function alterRow(row: Log, random: Random): Log {
  const changes: readonly (() => Partial<Log>)[] = [
    () => ({ address: alterHex(row.address, random) }),
    () => ({ data: alterHex(row.data, random) }),
    () => ({ data: `${row.data}00` }),
    () => ({ logIndex: row.logIndex + 1 + random.below(9) }),
    () => ({ transactionIndex: row.transactionIndex + 1 + random.below(9) }),
    () => ({ transactionHash: alterHex(row.transactionHash, random) }),
    () => ({ blockHash: alterHex(row.blockHash, random) }),
    () => ({
      topics: row.topics.length > 0 ? row.topics.slice(1) : [alterHex(`0x${'0'.repeat(64)}`, random)],
    }),
    () => ({
      topics: row.topics
        .map((topic) => alterHex(topic, random))
        .concat(row.topics.length > 0 ? [] : [row.blockHash]),
    }),
  ];
  return { ...row, ...changes[random.below(changes.length)]?.() };
}

/** Of a result, while the server has the true blocks. */
const ROW_CHANGES: Readonly<Record<string, (truth: Truth) => readonly Log[]>> = {
  dropped: (truth) => truth.rows.toSpliced(pickRow(truth).at, 1),
  'dropped block': (truth) => {
    const { row } = pickRow(truth);
    return truth.rows.filter(({ blockNumber }) => blockNumber !== row.blockNumber);
  },
  'dropped end': (truth) => truth.rows.slice(0, pickRow(truth).at),
  altered: (truth) => {
    const { at, row } = pickRow(truth);
    return truth.rows.with(at, alterRow(row, truth.random));
  },
  invented: (truth) => {
    const { at, row } = pickRow(truth);
    return truth.rows.toSpliced(at, 0, alterRow(row, truth.random));
  },
  duplicated: (truth) => {
    const { at, row } = pickRow(truth);
    return truth.rows.toSpliced(at, 0, row);
  },
  moved: (truth) => {
    const { at, row } = pickRow(truth);
    const { header } =
      truth.blocks.find(
        ({ header: { number } }) => BigInt(String(number)) !== row.blockNumber && truth.random.below(4) === 0,
      ) ??
      truth.blocks[0] ??
      assert.fail();
    const place = { blockNumber: BigInt(header.number as string), blockHash: header.hash as Hex };
    const rows = truth.rows.toSpliced(at, 1).concat({ ...row, ...place });
    return rows.toSorted((a, b) => Number(a.blockNumber - b.blockNumber));
  },
  swapped: ({ rows }) => {
    const [first, last] = [rows[0] ?? assert.fail(), rows.at(-1) ?? assert.fail()];
    return rows.with(0, last).with(-1, first);
  },
  'wrong time': (truth) => {
    const { blockNumber } = pickRow(truth).row;
    return truth.rows.map((row) =>
      row.blockNumber === blockNumber ? { ...row, time: (row.time ?? 0) + 1000 } : row,
    );
  },
  'of other blocks': ({ rows }) => [
    ...rows,
    { ...(rows.at(-1) ?? assert.fail()), blockNumber: BigInt(LAST + 1) },
  ],
};
const ROW_LIES = Object.fromEntries(
  Object.entries(ROW_CHANGES).map(([name, change]) => [
    name,
    (truth: Truth): Lie => ({ rows: change(truth), blocks: truth.blocks }),
  ]),
);

/** Rows follow from what the server says of one block. */
function withReceipts(truth: Truth, at: number, receipts: readonly Wire[]): Lie {
  const block = truth.blocks[at] ?? assert.fail();
  const blocks = truth.blocks.with(at, { ...block, receipts });
  return { blocks, rows: listRows(blocks, truth.filter) };
}

/** A block with logs. */
function pickBlock({ random, blocks }: Truth) {
  const full = blocks.flatMap(({ receipts }, at) =>
    at >= FIRST && receipts.some(({ logs }) => (logs as WireLogs).length > 0) ? [at] : [],
  );
  const at = full[random.below(full.length)] ?? assert.fail();
  return { at, block: blocks[at] ?? assert.fail() };
}

const LOG_CHANGES: readonly ((logs: WireLogs, random: Random) => WireLogs)[] = [
  (logs, random) => logs.toSpliced(random.below(logs.length), 1),
  (logs, random) => logs.toSpliced(0, 0, logs[random.below(logs.length)] ?? assert.fail()),
  (logs, random) => {
    const at = random.below(logs.length);
    const log = logs[at] ?? assert.fail();
    return logs.with(at, { ...log, data: alterHex(String(log.data), random) });
  },
  (logs, random) => {
    const log = logs[0] ?? assert.fail();
    return logs.with(0, { ...log, address: alterHex(String(log.address), random) });
  },
  (logs) => logs.toReversed(),
];

/** Changes the logs of a receipt that has some. */
function changeSomeLogs(truth: Truth): Lie & { readonly at: number } {
  const change = LOG_CHANGES[truth.random.below(LOG_CHANGES.length)] ?? assert.fail();
  const { at, block } = pickBlock(truth);
  const place = block.receipts.findIndex(({ logs }) => (logs as WireLogs).length > 0);
  const receipt = block.receipts[place] ?? assert.fail();
  const logs = change(receipt.logs as WireLogs, truth.random);
  return { at, ...withReceipts(truth, at, block.receipts.with(place, { ...receipt, logs })) };
}

const HEADER_FIELDS =
  'parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed timestamp extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash'.split(
    ' ',
  );
const QUANTITIES =
  'difficulty number gasLimit gasUsed timestamp baseFeePerGas blobGasUsed excessBlobGas'.split(' ');

function hashHeader(header: Wire): Hex {
  const fields = HEADER_FIELDS.filter((name) => header[name] !== undefined);
  return hashBytes(
    encodeRlp(
      fields.map((name) =>
        QUANTITIES.includes(name)
          ? toRlpInteger(parseQuantity(header[name]) ?? 0n)
          : (parseHexData(header[name]) ?? '0x'),
      ),
    ),
  );
}

/** A block whose header commits to its receipts, with blocks above it that lead to it, up to `top`. */
async function forge(lie: Lie & { readonly at: number }, truth: Truth, top: number): Promise<Lie> {
  const blocks = [...lie.blocks];
  const work = { slices: createTimeSlices(systemClock) };
  for (let at = lie.at; at <= top; at++) {
    const block = blocks[at] ?? assert.fail();
    const { root, bloom } =
      (await encodeReceipts(block.receipts, createBloomBuilder(), work)) ?? assert.fail();
    const parentHash = blocks[at - 1]?.header.hash;
    const changed = { ...block.header, receiptsRoot: root, logsBloom: readHex(bloom, 0, 256), parentHash };
    const header = { ...changed, hash: hashHeader(changed) };
    blocks[at] = {
      ...block,
      header,
      whole: { ...block.whole, ...header, transactions: block.whole.transactions },
    };
  }
  return { blocks, rows: listRows(blocks, truth.filter) };
}

/** Of a server whose result, receipts, headers or transactions agree with each other. */
const SERVER_LIES: Readonly<Record<string, (truth: Truth) => Lie | Promise<Lie>>> = {
  'altered receipts': changeSomeLogs,
  'receipts in another order': (truth) => {
    const { at, block } = pickBlock(truth);
    return withReceipts(truth, at, block.receipts.toReversed());
  },
  'receipts of another block': (truth) => {
    const { at } = pickBlock(truth);
    return withReceipts(truth, at, truth.blocks[at === FIRST ? FIRST + 1 : FIRST]?.receipts ?? []);
  },
  'no receipts': (truth) => withReceipts(truth, pickBlock(truth).at, []),
  'altered header': (truth) => {
    const at = truth.random.below(truth.blocks.length);
    const block = truth.blocks[at] ?? assert.fail();
    const names = HEADER_FIELDS.filter((name) => block.header[name] !== undefined);
    const name = names[truth.random.below(names.length)] ?? '';
    const value = String(block.header[name]);
    const altered = QUANTITIES.includes(name)
      ? `0x${(BigInt(value) + 1n).toString(16)}`
      : alterHex(value, truth.random);
    return {
      rows: truth.rows,
      blocks: truth.blocks.with(at, { ...block, header: { ...block.header, [name]: altered } }),
    };
  },
  'empty bloom': (truth) => {
    const { at, block } = pickBlock(truth);
    const header: Wire = { ...block.header, logsBloom: `0x${'0'.repeat(512)}` };
    const number = BigInt(String(header.number));
    return {
      rows: truth.rows.filter(({ blockNumber }) => blockNumber !== number),
      blocks: truth.blocks.with(at, { ...block, header }),
    };
  },
  'swapped blocks': (truth) => {
    const [at, other] = [FIRST, FIRST + 1 + truth.random.below(LAST - FIRST - 1)];
    const [one, two] = [truth.blocks[at] ?? assert.fail(), truth.blocks[other] ?? assert.fail()];
    const place = ({ header }: RecordedBlock) => ({ number: header.number, parentHash: header.parentHash });
    const move = (block: RecordedBlock, to: RecordedBlock) => ({
      ...block,
      header: { ...block.header, ...place(to) },
    });
    const blocks = truth.blocks.with(at, move(two, one)).with(other, move(one, two));
    return { blocks, rows: listRows(blocks, truth.filter) };
  },
  'another transaction': (truth) => {
    const { at, block } = pickBlock(truth);
    const place = block.receipts.findIndex(({ logs }) => (logs as WireLogs).length > 0);
    const hash = alterHex(String(block.receipts[place]?.transactionHash), truth.random);
    const receipts = block.receipts.with(place, { ...block.receipts[place], transactionHash: hash });
    const transactions = block.whole.transactions as readonly Wire[];
    const altered = { ...transactions[place], hash, nonce: '0x9999' };
    const whole = { ...block.whole, transactions: transactions.with(place, altered) };
    const blocks = truth.blocks.with(at, { ...block, receipts, whole });
    return { blocks, rows: listRows(blocks, truth.filter) };
  },
  'another hash of a transaction': (truth) => {
    const { at, block } = pickBlock(truth);
    const receipts = block.receipts.map((receipt) => ({
      ...receipt,
      transactionHash: alterHex(String(receipt.transactionHash), truth.random),
    }));
    return withReceipts(truth, at, receipts);
  },
  'forged block': (truth) => {
    const lie = changeSomeLogs(truth);
    return forge(lie, truth, Math.max(lie.at, truth.random.below(LAST)));
  },
  'forged chain': (truth) => forge(changeSomeLogs(truth), truth, LAST),
};

/** The others are lies about hashes that lead to the last block. */
const NEED_TRUST = ['forged block', 'forged chain', 'altered header'];
const LIES: Readonly<Record<string, (truth: Truth) => Lie | Promise<Lie>>> = { ...ROW_LIES, ...SERVER_LIES };

export const lieNames = Object.keys(LIES);
