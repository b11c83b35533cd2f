import { decode, from } from 'ox/AbiParameters';
import type { Address, Hex } from '../eth/hex.ts';

/**
 * ERC-20 and ERC-721 share the first event; the next two are of ERC-1155. The last one, of ERC-2309, transfers a range of
 * ERC-721 tokens.
 */
export const transferEvents = {
  transfer: {
    signature: 'Transfer(address,address,uint256)',
    topic0: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  },
  transferSingle: {
    signature: 'TransferSingle(address,address,address,uint256,uint256)',
    topic0: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  },
  transferBatch: {
    signature: 'TransferBatch(address,address,address,uint256[],uint256[])',
    topic0: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  },
  consecutiveTransfer: {
    signature: 'ConsecutiveTransfer(uint256,uint256,address,address)',
    topic0: '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d',
  },
} as const;

/** A transfer of copies of one token ID, or of one token of each ID of a range. */
export interface NftMovement {
  readonly standard: 'erc721' | 'erc1155';
  readonly tokenId: bigint;
  /** The last ID of a range that begins with `tokenId` (ERC-2309); undefined for a single ID. */
  readonly lastTokenId?: bigint | undefined;
  /** The zero address for a mint. */
  readonly from: Address;
  /** The zero address for a burn. */
  readonly to: Address;
  readonly amount: bigint;
  /** Index in a `TransferBatch`, which may contain an ID more than once; 0 elsewhere. */
  readonly position: number;
}

const TRANSFER = transferEvents.transfer.topic0;
const TRANSFER_SINGLE = transferEvents.transferSingle.topic0;
const TRANSFER_BATCH = transferEvents.transferBatch.topic0;
const CONSECUTIVE_TRANSFER = transferEvents.consecutiveTransfer.topic0;

/** About 8,000 IDs with their amounts, more than the gas of one block can move. */
const MAX_BATCH_CHARS = 1024 * 1024;
const SINGLE_LENGTH = 2 + 2 * 64;
const SINGLE_DATA = from('uint256 id, uint256 value');
const BATCH_DATA = from('uint256[] ids, uint256[] values');

interface LogBody {
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** A `Transfer(address,address,uint256)`, whatever the contract means by `value`. */
export interface PlainTransfer {
  readonly from: Address;
  readonly to: Address;
  /** An amount (ERC-20) or a token ID (ERC-721). */
  readonly value: bigint;
  /** Whether the value is a topic, as ERC-721 demands and ERC-20 does not. */
  readonly isValueIndexed: boolean;
}

/**
 * Decodes a `Transfer` whose arguments are all topics, all data, or topics but for the value. Which arguments are
 * indexed is up to the contract: CryptoKitties indexes none, some ERC-20 tokens index the value.
 *
 * @returns undefined for any other event and for any other form of this one.
 * @example
 * decodePlainTransfer(log); // { from, to, value: 7n, isValueIndexed: false }
 */
export function decodePlainTransfer({ topics, data }: LogBody): PlainTransfer | undefined {
  const indexed = topics.slice(1);
  if (topics[0] !== TRANSFER || indexed.length === 1 || indexed.length > 3) return undefined;
  if (data.length !== 2 + (3 - indexed.length) * WORD_DIGITS) return undefined;
  const digits = `${indexed.map((word) => word.slice(2)).join('')}${data.slice(2)}`;
  const [from, to, value] = [0, 1, 2].map(
    (at) => `0x${digits.slice(at * WORD_DIGITS, (at + 1) * WORD_DIGITS)}`,
  );
  if (!isAddressWord(from) || !isAddressWord(to) || value === undefined) return undefined;
  const isValueIndexed = indexed.length === 3;
  return { from: toAddress(from), to: toAddress(to), value: BigInt(value), isValueIndexed };
}

/**
 * The movement of a `Transfer` whose value is a token ID.
 *
 * @example
 * toNftMovement({ from, to, value: 7n }).tokenId; // 7n
 */
export function toNftMovement({ from, to, value }: Omit<PlainTransfer, 'isValueIndexed'>): NftMovement {
  return { standard: 'erc721', tokenId: value, from, to, amount: 1n, position: 0 };
}

const WORD_DIGITS = 64;

function isAddressWord(word: string | undefined): word is Hex {
  return word?.startsWith(`0x${'0'.repeat(24)}`) === true;
}

/**
 * Decodes the NFT movements of a log from its topics and data (ERC-721, ERC-2309 and ERC-1155).
 *
 * @returns none for any other event, including an ERC-20 transfer; undefined if the log has the topic0 of an
 *   NFT transfer but cannot be decoded as one.
 * @example
 * decodeNftMovements(log); // [{ standard: 'erc721', tokenId: 7n, from, to, amount: 1n, position: 0 }]
 */
export function decodeNftMovements(log: LogBody): readonly NftMovement[] | undefined {
  const [topic0, first, second, third] = log.topics;
  switch (topic0) {
    case TRANSFER:
      if (!first || !second || !third) return [];
      return [
        {
          standard: 'erc721',
          tokenId: BigInt(third),
          from: toAddress(first),
          to: toAddress(second),
          amount: 1n,
          position: 0,
        },
      ];
    case CONSECUTIVE_TRANSFER: {
      const last = log.data.length === 2 + WORD_DIGITS ? BigInt(log.data) : undefined;
      if (!first || !second || !third || last === undefined || last < BigInt(first)) return undefined;
      return [
        {
          standard: 'erc721',
          tokenId: BigInt(first),
          lastTokenId: last,
          from: toAddress(second),
          to: toAddress(third),
          amount: last - BigInt(first) + 1n,
          position: 0,
        },
      ];
    }
    case TRANSFER_SINGLE:
    case TRANSFER_BATCH: {
      const moved = topic0 === TRANSFER_SINGLE ? decodeSingle(log.data) : decodeBatch(log.data);
      if (!second || !third || !moved) return undefined;
      const parties = { from: toAddress(second), to: toAddress(third) };
      return moved.map(([tokenId, amount], position) => ({
        standard: 'erc1155',
        tokenId,
        ...parties,
        amount,
        position,
      }));
    }
    default:
      return [];
  }
}

/**
 * The movement of one ID; undefined if the movement is of others.
 *
 * @example
 * findMovementOf(movement, 17n); // { tokenId: 17n, amount: 1n, … } for a range from 0 to 4999
 */
export function findMovementOf(movement: NftMovement, tokenId: bigint): NftMovement | undefined {
  const { tokenId: first, lastTokenId: last, ...rest } = movement;
  if (last === undefined) return first === tokenId ? movement : undefined;
  return first <= tokenId && tokenId <= last ? { ...rest, tokenId, amount: 1n } : undefined;
}

function toAddress(topic: Hex): Address {
  return `0x${topic.slice(-40)}`;
}

type Moved = readonly (readonly [tokenId: bigint, amount: bigint])[];

function decodeSingle(data: Hex): Moved | undefined {
  try {
    // Data after the two words does not belong to the event, and can be megabytes.
    return [decode(SINGLE_DATA, data.slice(0, SINGLE_LENGTH) as Hex)];
  } catch {
    return undefined;
  }
}

function decodeBatch(data: Hex): Moved | undefined {
  if (data.length > MAX_BATCH_CHARS) return undefined;
  try {
    const [ids, amounts] = decode(BATCH_DATA, data);
    if (ids.length !== amounts.length) return undefined;
    return ids.map((id, index) => [id, amounts[index] ?? 0n]);
  } catch {
    return undefined;
  }
}

export type TokenStandard = 'erc20' | 'erc721' | 'erc1155';
