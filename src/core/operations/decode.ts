import { parseAttribution } from '../abi/callSuffix.ts';
import { describeNoMeaning, explainHex } from '../abi/explainHex.ts';
import { preferCode } from '../abi/lookup.ts';
import type { Abortable } from '../base/concurrency.ts';
import { AppError, badInput, isAppError } from '../base/errors.ts';
import { decimal, ownText, ownWord } from '../base/ownText.ts';
import { getProviderId } from '../base/provenance.ts';
import { formatMessage } from '../base/text.ts';
import { createTimeSlices, type TimeSlices } from '../base/timeSlices.ts';
import { type Address, parseHexData } from '../eth/hex.ts';
import { type TransactionTrace, traceTransaction } from '../traces/traceTransaction.ts';
import {
  type ExplainedTransaction,
  explainTransaction,
  findKnownHash,
  getNetAmount,
  type UnclearTransfer,
} from '../transactions/explainTransaction.ts';
import { findRevertCause, findRevertPlaces, type RevertPlace } from '../transactions/revertPlaces.ts';
import { summarizeTransaction } from '../transactions/summary.ts';
import { fetchTransactionUnits, findCoin, type SummaryNames } from '../transactions/summaryText.ts';
import type { HashResult } from '../transactions/transaction.ts';
import { errorText, messageText, timeText, untrustedText } from './agentText.ts';
import type { OperationDeps, OperationKnowledge, OperationOptions } from './operation.ts';
import { createNameBook, resolveAddress } from './resolveEvents.ts';
import {
  attributionToAgentJson,
  bytesToJson,
  countSentBytes,
  type Finding,
  type JsonObject,
  MAX_RESULT_BYTES,
  meaningToAgentJson,
  type OperationResult,
  toCompletion,
  toOperationResult,
  untrustedEvent,
} from './result.ts';
import { failedAtToAgentJson, haltToAgentJson, traceToAgentJson } from './traceResult.ts';

/** Explains a transaction. @throws AppError `badInput` for `hash`; otherwise as a provider does. */
export async function getTransaction(
  { hash: input, trace: isTraced = false }: { readonly hash: string; readonly trace?: boolean | undefined },
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const hash = parseHexData(input, 32);
  if (hash === undefined)
    throw badInput('hash', 'This is not a transaction hash. Enter 0x and 64 hex digits.');
  const [chainId, knowledge, provider] = await Promise.all([
    deps.chainId(options),
    deps.knowledge(options),
    deps.provider('transactions', options),
  ]);
  if (!provider)
    throw new AppError('notServed', 'The endpoint has no transaction methods and is not an explorer.');
  const { signal } = options;
  const result = await provider.lookUpHash(hash, { signal });
  if (result.kind !== 'transaction')
    return toOperationResult(deps, chainId, toOtherFinding(hash, result, knowledge));
  const context = { chainId: chainId ?? 0, signal, slices: createTimeSlices(deps.clock) };
  const explained = await explainTransaction(result.transaction, {
    ...context,
    lookup: knowledge.lookup,
    decoding: knowledge,
    fetchTransferStandard: deps.client.fetchTransferStandard,
    fetchImplementations: deps.client.fetchImplementations,
    getCode: deps.client.getCode,
  });
  const places = await findPlaces(explained, knowledge, context);
  const units = await fetchTransactionUnits(
    explained,
    { client: deps.client, chainId: chainId ?? 0, index: knowledge.index },
    { signal },
  );
  const nameBook = createNameBook(knowledge, chainId);
  const names: SummaryNames = {
    nameOf: (address) => nameBook.findNames(address)[0],
    unitsOf: (token) => units.get(token),
    coin: findCoin(deps.network, chainId),
  };
  const toFinding = (trace?: TransactionTrace) => {
    const summary = formatMessage(summarizeTransaction(explained, names, trace));
    return toTransactionFinding(explained, result, { summary, places });
  };
  if (!isTraced) return toOperationResult(deps, chainId, toFinding());
  const trace = await traceTransaction(result.transaction, {
    ...context,
    ...{ client: deps.client, lookup: knowledge.lookup, decoder: knowledge },
    ...{ index: knowledge.index, files: knowledge.files },
    ...{ prefetchAbis: knowledge.prefetchAbis, prefetchSelectors: knowledge.prefetchSelectors },
  });
  return toOperationResult(deps, chainId, addTrace(toFinding(trace), trace));
}

/** Adds the trace in what is left of a result. Its calls have logs and lines, so that others are left out first. */
function addTrace({ complete, reasons, found }: Finding, trace: TransactionTrace): Finding {
  if (trace.state === 'notOffered')
    return {
      ...toCompletion(complete, [...reasons, messageText(trace.reason)]),
      found: { ...found, trace: null },
    };
  const { failedAt } = trace;
  const short: JsonObject = {
    ...found,
    ...(Array.isArray(found.logs) &&
      found.logs.length > MAX_TRACED_LOGS && { logs: found.logs.slice(0, MAX_TRACED_LOGS), truncated: true }),
    ...(failedAt && { failedAt: failedAtToAgentJson(failedAt) }),
  };
  const left = (MAX_RESULT_BYTES - RESERVED_BYTES - countSentBytes(short)) / SENT_BYTES_PER_CHAR;
  return {
    ...toCompletion(complete, [
      ...reasons,
      ...[...(trace.cutReason ? [trace.cutReason] : []), ...(trace.reasons ?? [])].map(messageText),
    ]),
    found: { ...short, trace: traceToAgentJson(trace, Math.max(left, MIN_TRACE_CHARS)) },
  };
}

const MAX_TRACED_LOGS = 5;
/** Of the network, the source and the reasons. */
const RESERVED_BYTES = 1_500;
/** A result is sent twice, the second time with its quotes escaped. */
const SENT_BYTES_PER_CHAR = 2.3;
const MIN_TRACE_CHARS = 1_000;

/** The lines of the project that may have reverted. */
async function findPlaces(
  { transaction, implementations, revert }: ExplainedTransaction,
  { index, readSource }: OperationKnowledge,
  { chainId, ...rest }: Abortable & { readonly chainId: number; readonly slices: TimeSlices },
): Promise<readonly RevertPlace[]> {
  const { failure, to } = transaction;
  const cause = findRevertCause(revert, failure?.state === 'told' ? failure.message : undefined);
  if (!cause || !index || !readSource) return [];
  return findRevertPlaces(cause, {
    index,
    at: { addresses: [...implementations, ...(to ? [to] : [])], chainId },
    read: readSource,
    ...rest,
  });
}

/** Finds the possible meanings of hex. @throws AppError `badInput` for `hex` and `address`. */
export async function decodeData(
  input: { readonly hex: string; readonly address?: string | undefined },
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const hex = parseHexData(input.hex);
  if (hex === undefined)
    throw badInput('hex', 'This is not hex data. Enter 0x and an even number of hex digits.');
  const [chainId, knowledge] = await Promise.all([
    deps.chainId(options).catch(() => undefined),
    deps.knowledge(options),
  ]);
  const address =
    input.address === undefined
      ? undefined
      : resolveAddress(input.address, createNameBook(knowledge, chainId), 'address');
  const code = address ? [...(await fetchCode(address, deps, options)), address] : [];
  await knowledge.prefetchAbis(code);
  const location = address && chainId !== undefined ? { address, chainId } : undefined;
  const meanings = explainHex(hex, { lookup: preferCode(knowledge.lookup, code), at: location });
  const attribution = meanings.length === 0 ? parseAttribution(hex) : undefined;
  return toOperationResult(deps, chainId, {
    ...toCompletion(true, [
      ...(meanings.length === 0 ? [messageText(describeNoMeaning(hex))] : []),
      ...(meanings.length > 1
        ? [ownText`Several meanings match. The first is the most trusted, but none is certain.`]
        : []),
    ]),
    found: {
      candidates: meanings.slice(0, MAX_CANDIDATES).map((meaning) => meaningToAgentJson(meaning)),
      ...(attribution && { erc8021: attributionToAgentJson(attribution) }),
      ...(meanings.length > MAX_CANDIDATES && {
        moreCandidates: meanings.length - MAX_CANDIDATES,
        truncated: true,
      }),
      ambiguous: meanings.length > 1,
    },
  });
}

/** What an address runs as a proxy; none if the endpoint does not say. */
async function fetchCode(
  address: Address,
  { client }: OperationDeps,
  options: OperationOptions,
): Promise<readonly Address[]> {
  try {
    return await client.fetchImplementations(address, await client.getBlockNumber(options), options);
  } catch (error) {
    if (!isAppError(error) || isAppError(error, 'aborted')) throw error;
    return [];
  }
}

/** The best first. */
const MAX_CANDIDATES = 5;

/** Both readings of a transfer whose contract does not tell the standard. */
function unclearTransferToResult({ token, from, to, value }: UnclearTransfer): JsonObject {
  const readings = [
    { standard: ownWord('erc20'), amount: decimal(value) },
    { standard: ownWord('erc721'), tokenId: decimal(value) },
  ];
  return { token, from, to, readings };
}

function toTransactionFinding(
  explained: ExplainedTransaction,
  result: HashResult,
  { summary, places }: { readonly summary: string; readonly places: readonly RevertPlace[] },
): Finding {
  const { transaction, call, attribution, logs, movements, revert } = explained;
  const { failure, fee } = transaction;
  const { unclear = [] } = movements;
  const provider = getProviderId(result.source);
  const allLogs = transaction.logs ?? [];
  const isCut =
    transaction.isCut ||
    movements.isCut ||
    allLogs.length > MAX_LOGS ||
    movements.list.length > MAX_MOVEMENTS ||
    unclear.length > MAX_MOVEMENTS;
  const reasons = [
    ...(transaction.logs === undefined ? [ownText`The logs of this transaction are unknown.`] : []),
    ...(transaction.isCut ? [ownText`The provider returned only some of the logs.`] : []),
    ...(unclear.length > 0
      ? [
          ownText`Some transfers are listed as unclear: their contract does not report whether the number is an amount or a token ID.`,
        ]
      : []),
    ...(allLogs.length > MAX_LOGS
      ? [
          ownText`Only ${MAX_LOGS} of ${allLogs.length} logs are listed. For the rest, call query_events for this block.`,
        ]
      : []),
  ];
  const isUnknown = unclear.length > 0 || (transaction.logs === undefined && transaction.block !== undefined);
  const complete = isUnknown ? 'unknown' : !isCut;
  return {
    ...toCompletion(complete, reasons),
    found: {
      kind: ownWord('transaction'),
      summary: untrustedText(summary, MAX_SUMMARY_CHARS),
      hash: transaction.hash,
      status: ownWord(transaction.status),
      block: toDecimal(transaction.block),
      time: timeText(transaction.time) ?? null,
      from: transaction.from,
      to: transaction.to ?? null,
      ...(transaction.created && { created: transaction.created }),
      valueWei: decimal(transaction.value),
      feeWei: fee?.token === undefined ? toDecimal(fee?.total) : null,
      ...(fee?.token !== undefined && {
        feeInToken: { token: fee.token === 'unknown' ? null : fee.token, amount: toDecimal(fee.total) },
      }),
      gasUsed: toDecimal(transaction.gasUsed),
      call: call[0] ? meaningToAgentJson(call[0]) : null,
      ...(attribution && { erc8021: attributionToAgentJson(attribution) }),
      ...(call[0] === undefined && transaction.input !== '0x' && { input: bytesToJson(transaction.input) }),
      logs: allLogs.slice(0, MAX_LOGS).map(({ address, logIndex }, place) => {
        const decoded = logs[place];
        return { logIndex, address, ...(decoded && untrustedEvent(decoded)) };
      }),
      ...(isCut && { truncated: true }),
      movements: movements.list.slice(0, MAX_MOVEMENTS).map((movement) => ({
        token: movement.token ?? ownWord('native'),
        ...(movement.tokenId !== undefined && { tokenId: decimal(movement.tokenId) }),
        ...(movement.lastTokenId !== undefined && { lastTokenId: decimal(movement.lastTokenId) }),
        address: movement.address,
        net: decimal(getNetAmount(movement)),
      })),
      ...(unclear.length > 0 && {
        unclearTransfers: unclear.slice(0, MAX_MOVEMENTS).map(unclearTransferToResult),
      }),
      failure: failure ? failureToJson(failure, revert, places) : null,
      toldBy: provider === undefined ? null : ownWord(provider),
    },
  };
}

const toDecimal = (value: bigint | undefined) => (value === undefined ? null : decimal(value));

/** As long as the command line prints it, for usual names. */
const MAX_SUMMARY_CHARS = 400;
const MAX_LOGS = 15;
const MAX_MOVEMENTS = 20;

function failureToJson(
  failure: NonNullable<ExplainedTransaction['transaction']['failure']>,
  [meaning]: ExplainedTransaction['revert'],
  places: readonly RevertPlace[],
): JsonObject {
  if (failure.state === 'refused')
    return { state: ownWord(failure.state), words: untrustedText(failure.message) };
  if (failure.state !== 'told') return { state: ownWord(failure.state) };
  return {
    state: ownWord(failure.state),
    by: ownWord(failure.by),
    ...(failure.message && { words: untrustedText(failure.message), ...haltToAgentJson(failure.message) }),
    meaning: meaning ? meaningToAgentJson(meaning) : null,
    ...(meaning === undefined && failure.data !== undefined && { data: bytesToJson(failure.data) }),
    ...(failure.isCut && { truncated: true }),
    ...(places.length > 0 && {
      candidates: places.map(({ file, line }) => ({ file: untrustedText(file), line })),
    }),
  };
}

function toOtherFinding(
  hash: Parameters<typeof findKnownHash>[0],
  result: Exclude<HashResult, { kind: 'transaction' }>,
  { lookup }: OperationKnowledge,
): Finding {
  if (result.kind === 'block') {
    const found = {
      kind: ownWord('block'),
      hash,
      block: decimal(result.block),
      time: timeText(result.time) ?? null,
      note: ownText`This is the hash of a block, not of a transaction.`,
    };
    return { ...toCompletion(true), found };
  }
  const { events, constant } = findKnownHash(hash, lookup);
  const isKnown = events.length > 0 || constant !== undefined;
  return {
    ...toCompletion(
      true,
      isKnown
        ? []
        : [
            ownText`The endpoint has no transaction or block with this hash. It may be on another chain, or not yet propagated.`,
          ],
    ),
    found: {
      ...(isKnown && { note: ownText`This is not the hash of a transaction. See meanings or constant.` }),
      kind: ownWord(events.length > 0 ? 'event' : isKnown ? 'constant' : 'unknown'),
      hash,
      ...(events.length > 0 && {
        meanings: events.slice(0, MAX_CANDIDATES).map((meaning) => meaningToAgentJson(meaning)),
        ...(events.length > MAX_CANDIDATES && { truncated: true }),
      }),
      ...(constant !== undefined && { constant: errorText(constant) }),
    },
  };
}
