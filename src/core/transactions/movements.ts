import { transferEvents } from '../abi/transferEvents.ts';
import type { Abortable } from '../base/abortable.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { readNftMovements } from '../nfts/nftMovement.ts';
import { type Address, ZERO_ADDRESS } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';
import type { Transaction, TransactionLog } from './transaction.ts';

/** What of one asset came to an address in a transaction, and what left it. */
export interface Movement {
  /** The contract of the token; undefined for the coin of the chain. */
  readonly token: Address | undefined;
  readonly standard: 'native' | 'erc20' | 'erc721' | 'erc1155';
  /** Undefined where the asset has none. */
  readonly tokenId: bigint | undefined;
  /** The zero address stands for what was minted (out of it) and burned (into it). */
  readonly address: Address;
  /** In wei or smallest units; of an NFT how many copies. */
  readonly received: bigint;
  readonly sent: bigint;
}

export interface Movements {
  /** In the order in which an asset, and then an address, first moved. */
  readonly list: readonly Movement[];
  /** Whether more than {@link MOST_MOVEMENTS} are in the logs. */
  readonly isCut: boolean;
}

/** Pairs of asset and address of one transaction: many times what a person looks through. */
const MOST_MOVEMENTS = 5_000;
const WORD = 66;

interface Moved {
  readonly token: Address | undefined;
  readonly standard: Movement['standard'];
  readonly tokenId: bigint | undefined;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/**
 * The movements of a transaction, summed by asset and address: the coin that it carries itself, if it succeeded, and
 * tokens by the transfer events in its logs (ERC-20, ERC-721, ERC-1155). What contracts send on of the coin is in no
 * log.
 *
 * @throws what `slices` throws when the signal aborts.
 * @example (await sumMovements({ ...transaction, value: 5n, logs: [] }, slices)).list.length; // 2
 */
export async function sumMovements(
  transaction: Pick<Transaction, 'created' | 'from' | 'logs' | 'status' | 'to' | 'value'>,
  slices: TimeSlices,
  options?: Abortable,
): Promise<Movements> {
  const sums = new Map<string, { -readonly [Key in keyof Movement]: Movement[Key] }>();
  let isCut = false;

  function add(
    { token, standard, tokenId }: Moved,
    address: Address,
    amounts: readonly [bigint, bigint],
  ): void {
    const key = `${token} ${tokenId} ${address}`;
    let sum = sums.get(key);
    if (!sum) {
      if (sums.size >= MOST_MOVEMENTS) {
        isCut = true;
        return;
      }
      sum = { token, standard, tokenId, address, received: 0n, sent: 0n };
      sums.set(key, sum);
    }
    sum.received += amounts[0];
    sum.sent += amounts[1];
  }

  function addBoth(moved: Moved): void {
    add(moved, moved.from, [0n, moved.amount]);
    add(moved, moved.to, [moved.amount, 0n]);
  }

  nativeOf(transaction).forEach(addBoth);
  for (const log of transaction.logs ?? []) {
    movedIn(log).forEach(addBoth);
    if (slices.isOver()) await slices.rest(options);
  }
  return { list: [...sums.values()], isCut };
}

function nativeOf({
  status,
  value,
  from,
  to,
  created,
}: Pick<Transaction, 'created' | 'from' | 'status' | 'to' | 'value'>): readonly Moved[] {
  const target = to ?? created;
  if (status !== 'success' || value === 0n || target === undefined) return [];
  return [{ token: undefined, standard: 'native', tokenId: undefined, from, to: target, amount: value }];
}

function movedIn({ address: token, topics, data }: TransactionLog): readonly Moved[] {
  const [topic0, from, to, third] = topics;
  const isErc20 = topic0 === transferEvents.transfer.topic0 && third === undefined;
  if (!isErc20) return (readNftMovements({ topics, data }) ?? []).map((moved) => ({ token, ...moved }));
  if (!from || !to || data.length !== WORD) return [];
  const amount = BigInt(data);
  return [{ token, standard: 'erc20', tokenId: undefined, from: addressIn(from), to: addressIn(to), amount }];
}

function addressIn(topic: Hex): Address {
  return `0x${topic.slice(-40)}`;
}

/**
 * What an address has more than before, negative for less.
 *
 * @example netOf({ received: 1n, sent: 3n }) // -2n
 */
export function netOf({ received, sent }: Pick<Movement, 'received' | 'sent'>): bigint {
  return received - sent;
}

/**
 * Whether it is what was minted or burned, which nobody has.
 *
 * @example isSupply({ address: ZERO_ADDRESS, token: undefined }) // false
 */
export function isSupply({ address, token }: Pick<Movement, 'address' | 'token'>): boolean {
  return token !== undefined && address === ZERO_ADDRESS;
}
