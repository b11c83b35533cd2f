import { type MeaningJson, meaningToJson } from '../abi/hexMeaning.ts';
import { type DecodedJson, decodedLogToJson } from '../abi/logDecoder.ts';
import { getProviderId } from '../base/provenance.ts';
import { type Address, type Hex, toQuantity } from '../eth/hex.ts';
import { formatIsoTime } from '../eth/time.ts';
import { type ExplainedTransaction, getNetAmount, type Movement } from './explainTransaction.ts';
import type { RevertPlace } from './revertPlaces.ts';
import type { HashResult, Transaction, TransactionFailure, TransactionLog } from './transaction.ts';

type Integer = string | null;

interface LogLine {
  readonly address: Address;
  /** As JSON-RPC writes it. */
  readonly logIndex: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly decoded: DecodedJson | null;
}

interface MovementJson {
  readonly token: Address | null;
  readonly standard: Movement['standard'];
  readonly tokenId?: string;
  readonly address: Address;
  readonly in: string;
  readonly out: string;
  readonly net: string;
}

interface FailureJson {
  /** As `TransactionFailure` says; `null` where none was looked for. */
  readonly state: TransactionFailure['state'];
  readonly by?: 'replay' | 'explorer';
  readonly data?: Hex | null;
  readonly isCut?: true;
  readonly words?: string;
  readonly meaning?: MeaningJson | null;
  /** Lines of the projects that may have reverted. */
  readonly candidates?: readonly RevertPlace[];
}

/** A transaction as JSON: what is not known is null, integers are decimal strings, times ISO 8601. */
export interface TransactionJson {
  readonly hash: Hex;
  readonly status: Transaction['status'];
  readonly block: Integer;
  readonly position: number | null;
  readonly time: string | null;
  readonly from: Address;
  readonly to: Address | null;
  /** Empty where it failed. */
  readonly created: readonly Address[];
  readonly value: string;
  readonly fee: {
    readonly total: Integer;
    readonly execution: Integer;
    readonly l1?: string;
    readonly blobs?: string;
  } | null;
  readonly gasUsed: Integer;
  readonly gasLimit: Integer;
  readonly gasPrice: Integer;
  readonly nonce: Integer;
  readonly type: number | null;
  /** Of a transaction of type 4. */
  readonly authorizations?: number;
  readonly input: Hex;
  readonly call: MeaningJson | null;
  readonly logs: readonly LogLine[] | null;
  /** Only there where there are more logs, or more movements, than are given. */
  readonly isCut?: true;
  readonly movements: readonly MovementJson[];
  readonly failure: FailureJson | null;
}

/**
 * A transaction as JSON, with what its bytes mean.
 *
 * @param places where it may have reverted, if that was looked for.
 * @example transactionToJson(await explainTransaction(transaction, explaining)).status; // 'success'
 */
export function transactionToJson(
  { transaction, call: [call], logs, movements, revert: [meaning] }: ExplainedTransaction,
  places?: readonly RevertPlace[],
): TransactionJson {
  const { hash, status, position, from, to, created, value, fee, type, input, failure } = transaction;
  return {
    hash,
    status,
    block: integer(transaction.block),
    position: position ?? null,
    time: formatIsoTime(transaction.time) ?? null,
    from,
    to: to ?? null,
    created: created && status !== 'failed' ? [created] : [],
    value: value.toString(),
    fee: fee ? feeToJson(fee) : null,
    gasUsed: integer(transaction.gasUsed),
    gasLimit: integer(transaction.gasLimit),
    gasPrice: integer(transaction.gasPrice),
    nonce: integer(transaction.nonce),
    type: type ?? null,
    ...(transaction.authorizations === undefined ? {} : { authorizations: transaction.authorizations }),
    input,
    call: call ? meaningToJson(call) : null,
    logs:
      transaction.logs?.map((log, place) => {
        const decoded = logs[place];
        return logLine(log, decoded ? decodedLogToJson(decoded) : null);
      }) ?? null,
    ...((transaction.isCut || movements.isCut) && { isCut: true as const }),
    movements: movements.list.map(movementToJson),
    failure: failure ? failureToJson(failure, meaning ? meaningToJson(meaning) : null, places) : null,
  };
}

/**
 * Who was asked for a hash, as JSON.
 *
 * @example providerToJson(answer).name; // 'calls'
 */
export function providerToJson({ source, asked }: Pick<HashResult, 'asked' | 'source'>) {
  return { name: getProviderId(source), origin: source.origin, asked };
}

function integer(value: bigint | undefined): Integer {
  return value?.toString() ?? null;
}

function feeToJson({ total, execution, l1, blobs }: NonNullable<Transaction['fee']>) {
  return {
    total: integer(total),
    execution: integer(execution),
    ...(l1 === undefined ? {} : { l1: l1.toString() }),
    ...(blobs === undefined ? {} : { blobs: blobs.toString() }),
  };
}

function logLine({ address, logIndex, topics, data }: TransactionLog, decoded: DecodedJson | null): LogLine {
  return { address, logIndex: toQuantity(logIndex), topics, data, decoded };
}

function movementToJson(movement: Movement): MovementJson {
  const { token, standard, tokenId, address, received, sent } = movement;
  return {
    token: token ?? null,
    standard,
    ...(tokenId === undefined ? {} : { tokenId: tokenId.toString() }),
    address,
    in: received.toString(),
    out: sent.toString(),
    net: getNetAmount(movement).toString(),
  };
}

function failureToJson(
  failure: TransactionFailure,
  meaning: MeaningJson | null,
  candidates: readonly RevertPlace[] | undefined,
): FailureJson {
  const { state } = failure;
  if (state === 'refused') return { state, words: failure.words };
  if (state !== 'told') return { state };
  const { by, data, isCut, words } = failure;
  return {
    state,
    by,
    data: data ?? null,
    ...(isCut && { isCut }),
    ...(words ? { words } : {}),
    meaning,
    ...(candidates && { candidates }),
  };
}
