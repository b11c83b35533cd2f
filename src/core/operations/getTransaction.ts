import { AppError, badInput } from '../base/errors.ts';
import { sourceWord } from '../base/source.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import { isoTime } from '../times/timeText.ts';
import { type ExplainedTransaction, explainTransaction } from '../transactions/explainTransaction.ts';
import { knownHash } from '../transactions/hashMeaning.ts';
import { netOf } from '../transactions/movements.ts';
import type { HashAnswer } from '../transactions/transaction.ts';
import { parseHexData } from '../values/hex.ts';
import { plainText } from '../values/plainText.ts';
import { answerOf, type Finding, type JsonObject, type OperationAnswer } from './kit/answer.ts';
import { chainBytes, chainEvent, chainText } from './kit/chainValues.ts';
import { meaningForAgent } from './kit/meaningForAgent.ts';
import type { OperationDeps, OperationKnowledge, OperationOptions } from './kit/operation.ts';

const MOST_LOGS = 15;
const MOST_MOVEMENTS = 20;

/** A transaction, with what its bytes mean. @throws AppError `badInput` for `hash`, and as a source does. */
export async function getTransaction(
  { hash: written }: { readonly hash: string },
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationAnswer> {
  const hash = parseHexData(written, 32);
  if (hash === undefined) throw badInput('hash', 'Give the hash of a transaction: 0x and 64 hex digits.');
  const [chainId, knowledge, source] = await Promise.all([
    deps.chainId(options),
    deps.knowledge(options),
    deps.source('transactions', options),
  ]);
  if (!source)
    throw new AppError('notServed', 'The endpoint has no methods for transactions, and is no explorer.');
  const { signal } = options;
  const answer = await source.lookUpHash(hash, { signal });
  const found =
    answer.kind === 'transaction'
      ? transactionFinding(
          await explainTransaction(answer.transaction, {
            ...{ lookup: knowledge.lookup, chainId: chainId ?? 0, decoding: knowledge, signal },
            slices: createTimeSlices(deps.clock),
          }),
          answer,
        )
      : otherFinding(hash, answer, knowledge);
  return answerOf(deps, chainId, found);
}

function transactionFinding(explained: ExplainedTransaction, answer: HashAnswer): Finding {
  const { transaction, call, logs, movements, revert } = explained;
  const { failure, fee } = transaction;
  const all = transaction.logs ?? [];
  const isCut =
    transaction.isCut || movements.isCut || all.length > MOST_LOGS || movements.list.length > MOST_MOVEMENTS;
  const reasons = [
    ...(transaction.logs === undefined ? ['nobody tells the logs of this transaction'] : []),
    ...(transaction.isCut ? ['the source gave only a part of the logs'] : []),
    ...(all.length > MOST_LOGS
      ? [`${MOST_LOGS} of ${all.length} logs are given: query_events of this block gives the rest`]
      : []),
  ];
  const complete = transaction.logs === undefined && transaction.block !== undefined ? 'unknown' : !isCut;
  return {
    complete,
    reasons,
    found: {
      ...{ kind: 'transaction', hash: transaction.hash, status: transaction.status },
      block: transaction.block?.toString() ?? null,
      time: isoTime(transaction.time) ?? null,
      from: transaction.from,
      to: transaction.to ?? null,
      ...(transaction.created && { created: transaction.created }),
      valueWei: transaction.value.toString(),
      feeWei: fee?.total?.toString() ?? null,
      gasUsed: transaction.gasUsed?.toString() ?? null,
      call: call[0] ? meaningForAgent(call[0]) : null,
      ...(call[0] === undefined && transaction.input !== '0x' && { input: chainBytes(transaction.input) }),
      logs: all.slice(0, MOST_LOGS).map(({ address, logIndex }, place) => {
        const decoded = logs[place];
        return { logIndex, address, ...(decoded && chainEvent(decoded)) };
      }),
      ...(isCut && { truncated: true }),
      movements: movements.list.slice(0, MOST_MOVEMENTS).map((movement) => ({
        token: movement.token ?? 'native',
        ...(movement.tokenId !== undefined && { tokenId: movement.tokenId.toString() }),
        ...{ address: movement.address, net: netOf(movement).toString() },
      })),
      failure: failure ? failureJson(failure, revert) : null,
      toldBy: sourceWord(answer.source) ?? null,
    },
  };
}

function failureJson(
  failure: NonNullable<ExplainedTransaction['transaction']['failure']>,
  [meaning]: ExplainedTransaction['revert'],
): JsonObject {
  if (failure.state === 'refused') return { state: failure.state, words: chainText(failure.words) };
  if (failure.state !== 'told') return { state: failure.state };
  return {
    ...{ state: failure.state, by: failure.by },
    ...(failure.words && { words: chainText(failure.words) }),
    meaning: meaning ? meaningForAgent(meaning) : null,
    ...(meaning === undefined && failure.data !== undefined && { data: chainBytes(failure.data) }),
  };
}

function otherFinding(
  hash: Parameters<typeof knownHash>[0],
  answer: Exclude<HashAnswer, { kind: 'transaction' }>,
  { lookup }: OperationKnowledge,
): Finding {
  if (answer.kind === 'block') {
    const found = { kind: 'block', hash, block: answer.block.toString(), time: isoTime(answer.time) ?? null };
    return { complete: true, reasons: ['this is the hash of a block, not of a transaction'], found };
  }
  const { events, constant } = knownHash(hash, lookup);
  const isKnown = events.length > 0 || constant !== undefined;
  return {
    complete: isKnown ? true : 'unknown',
    reasons: [
      isKnown
        ? 'this is no transaction: what it is known as stands beside it'
        : 'the endpoint knows no transaction and no block with this hash: it may be of another chain, or still on its way',
    ],
    found: {
      ...{ kind: events.length > 0 ? 'event' : isKnown ? 'constant' : 'unknown', hash },
      ...(events.length > 0 && { meanings: events.slice(0, 5).map((meaning) => meaningForAgent(meaning)) }),
      ...(constant !== undefined && { constant: plainText(constant, 200) }),
    },
  };
}
