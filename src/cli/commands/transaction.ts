import {
  type Address,
  AppError,
  badInput,
  type ChainClient,
  type ContractIndex,
  createNameBook,
  createTimeSlices,
  englishMessage,
  explainTransaction,
  fetchTransactionUnits,
  findCoin,
  findKnownHash,
  findRevertCause,
  findRevertPlaces,
  formatIsoTime,
  formatMessage,
  type HashResult,
  type Hex,
  meaningToJson,
  parseHexData,
  providerToJson,
  type SimulationPoint,
  simulateTransaction,
  simulationToJson,
  summarizeTransaction,
  systemClock,
  type TraceReader,
  traceTransaction,
  transactionToJson,
  transactionTraceToJson,
} from '../../core/index.ts';
import { type CommandLine, NO_CHAIN_ID } from '../commandLine.ts';
import type { CliContext } from '../context.ts';
import { openEndpointProvider } from '../endpoint.ts';
import type { LogDecoding } from '../logDecoding.ts';
import { createDiskFiles, createSourceReader } from '../projectFolder.ts';
import { readStandardInput } from '../standardInput.ts';

/**
 * Prints each transaction as one line: facts, decoded call and logs, transfers, and why it failed. For any other hash,
 * prints what it is. The hashes are the subject, or, if that is `-`, the lines of standard input.
 *
 * @returns whether anything has each hash.
 * @throws AppError `badInput` if it is not a hash; otherwise as a `TransactionProvider` does.
 */
export async function printTransaction(
  line: CommandLine,
  decodingContext: DecodingContext,
  context: CliContext,
): Promise<boolean> {
  const hashes = await readHashes(line.subject, context);
  const { lookUp, print } = await openTransactions(line, decodingContext, context);
  let areAllFound = true;
  for await (const [hash, result] of lookUp(hashes)) {
    const isFound = await print(hash, result);
    areAllFound &&= isFound;
  }
  return areAllFound;
}

export interface TransactionPrinter {
  /** Looks up hashes, a few in the same requests. @throws AppError as a `TransactionProvider` does. */
  lookUp(hashes: readonly Hex[]): AsyncGenerator<readonly [Hex, HashResult]>;
  /** Prints one as one line. @returns whether anything has the hash. */
  print(hash: Hex, result: HashResult): Promise<boolean>;
}

/** Hashes that are looked up in the same requests. */
export const LOOKUPS_AT_ONCE = 10;

/** @throws AppError `badInput` for `block`; `notServed`. */
export async function openTransactions(
  line: CommandLine,
  decodingContext: DecodingContext,
  context: CliContext,
): Promise<TransactionPrinter> {
  const { http, signal } = context;
  const { chainId } = decodingContext;
  const point = parseSimulationPoint(line.block);
  const provider = await openEndpointProvider(http, 'transactions', { chainId, signal, rpcUrl: line.rpcUrl });
  if (!provider) {
    throw new AppError('notServed', 'The endpoint has no transaction methods and is not an explorer.');
  }
  return {
    async *lookUp(hashes) {
      for (let at = 0; at < hashes.length; at += LOOKUPS_AT_ONCE) {
        const some = hashes.slice(at, at + LOOKUPS_AT_ONCE);
        const results = some.map((hash) => provider.lookUpHash(hash, { signal }));
        // The first that fails ends the command, with those before it printed.
        for (const result of results) result.catch(() => undefined);
        for (const [place, hash] of some.entries())
          yield [hash, (await results[place]) as HashResult] as const;
      }
    },
    print: (hash, result) => printHash(hash, result, { line, point, decodingContext, context }),
  };
}

/** @throws AppError `badInput` if one is not a hash; nothing is requested then. */
async function readHashes(subject: string | undefined, context: CliContext): Promise<readonly Hex[]> {
  const isList = subject?.trim() === '-';
  const text = isList ? await readStandardInput({ ...context, maxChars: MAX_INPUT_CHARS }) : (subject ?? '');
  const lines = isList
    ? text.split('\n').map((line) => (line.split(COMMENT, 1)[0] ?? '').trim())
    : [text.trim()];
  const given = isList ? lines.filter((line) => line !== '') : lines;
  if (given.length === 0) throw badInput('hash', 'Standard input has no hash. Enter one per line.');
  if (given.length > MAX_HASHES)
    throw badInput(
      'hash',
      `Standard input has more than ${MAX_HASHES} hashes. Run the command for parts of them.`,
    );
  return given.map((line) => {
    const hash = parseHexData(line, 32);
    if (hash !== undefined) return hash;
    const place = isList ? `Line ${lines.indexOf(line) + 1}` : 'This';
    throw badInput('hash', englishMessage`${place} is not a transaction hash. Enter 0x and 64 hex digits.`);
  });
}

/** What follows is a note: people write in such lists what a transaction is. */
const COMMENT = /#|\/\//;
const MAX_HASHES = 10_000;
/** Of as many hashes, with room for white space and notes. */
const MAX_INPUT_CHARS = 100 * MAX_HASHES;

async function printHash(
  hash: Hex,
  result: HashResult,
  {
    line,
    point,
    decodingContext: { client, chainId, index, decoding },
    context: { output, signal },
  }: {
    readonly line: CommandLine;
    readonly point: SimulationPoint;
    readonly decodingContext: DecodingContext;
    readonly context: CliContext;
  },
): Promise<boolean> {
  const { lookup } = decoding;
  if (result.kind !== 'transaction') {
    const json = hashToJson(hash, result, findKnownHash(hash, lookup));
    await output.printLines([json]);
    return json.kind !== 'unknown';
  }
  const slices = createTimeSlices(systemClock);
  const explained = await explainTransaction(result.transaction, {
    lookup,
    chainId,
    slices,
    signal,
    decoding,
    fetchTransferStandard: decoding.fetchTransferStandard,
    fetchImplementations: client.fetchImplementations,
    getCode: client.getCode,
  });
  const { transaction } = result;
  const { failure, to } = transaction;
  const revertMessage = failure?.state === 'told' ? failure.message : undefined;
  const cause = findRevertCause(explained.revert, revertMessage);
  const readSource = createSourceReader(line.projectFolder ?? '');
  const at = { addresses: [...explained.implementations, ...(to ? [to] : [])], chainId };
  const places =
    cause && index
      ? await findRevertPlaces(cause, { index, at, read: readSource, slices, signal })
      : undefined;
  const traceOptions = {
    ...{ client, index, chainId, slices, signal },
    files: line.projectFolder === undefined ? undefined : createDiskFiles(line.projectFolder),
    ...{ lookup, decoder: decoding },
    ...{ prefetchAbis: decoding.prefetchAbis, prefetchSelectors: decoding.prefetchSelectors },
  };
  const trace = line.trace ? await traceTransaction(transaction, traceOptions) : undefined;
  const units = await fetchTransactionUnits(explained, { client, chainId, index }, { signal });
  const nameBook = createNameBook({ index, names: [] }, chainId === NO_CHAIN_ID ? undefined : chainId);
  const names = {
    nameOf: (address: Address) => nameBook.findNames(address)[0],
    unitsOf: (token: string) => units.get(token),
    coin: findCoin({ symbol: line.coinSymbol, decimals: line.coinDecimals }, chainId),
  };
  const summary = formatMessage(summarizeTransaction(explained, names, trace));
  const simulation = line.simulate ? await simulateTransaction(transaction, point, traceOptions) : undefined;
  await output.printLines([
    {
      ...{ kind: 'transaction', ...transactionToJson(explained, { summary, places }) },
      ...(trace && transactionTraceToJson(trace)),
      ...(simulation && { simulation: simulationToJson(simulation) }),
      source: providerToJson(result),
    },
  ]);
  return true;
}

function parseSimulationPoint(block: string | undefined): SimulationPoint {
  if (block === undefined) return 'own';
  if (block === 'latest') return 'latest';
  if (!/^\d{1,18}$/.test(block))
    throw badInput(
      'block',
      'Enter the number of a block, or latest. Without --block it is the block before its own.',
    );
  return BigInt(block);
}

export interface DecodingContext {
  readonly client: TraceReader &
    Pick<
      ChainClient,
      'fetchImplementations' | 'fetchTokenUnits' | 'getBlockNumber' | 'getCode' | 'openFailedTransactions'
    >;
  /** 0 if unknown. */
  readonly chainId: number;
  readonly index: ContractIndex | undefined;
  readonly decoding: LogDecoding;
}

function hashToJson(
  hash: Hex,
  result: Exclude<HashResult, { kind: 'transaction' }>,
  { events, constant }: ReturnType<typeof findKnownHash>,
) {
  const block =
    result.kind === 'block'
      ? { block: result.block.toString(), time: formatIsoTime(result.time) ?? null }
      : null;
  const kind = block
    ? 'block'
    : events.length > 0
      ? 'event'
      : constant === undefined
        ? 'unknown'
        : 'constant';
  return {
    kind,
    hash,
    ...block,
    ...(events.length > 0 && { meanings: events.map(meaningToJson) }),
    ...(constant === undefined ? {} : { constant }),
    source: providerToJson(result),
  };
}
