import * as z from 'zod/mini';
import { AppError } from '../../base/errors.ts';
import type { Transaction, TransactionFee, TransactionStatus } from '../../transactions/transaction.ts';
import { heightField, hexField, timeField, uint256Field } from '../../values/chainFields.ts';
import { type Hex, parseHexData } from '../../values/hex.ts';
import { listField, optionalField } from '../../values/outsideFields.ts';
import { partyField } from './rest/fields.ts';
import { readRevertReason } from './revertReason.ts';

const position = z.int().check(z.nonnegative());

// Up to v6.9 `block`; later `block_number`. Parts of the fee are there on chains that have them.
const RestTransaction = z.object({
  hash: z.string(),
  status: optionalField(z.enum(['ok', 'error'])),
  result: optionalField(z.string()),
  block: optionalField(heightField),
  block_number: optionalField(heightField),
  position: optionalField(position),
  timestamp: optionalField(timeField),
  from: optionalField(partyField),
  to: optionalField(partyField),
  created_contract: optionalField(partyField),
  value: optionalField(uint256Field),
  fee: optionalField(z.object({ type: z.string(), value: optionalField(uint256Field) })),
  gas_price: optionalField(uint256Field),
  gas_used: optionalField(uint256Field),
  gas_limit: optionalField(uint256Field),
  nonce: optionalField(heightField),
  type: optionalField(position),
  raw_input: optionalField(hexField()),
  revert_reason: z.unknown(),
  authorization_list: optionalField(listField),
  l1_fee: optionalField(uint256Field),
  scroll: optionalField(z.object({ l1_fee: optionalField(uint256Field) })),
  blob_gas_used: optionalField(uint256Field),
  blob_gas_price: optionalField(uint256Field),
});
type RestTransaction = z.infer<typeof RestTransaction>;

/**
 * The answer to `/api/v2/transactions/{hash}` of any release, without the logs.
 *
 * @throws AppError `badResponse` for what is none, is of another hash, or lacks sender, value or input.
 * @example readRestTransaction({ hash, from: { hash: a }, value: '0', raw_input: '0x' }, hash).status; // 'pending'
 */
export function readRestTransaction(body: unknown, hash: Hex): Omit<Transaction, 'isCut' | 'logs'> {
  const wire = RestTransaction.safeParse(body).data;
  const [from, value, input] = [wire?.from, wire?.value, wire?.raw_input];
  if (!wire || parseHexData(wire.hash, 32) !== hash || !from || value === undefined || input === undefined) {
    throw new AppError('badResponse', 'The explorer did not answer with that transaction.');
  }
  const block = wire.block_number ?? wire.block;
  const status = statusOf(wire, block);
  return {
    ...{ hash, status, block, from, value, input },
    position: wire.position,
    time: wire.timestamp,
    to: wire.to,
    created: wire.created_contract,
    fee: block === undefined ? undefined : feeOf(wire),
    gasUsed: wire.gas_used,
    gasLimit: wire.gas_limit,
    gasPrice: wire.gas_price,
    nonce: wire.nonce,
    type: wire.type,
    authorizations: wire.type === 4 ? wire.authorization_list?.length : undefined,
    failure: status === 'failed' ? readRevertReason(wire.revert_reason, wire.result) : undefined,
  };
}

/** A transaction that was dropped or replaced has `error` and no block. */
function statusOf({ status, result }: RestTransaction, block: bigint | undefined): TransactionStatus {
  if (block === undefined)
    return status === undefined && (result ?? 'pending') === 'pending' ? 'pending' : 'unknown';
  return status === 'ok' ? 'success' : status === 'error' ? 'failed' : 'unknown';
}

/** The explorer's `fee` is all of it but blobs; `maximum` is what it may become. */
function feeOf(wire: RestTransaction): TransactionFee {
  const { gas_used: used, gas_price: price, blob_gas_used: blobGas, blob_gas_price: blobPrice } = wire;
  const l1 = wire.l1_fee ?? wire.scroll?.l1_fee;
  const blobs = blobGas === undefined || blobPrice === undefined ? undefined : blobGas * blobPrice;
  const told = wire.fee?.type === 'actual' ? wire.fee.value : undefined;
  return {
    total: told === undefined ? undefined : told + (blobs ?? 0n),
    execution: used === undefined || price === undefined ? undefined : used * price,
    ...{ l1, blobs },
  };
}

const RestBlock = z.object({ height: heightField, hash: z.string(), timestamp: optionalField(timeField) });

/**
 * The answer to `/api/v2/blocks/{hash}`; undefined where it is none of a block with this hash.
 *
 * @example readRestBlock({ height: 16, hash, timestamp: '1970-01-01T00:00:01Z' }, hash); // { block: 16n, time: 1000 }
 */
export function readRestBlock(body: unknown, hash: Hex) {
  const block = RestBlock.safeParse(body).data;
  if (!block || parseHexData(block.hash, 32) !== hash) return undefined;
  return { block: block.height, time: block.timestamp };
}
