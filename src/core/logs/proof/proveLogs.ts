import type { Clock } from '../../base/clock.ts';
import { type Abortable, forEachLimited } from '../../base/concurrency.ts';
import { type AppError, isAppError } from '../../base/errors.ts';
import { createMessage, foreign, type Message } from '../../base/text.ts';
import { createTimeSlices } from '../../base/timeSlices.ts';
import { isRecord } from '../../base/values.ts';
import type { Hex } from '../../eth/hex.ts';
import { getChainId } from '../../rpc/methods.ts';
import type { RpcClient } from '../../rpc/rpcClient.ts';
import type { LogOrder } from '../log.ts';
import { createLogTest, type LogFilter } from '../query/filter.ts';
import type { ProvenHeader } from './blockHeader.ts';
import { encodeReceipts, listUnknownTypes } from './blockReceipts.ts';
import { encodeTransactions } from './blockTransactions.ts';
import { createBloomBuilder, createBloomTest, parseBloom } from './bloom.ts';
import { fetchHeaderChain, toChunks } from './headerChain.ts';
import { findUncoveredLogs, type LogProof, type ProofRange, requireProvableRange } from './logProof.ts';
import type { SlicedWork } from './merkleTrie.ts';
import { createProofReader, type ProofReader } from './proofReader.ts';
import { describeDifference, indexRows, type ProvenRows, type RowsByBlock } from './provenRows.ts';

/** The result to prove. */
export interface ProofTarget {
  readonly filter: LogFilter;
  readonly range: ProofRange;
  /** All rows of the result, in `order`. */
  readonly logs: ProvenRows;
  readonly order: LogOrder;
  /** Whether the query has read each block of the range; default: it has. */
  readonly isRead?: boolean | undefined;
}

export interface ProofOptions extends Abortable {
  /** The hash of the last block or of a later one. Undefined for that of the last block, as the endpoint says. */
  readonly trustHash?: Hex | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly of: number }) => void) | undefined;
}

export interface ProofDeps {
  /** Sends concurrent calls as one batch, as `createBatchedCall` does. */
  readonly call: RpcClient['call'];
  readonly clock: Clock;
  /** Requests sent so far. */
  readonly countRequests?: (() => number) | undefined;
}

/** Blocks whose receipts are requested in one batch, and batches at once. */
const BLOCKS_PER_BATCH = 4;
const MAX_BATCHES = 3;
/** Blocks without rows whose receipts show how the chain computes roots. */
const MAX_SAMPLE_BLOCKS = 4;
/** Differences that are described; after so many, no more blocks are compared. */
const MAX_DIFFERENCES = 12;

/**
 * Proves that a result has every matching log of its range and no other. Headers lead by their hashes from a trusted one
 * down to the first block. The bloom of a header rules out its block; else the receipts of the block must have the root
 * of its header, and their matching logs must be the rows of the result. The hashes of transactions come from the
 * transactions root.
 *
 * @throws AppError `badInput` for a range of too many blocks, or a trusted block that does not fit; `aborted`. Any other
 *   error of the endpoint makes the proof impossible.
 * @example
 * const proof = await proveLogs({ filter, range: verdict, logs: store }, { call, clock }, { trustHash });
 */
export async function proveLogs(
  { filter, range, logs, order, isRead = true }: ProofTarget,
  { call, clock, countRequests = () => 0 }: ProofDeps,
  { trustHash, signal, onProgress }: ProofOptions = {},
): Promise<LogProof> {
  requireProvableRange(range);
  const work: SlicedWork = { slices: createTimeSlices(clock), signal };
  const reader = createProofReader(call, { clock, signal });
  const findings = createFindings();
  let [trustedHash, blocks, receipts] = [trustHash, 0, 0];

  async function prove(): Promise<void> {
    if (range.toBlock < range.fromBlock)
      return findings.addMissing(createMessage('The chain has no block of the range yet.'));
    // The chain would contradict rows that are known to be missing.
    if (!isRead)
      return findings.addMissing(createMessage('The result does not have all blocks of its range.'));
    const uncovered = findUncoveredLogs(await getChainId({ call } as RpcClient, { signal }), range);
    if (uncovered) return findings.addMissing(uncovered);
    const { rows, contradicted, block } = await indexRows({ rows: logs, order }, range, work);
    if (!rows) return findings.addDifference(block ?? range.fromBlock, contradicted);
    const chain = await fetchHeaderChain(reader, { ...range, trustHash }, work);
    ({ trustedHash, blocks } = chain);
    if (chain.alteredAt !== undefined) findings.addAltered(chain.alteredAt, chain.missing);
    if (chain.missing) return findings.addMissing(chain.missing);
    const headers = await selectHeaders(chain.headers, { filter, rows, work });
    const compare = createBlockComparison({ filter, rows, reader, findings, work });
    await forEachLimited(
      toChunks(headers, BLOCKS_PER_BATCH),
      async (chunk) => {
        await Promise.all(chunk.map(compare));
        receipts += chunk.length;
        onProgress?.({ done: receipts, of: headers.length });
      },
      { limit: MAX_BATCHES, goesOn: () => findings.goesOn },
    );
    if (!findings.hasUnexplainedRoot) return;
    const compared = new Set(headers);
    const others = chain.headers.filter((header) => !compared.has(header));
    for await (const header of listSampleHeaders(others, range.fromBlock, reader)) {
      const wire = (await reader.fetchReceipts(header)) ?? [];
      const encoded = await encodeReceipts(wire, createBloomBuilder(), work);
      if (encoded?.root === header.receiptsRoot) findings.addRoot('receipts', wire);
      if (!findings.hasUnexplainedRoot) return;
    }
  }

  try {
    await prove();
  } catch (error) {
    if (!isAppError(error) || ['aborted', 'badInput', 'internal'].includes(error.kind)) throw error;
    findings.addMissing(describeFailure(error));
  }
  const trustedBy = trustHash === undefined ? 'endpoint' : 'user';
  return { ...findings.conclude(), trustedHash, trustedBy, blocks, receipts, requests: countRequests() };
}

function describeFailure({ message, details }: AppError): Message {
  return createMessage('A request of the proof failed: {0}', foreign(details.serverMessage ?? message, 200));
}

interface Findings {
  readonly goesOn: boolean;
  addDifference(block: bigint, message: Message | undefined): void;
  addMissing(message: Message): void;
  /** What the endpoint returned for a block does not have its hash, while other blocks do. */
  addAltered(block: bigint, message: Message | undefined): void;
  /** A list of a block has the root in its header: the chain computes roots of lists with these types as it is done here. */
  addRoot(of: RootedList, wire: readonly unknown[]): void;
  /** A list of a block does not have the root in its header. */
  addOtherRoot(of: RootedList, block: bigint, wire: readonly unknown[]): void;
  /** Whether there is such a list, and none yet that shows how the chain computes roots. */
  readonly hasUnexplainedRoot: boolean;
  conclude(): Pick<LogProof, 'alteredAt' | 'contradictedAt' | 'level' | 'reasons'>;
}

type RootedList = 'receipts' | 'transactions';

/** Collects what speaks against a proof. A result that differs is worse than one that cannot be proven. */
function createFindings(): Findings {
  const differences: { readonly block: bigint; readonly message: Message }[] = [];
  const otherRoots: { readonly of: RootedList; readonly block: bigint; readonly wire: readonly unknown[] }[] =
    [];
  const altered: { readonly block: bigint; readonly message: Message }[] = [];
  /** The types in lists with the right root. */
  const rooted = { receipts: new Set<string>(), transactions: new Set<string>() };
  const hasRoot = { receipts: false, transactions: false };
  let missing: Message | undefined;

  const isAltered = ({ of, wire }: (typeof otherRoots)[number]) =>
    hasRoot[of] && listOwnTypes(of, wire).every((type) => rooted[of].has(type));

  return {
    get goesOn() {
      return missing === undefined && differences.length + otherRoots.length < MAX_DIFFERENCES;
    },
    get hasUnexplainedRoot() {
      return otherRoots.some((each) => each.of === 'receipts' && !isAltered(each));
    },
    addAltered(block, message) {
      if (message) altered.push({ block, message });
    },
    addRoot(of, wire) {
      // An empty list has the same root everywhere.
      hasRoot[of] ||= wire.length > 0;
      for (const type of listOwnTypes(of, wire)) rooted[of].add(type);
    },
    addOtherRoot(of, block, wire) {
      otherRoots.push({ of, block, wire });
    },
    addDifference(block, message) {
      if (message) differences.push({ block, message });
    },
    addMissing(message) {
      missing ??= message;
    },
    conclude() {
      for (const each of otherRoots) {
        const message = describeOtherRoot(each.of, String(each.block), each.wire);
        if (isAltered(each)) altered.push({ block: each.block, message });
        else missing ??= message;
      }
      for (const list of [differences, altered]) list.sort((a, b) => (a.block < b.block ? -1 : 1));
      const messages = new Set([...differences, ...altered].map(({ message }) => message));
      const reasons = [...messages, ...(missing && !messages.has(missing) ? [missing] : [])];
      const [contradictedAt, alteredAt] = [differences[0]?.block, altered[0]?.block];
      if (messages.size > 0) return { level: 'contradicted', contradictedAt, alteredAt, reasons };
      return { level: missing ? 'impossible' : 'proven', reasons };
    },
  };
}

/** Types that a chain may encode in its own way: known receipts are all alike, known transactions are not. */
function listOwnTypes(of: RootedList, wire: readonly unknown[]): readonly string[] {
  if (of === 'receipts') return listUnknownTypes(wire);
  return [...new Set(wire.map((entry) => String(isRecord(entry) && entry.type)))];
}

/**
 * The headers whose receipts are needed: the bloom may have a match, or the result has rows. If there is none, one block
 * with transactions shows whether the blooms of the chain have its logs.
 */
async function selectHeaders(
  headers: readonly ProvenHeader[],
  { filter, rows, work: { slices, signal } }: Pick<Comparison, 'filter' | 'rows' | 'work'>,
): Promise<readonly ProvenHeader[]> {
  const { mayMatch } = await createBloomTest(filter, { slices, signal });
  const withRows = new Set(rows.blocks);
  const needed: ProvenHeader[] = [];
  for (const header of headers) {
    if (slices.isOver()) await slices.rest({ signal });
    if (withRows.has(header.number) || mayMatch(header.logsBloom)) needed.push(header);
  }
  if (needed.length > 0) return needed;
  const [busiest] = headers.toSorted((a, b) => (a.gasUsed > b.gasUsed ? -1 : 1));
  return busiest && busiest.gasUsed > 0n ? [busiest] : [];
}

/**
 * Blocks with transactions that the result does not need: of the range, then below it. Their receipts show whether the
 * chain computes roots as it is done here.
 */
async function* listSampleHeaders(
  others: readonly ProvenHeader[],
  fromBlock: bigint,
  reader: ProofReader,
): AsyncGenerator<ProvenHeader> {
  const used = others.filter(({ gasUsed }) => gasUsed > 0n);
  yield* used.slice(0, MAX_SAMPLE_BLOCKS);
  for (let step = 1n; step <= MAX_SAMPLE_BLOCKS && step <= fromBlock; step++) {
    const { header } = await reader.fetchHeader(fromBlock - step);
    if (header && header.gasUsed > 0n) yield header;
  }
}

interface Comparison {
  readonly filter: LogFilter;
  readonly rows: RowsByBlock;
  readonly reader: ProofReader;
  readonly findings: Findings;
  readonly work: SlicedWork;
}

/** Compares the rows of a block with its receipts. */
function createBlockComparison({ filter, rows, reader, findings, work }: Comparison) {
  const buildBloom = createBloomBuilder();
  const matches = createLogTest(filter);

  return async (header: ProvenHeader): Promise<void> => {
    const block = String(header.number);
    const present = rows.get(header.number);
    const [receipts, transactions] = await Promise.all([
      reader.fetchReceipts(header),
      present.length > 0 ? reader.fetchTransactions(header) : undefined,
    ]);
    if (!receipts)
      return findings.addMissing(
        createMessage('The endpoint returns no receipts of block {0}.', foreign(block)),
      );
    const encoded = await encodeReceipts(receipts, buildBloom, work);
    if (encoded?.root !== header.receiptsRoot)
      return findings.addOtherRoot('receipts', header.number, receipts);
    findings.addRoot('receipts', receipts);
    if (!isEqual(encoded.bloom, parseBloom(header.logsBloom))) {
      const template =
        'The bloom in the header of block {0} is not that of its logs. The blooms of this chain cannot rule out blocks.';
      return findings.addMissing(createMessage(template, foreign(block)));
    }
    const logs = encoded.logs.filter(matches);
    const difference = describeDifference(header, logs, present, undefined);
    if (difference) return findings.addDifference(header.number, difference);
    if (logs.length === 0) return;
    if (!transactions)
      return findings.addMissing(
        createMessage('The endpoint returns no transactions of block {0}.', foreign(block)),
      );
    const signed = await encodeTransactions(transactions, work);
    if (signed?.root !== header.transactionsRoot)
      return findings.addOtherRoot('transactions', header.number, transactions);
    findings.addRoot('transactions', transactions);
    findings.addDifference(header.number, describeDifference(header, logs, present, signed.hashes));
  };
}

function describeOtherRoot(of: RootedList, block: string, wire: readonly unknown[]): Message {
  const types = listUnknownTypes(wire).join(', ');
  if (of === 'receipts')
    return types === ''
      ? createMessage(
          'The receipts of block {0} do not have the root in its header. The endpoint altered them, or the chain encodes them in another way.',
          foreign(block),
        )
      : createMessage(
          'The receipts of block {0} do not have the root in its header. The chain may encode those of type {1} in another way.',
          foreign(block),
          foreign(types),
        );
  return types === ''
    ? createMessage(
        'The transactions of block {0} do not have the root in its header. The endpoint altered them, or the chain encodes them in another way.',
        foreign(block),
      )
    : createMessage(
        'The transactions of block {0} do not have the root in its header. Chainside may not know the fields of type {1}.',
        foreign(block),
        foreign(types),
      );
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((byte, at) => byte === b[at]);
}
