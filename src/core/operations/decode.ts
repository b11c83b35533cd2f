import { explainHex, formatNoMeaning } from '../abi/explainHex.ts';
import { AppError, badInput } from '../base/errors.ts';
import { getProviderId } from '../base/provenance.ts';
import { sanitizeText } from '../base/text.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import { parseHexData } from '../eth/hex.ts';
import { formatIsoTime } from '../eth/time.ts';
import {
  type ExplainedTransaction,
  explainTransaction,
  findKnownHash,
  getNetAmount,
} from '../transactions/explainTransaction.ts';
import type { HashResult } from '../transactions/transaction.ts';
import { unclearTransferToJson } from '../transactions/transactionJson.ts';
import type { OperationDeps, OperationKnowledge, OperationOptions } from './operation.ts';
import { createNameBook, resolveAddress } from './resolveEvents.ts';
import {
  bytesToJson,
  type Finding,
  type JsonObject,
  meaningToAgentJson,
  type OperationResult,
  toOperationResult,
  untrustedEvent,
  untrustedText,
} from './result.ts';

/** Explains a transaction. @throws AppError `badInput` for `hash`; otherwise as a provider does. */
export async function getTransaction(
  { hash: input }: { readonly hash: string },
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const hash = parseHexData(input, 32);
  if (hash === undefined)
    throw badInput('hash', 'This is not a transaction hash. Write 0x and 64 hex digits.');
  const [chainId, knowledge, provider] = await Promise.all([
    deps.chainId(options),
    deps.knowledge(options),
    deps.provider('transactions', options),
  ]);
  if (!provider)
    throw new AppError('notServed', 'The endpoint has no transaction methods and is not an explorer.');
  const { signal } = options;
  const result = await provider.lookUpHash(hash, { signal });
  const finding =
    result.kind === 'transaction'
      ? toTransactionFinding(
          await explainTransaction(result.transaction, {
            lookup: knowledge.lookup,
            chainId: chainId ?? 0,
            decoding: knowledge,
            fetchTransferStandard: deps.client.fetchTransferStandard,
            signal,
            slices: createTimeSlices(deps.clock),
          }),
          result,
        )
      : toOtherFinding(hash, result, knowledge);
  return toOperationResult(deps, chainId, finding);
}

/** Finds the possible meanings of hex. @throws AppError `badInput` for `hex` and `address`. */
export async function decodeData(
  input: { readonly hex: string; readonly address?: string | undefined },
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const hex = parseHexData(input.hex);
  if (hex === undefined)
    throw badInput('hex', 'This is not hex data. Write 0x and an even number of hex digits.');
  const [chainId, knowledge] = await Promise.all([
    deps.chainId(options).catch(() => undefined),
    deps.knowledge(options),
  ]);
  const address =
    input.address === undefined
      ? undefined
      : resolveAddress(input.address, createNameBook(knowledge, chainId), 'address');
  if (address) await knowledge.prefetchAbis([address]);
  const location = address && chainId !== undefined ? { address, chainId } : undefined;
  const meanings = explainHex(hex, { lookup: knowledge.lookup, at: location });
  return toOperationResult(deps, chainId, {
    complete: meanings.length > 0 ? true : 'unknown',
    reasons: [
      ...(meanings.length === 0 ? [formatNoMeaning(hex)] : []),
      ...(meanings.length > 1
        ? ['Several meanings match. The first is the most trusted, but none is certain.']
        : []),
    ],
    found: {
      candidates: meanings.slice(0, MAX_CANDIDATES).map((meaning) => meaningToAgentJson(meaning)),
      ...(meanings.length > MAX_CANDIDATES && { moreCandidates: meanings.length - MAX_CANDIDATES }),
      ambiguous: meanings.length > 1,
    },
  });
}

/** The best first. */
const MAX_CANDIDATES = 5;

function toTransactionFinding(explained: ExplainedTransaction, result: HashResult): Finding {
  const { transaction, call, logs, movements, revert } = explained;
  const { failure, fee } = transaction;
  const { unclear = [] } = movements;
  const allLogs = transaction.logs ?? [];
  const isCut =
    transaction.isCut ||
    movements.isCut ||
    allLogs.length > MAX_LOGS ||
    movements.list.length > MAX_MOVEMENTS ||
    unclear.length > MAX_MOVEMENTS;
  const reasons = [
    ...(transaction.logs === undefined ? ['The logs of this transaction are unknown.'] : []),
    ...(transaction.isCut ? ['The provider returned only some of the logs.'] : []),
    ...(unclear.length > 0
      ? [
          'Some transfers are listed as unclear: their contract does not tell whether the number is an amount or a token ID.',
        ]
      : []),
    ...(allLogs.length > MAX_LOGS
      ? [
          `Only ${MAX_LOGS} of ${allLogs.length} logs are listed. For the rest, call query_events for this block.`,
        ]
      : []),
  ];
  const isUnknown = unclear.length > 0 || (transaction.logs === undefined && transaction.block !== undefined);
  const complete = isUnknown ? 'unknown' : !isCut;
  return {
    complete,
    reasons,
    found: {
      kind: 'transaction',
      hash: transaction.hash,
      status: transaction.status,
      block: transaction.block?.toString() ?? null,
      time: formatIsoTime(transaction.time) ?? null,
      from: transaction.from,
      to: transaction.to ?? null,
      ...(transaction.created && { created: transaction.created }),
      valueWei: transaction.value.toString(),
      feeWei: fee?.total?.toString() ?? null,
      gasUsed: transaction.gasUsed?.toString() ?? null,
      call: call[0] ? meaningToAgentJson(call[0]) : null,
      ...(call[0] === undefined && transaction.input !== '0x' && { input: bytesToJson(transaction.input) }),
      logs: allLogs.slice(0, MAX_LOGS).map(({ address, logIndex }, place) => {
        const decoded = logs[place];
        return { logIndex, address, ...(decoded && untrustedEvent(decoded)) };
      }),
      ...(isCut && { truncated: true }),
      movements: movements.list.slice(0, MAX_MOVEMENTS).map((movement) => ({
        token: movement.token ?? 'native',
        ...(movement.tokenId !== undefined && { tokenId: movement.tokenId.toString() }),
        ...(movement.lastTokenId !== undefined && { lastTokenId: movement.lastTokenId.toString() }),
        address: movement.address,
        net: getNetAmount(movement).toString(),
      })),
      ...(unclear.length > 0 && {
        unclearTransfers: unclear.slice(0, MAX_MOVEMENTS).map(unclearTransferToJson),
      }),
      failure: failure ? failureToJson(failure, revert) : null,
      toldBy: getProviderId(result.source) ?? null,
    },
  };
}

const MAX_LOGS = 15;
const MAX_MOVEMENTS = 20;

function failureToJson(
  failure: NonNullable<ExplainedTransaction['transaction']['failure']>,
  [meaning]: ExplainedTransaction['revert'],
): JsonObject {
  if (failure.state === 'refused') return { state: failure.state, words: untrustedText(failure.message) };
  if (failure.state !== 'told') return { state: failure.state };
  return {
    state: failure.state,
    by: failure.by,
    ...(failure.message && { words: untrustedText(failure.message) }),
    meaning: meaning ? meaningToAgentJson(meaning) : null,
    ...(meaning === undefined && failure.data !== undefined && { data: bytesToJson(failure.data) }),
  };
}

function toOtherFinding(
  hash: Parameters<typeof findKnownHash>[0],
  result: Exclude<HashResult, { kind: 'transaction' }>,
  { lookup }: OperationKnowledge,
): Finding {
  if (result.kind === 'block') {
    const found = {
      kind: 'block',
      hash,
      block: result.block.toString(),
      time: formatIsoTime(result.time) ?? null,
    };
    return { complete: true, reasons: ['This is the hash of a block, not of a transaction.'], found };
  }
  const { events, constant } = findKnownHash(hash, lookup);
  const isKnown = events.length > 0 || constant !== undefined;
  return {
    complete: isKnown ? true : 'unknown',
    reasons: [
      isKnown
        ? 'This is not the hash of a transaction. See meanings or constant.'
        : 'The endpoint has no transaction or block with this hash. It may be on another chain, or not yet propagated.',
    ],
    found: {
      kind: events.length > 0 ? 'event' : isKnown ? 'constant' : 'unknown',
      hash,
      ...(events.length > 0 && {
        meanings: events.slice(0, 5).map((meaning) => meaningToAgentJson(meaning)),
      }),
      ...(constant !== undefined && { constant: sanitizeText(constant, 200) }),
    },
  };
}
