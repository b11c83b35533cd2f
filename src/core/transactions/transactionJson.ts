import {
  type AttributionJson,
  attributionToJson,
  type MeaningJson,
  meaningToJson,
} from '../abi/hexMeaning.ts';
import { type DecodedJson, decodedLogToJson } from '../abi/logDecoder.ts';
import { getProviderId } from '../base/provenance.ts';
import { type Address, type Hex, toQuantity } from '../eth/hex.ts';
import { formatIsoTime } from '../eth/time.ts';
import { haltToJson } from '../traces/halts.ts';
import {
  type ExplainedTransaction,
  getNetAmount,
  type Movement,
  type UnclearTransfer,
} from './explainTransaction.ts';
import type { RevertPlace } from './revertPlaces.ts';
import type { HashResult, Transaction, TransactionFailure, TransactionLog } from './transaction.ts';

/**
 * A transaction as JSON, with its decoded bytes.
 *
 * @param about.summary what happened, in one sentence.
 * @param about.places source lines that may have reverted, if they were searched.
 * @example transactionToJson(await explainTransaction(transaction, { lookup, chainId: 1, slices })).status; // 'success'
 */
export function transactionToJson(
  { transaction, call: [call], attribution, logs, movements, revert: [meaning] }: ExplainedTransaction,
  {
    summary,
    places,
  }: { readonly summary?: string; readonly places?: readonly RevertPlace[] | undefined } = {},
): TransactionJson {
  const { hash, status, position, from, to, created, value, fee, type, input, failure } = transaction;
  return {
    ...(summary !== undefined && { summary }),
    hash,
    status,
    block: integerToJson(transaction.block),
    position: position ?? null,
    time: formatIsoTime(transaction.time) ?? null,
    from,
    to: to ?? null,
    created: created && status !== 'failed' ? [created] : [],
    value: value.toString(),
    fee: fee ? feeToJson(fee) : null,
    gasUsed: integerToJson(transaction.gasUsed),
    gasLimit: integerToJson(transaction.gasLimit),
    gasPrice: integerToJson(transaction.gasPrice),
    nonce: integerToJson(transaction.nonce),
    type: type ?? null,
    ...(transaction.authorizations === undefined ? {} : { authorizations: transaction.authorizations }),
    input,
    call: call ? meaningToJson(call) : null,
    ...(attribution && { erc8021: attributionToJson(attribution) }),
    logs:
      transaction.logs?.map((log, index) => {
        const decoded = logs[index];
        return logToJson(log, decoded ? decodedLogToJson(decoded) : null);
      }) ?? null,
    ...((transaction.isCut || movements.isCut) && { isCut: true as const }),
    movements: movements.list.map(movementToJson),
    ...(movements.unclear && { unclearTransfers: movements.unclear.map(unclearTransferToJson) }),
    failure: failure ? failureToJson(failure, meaning ? meaningToJson(meaning) : null, places) : null,
  };
}

/**
 * The provider of a result, as JSON.
 *
 * @example providerToJson(result).name; // 'calls'
 */
export function providerToJson({ source, methods }: Pick<HashResult, 'methods' | 'source'>) {
  return { name: getProviderId(source), origin: source.origin, asked: methods };
}

/** Unknown values are null, integers are decimal strings, times are ISO 8601. */
interface TransactionJson {
  /** What happened, in one sentence. */
  readonly summary?: string;
  readonly hash: Hex;
  readonly status: Transaction['status'];
  readonly block: Integer;
  readonly position: number | null;
  readonly time: string | null;
  readonly from: Address;
  readonly to: Address | null;
  /** Empty if the transaction failed. */
  readonly created: readonly Address[];
  readonly value: string;
  readonly fee: {
    readonly total: Integer;
    readonly execution: Integer;
    /** Only if the fee is not in the chain's own coin: the token that it was paid in; null if that is unknown. */
    readonly token?: Address | null;
    readonly l1?: string;
    readonly blobs?: string;
  } | null;
  readonly gasUsed: Integer;
  readonly gasLimit: Integer;
  readonly gasPrice: Integer;
  readonly nonce: Integer;
  readonly type: number | null;
  readonly authorizations?: number;
  readonly input: Hex;
  readonly call: MeaningJson | null;
  /** Who made the transaction, by the end of `input`. */
  readonly erc8021?: AttributionJson;
  readonly logs: readonly LogJson[] | null;
  /** Set if there are more logs or movements than listed. */
  readonly isCut?: true;
  readonly movements: readonly MovementJson[];
  /** Transfers that are in no movement, because the contract does not tell what their number is. */
  readonly unclearTransfers?: readonly UnclearTransferJson[];
  readonly failure: FailureJson | null;
}

type Integer = string | null;

interface LogJson {
  readonly address: Address;
  /** As a JSON-RPC quantity. */
  readonly logIndex: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly decoded: DecodedJson | null;
}

interface MovementJson {
  readonly token: Address | null;
  readonly standard: Movement['standard'];
  readonly tokenId?: string;
  /** The last token ID of a range. */
  readonly lastTokenId?: string;
  readonly address: Address;
  readonly in: string;
  readonly out: string;
  readonly net: string;
}

type UnclearTransferJson = {
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  readonly readings: readonly [
    { readonly standard: 'erc20'; readonly amount: string },
    { readonly standard: 'erc721'; readonly tokenId: string },
  ];
};

interface FailureJson {
  readonly state: TransactionFailure['state'];
  readonly by?: 'replay' | 'explorer';
  readonly data?: Hex | null;
  readonly isCut?: true;
  readonly words?: string;
  /** What `words` mean, if they are a client's for another end than a revert. */
  readonly halt?: string;
  readonly meaning?: MeaningJson | null;
  readonly candidates?: readonly RevertPlace[];
}

function integerToJson(value: bigint | undefined): Integer {
  return value?.toString() ?? null;
}

function feeToJson({ token, total, execution, l1, blobs }: NonNullable<Transaction['fee']>) {
  return {
    total: integerToJson(total),
    execution: integerToJson(execution),
    ...(token === undefined ? {} : { token: token === 'unknown' ? null : token }),
    ...(l1 === undefined ? {} : { l1: l1.toString() }),
    ...(blobs === undefined ? {} : { blobs: blobs.toString() }),
  };
}

function logToJson(
  { address, logIndex, topics, data }: TransactionLog,
  decoded: DecodedJson | null,
): LogJson {
  return { address, logIndex: toQuantity(logIndex), topics, data, decoded };
}

function movementToJson(movement: Movement): MovementJson {
  const { token, standard, tokenId, lastTokenId, address, received, sent } = movement;
  return {
    token: token ?? null,
    standard,
    ...(tokenId === undefined ? {} : { tokenId: tokenId.toString() }),
    ...(lastTokenId === undefined ? {} : { lastTokenId: lastTokenId.toString() }),
    address,
    in: received.toString(),
    out: sent.toString(),
    net: getNetAmount(movement).toString(),
  };
}

/**
 * Both readings of a transfer whose contract does not tell the standard.
 *
 * @example
 * unclearTransferToJson({ token, from, to, value: 7n }).readings[1]; // { standard: 'erc721', tokenId: '7' }
 */
export function unclearTransferToJson({ token, from, to, value }: UnclearTransfer): UnclearTransferJson {
  const number = value.toString();
  return {
    token,
    from,
    to,
    readings: [
      { standard: 'erc20', amount: number },
      { standard: 'erc721', tokenId: number },
    ],
  };
}

function failureToJson(
  failure: TransactionFailure,
  meaning: MeaningJson | null,
  candidates: readonly RevertPlace[] | undefined,
): FailureJson {
  const { state } = failure;
  if (state === 'refused') return { state, words: failure.message };
  if (state !== 'told') return { state };
  const { by, data, isCut, message } = failure;
  return {
    state,
    by,
    data: data ?? null,
    ...(isCut && { isCut }),
    ...(message ? { words: message, ...haltToJson(message) } : {}),
    meaning,
    ...(candidates && { candidates }),
  };
}
