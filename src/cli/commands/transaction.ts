import {
  AppError,
  badInput,
  type ContractIndex,
  createTimeSlices,
  explainTransaction,
  findKnownHash,
  findRevertCause,
  findRevertPlaces,
  formatIsoTime,
  type HashResult,
  type Hex,
  type HttpDeps,
  MAX_SOURCE_CHARS,
  meaningToJson,
  parseHexData,
  providerToJson,
  systemClock,
  transactionToJson,
} from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import { openEndpointProvider } from '../endpoint.ts';
import type { LogDecoding } from '../logDecoding.ts';
import { printLines } from '../output.ts';
import { createDiskFiles } from '../projectFolder.ts';

interface TransactionOptions {
  /** 0 for a chain that is not known. */
  readonly chainId: number;
  readonly signal: AbortSignal;
  /** What the projects of the folder know. */
  readonly index: ContractIndex | undefined;
  readonly decoding: LogDecoding;
}

/**
 * Prints a transaction as one object: facts, decoded call and logs, movements, and of a failed one why. Of a hash that
 * is no transaction, what it is.
 *
 * @throws AppError `badInput` for what is no hash, and as a `TransactionProvider` does.
 */
export async function printTransaction(
  http: HttpDeps,
  line: CommandLine,
  asking: TransactionOptions,
): Promise<void> {
  const hash = parseHexData(line.subject?.trim(), 32);
  if (hash === undefined) throw badInput('hash', 'Give the hash of a transaction: 0x and 64 hex digits.');
  const { signal, chainId, index, decoding } = asking;
  const { lookup } = decoding;
  const source = await openEndpointProvider(http, 'transactions', { chainId, signal, rpcUrl: line.rpcUrl });
  if (!source) {
    throw new AppError('notServed', 'The endpoint has no methods for transactions, and is no explorer.');
  }
  const answer = await source.lookUpHash(hash, { signal });
  if (answer.kind !== 'transaction') {
    await printLines([hashToJson(hash, answer, findKnownHash(hash, lookup))]);
    return;
  }
  const slices = createTimeSlices(systemClock);
  const explained = await explainTransaction(answer.transaction, {
    lookup,
    chainId,
    slices,
    signal,
    decoding,
  });
  const { failure, to } = answer.transaction;
  const words = failure?.state === 'told' ? failure.words : undefined;
  const cause = findRevertCause(explained.revert, words);
  const read = createSourceReader(line.projectFolder ?? '');
  const at = { address: to, chainId };
  const places =
    cause && index ? await findRevertPlaces(cause, { index, at, read, slices, signal }) : undefined;
  await printLines([
    { kind: 'transaction', ...transactionToJson(explained, places), source: providerToJson(answer) },
  ]);
}

function hashToJson(
  hash: Hex,
  answer: Exclude<HashResult, { kind: 'transaction' }>,
  { events, constant }: ReturnType<typeof findKnownHash>,
) {
  const block =
    answer.kind === 'block'
      ? { block: answer.block.toString(), time: formatIsoTime(answer.time) ?? null }
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
    source: providerToJson(answer),
  };
}

function createSourceReader(folder: string): (file: string) => Promise<string | undefined> {
  const files = createDiskFiles(folder);
  return async (file) => {
    const bytes = await files.read(file, MAX_SOURCE_CHARS);
    return bytes && new TextDecoder().decode(bytes);
  };
}
