import { decode, from } from 'ox/AbiParameters';
import type { Address, Hex } from '../eth/hex.ts';

/** ERC-20 and ERC-721 share the first event; the others are of ERC-1155. */
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
} as const;

/** A transfer of copies of one token ID. */
export interface NftMovement {
  readonly standard: 'erc721' | 'erc1155';
  readonly tokenId: bigint;
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

/** About 8,000 IDs with their amounts, more than the gas of one block can move. */
const MAX_BATCH_CHARS = 1024 * 1024;
const SINGLE_LENGTH = 2 + 2 * 64;
const SINGLE_DATA = from('uint256 id, uint256 value');
const BATCH_DATA = from('uint256[] ids, uint256[] values');

/**
 * Decodes the NFT movements of a log from its topics and data (ERC-721 and ERC-1155).
 *
 * @returns none for any other event, including an ERC-20 transfer; undefined if the log has the topic0 of an
 *   NFT transfer but cannot be decoded as one.
 * @example
 * decodeNftMovements(log); // [{ standard: 'erc721', tokenId: 7n, from, to, amount: 1n, position: 0 }]
 */
export function decodeNftMovements(log: {
  readonly topics: readonly Hex[];
  readonly data: Hex;
}): readonly NftMovement[] | undefined {
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
