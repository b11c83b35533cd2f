import { AbiEvent, AbiParameters, Hex } from 'ox';
import type { IndexedLog } from '../index/explorerIndex.ts';

export type Standard = 'erc20' | 'erc721' | 'erc1155';

/** Tokens that went from one address to another, as one log tells it. */
export type Movement = {
  readonly contract: Hex.Hex;
  readonly standard: Standard;
  readonly from: Hex.Hex;
  readonly to: Hex.Hex;
  /** None for ERC-20. */
  readonly tokenIds: readonly bigint[];
  /** Of each id; of ERC-20 the one amount. */
  readonly amounts: readonly bigint[];
  readonly blockNumber: number;
};

export const transfer = selector('event Transfer(address indexed, address indexed, uint256)');
export const transferSingle = selector(
  'event TransferSingle(address indexed, address indexed, address indexed, uint256, uint256)',
);
const transferBatch = selector(
  'event TransferBatch(address indexed, address indexed, address indexed, uint256[], uint256[])',
);
const singleData = AbiParameters.from('uint256, uint256');
const batchData = AbiParameters.from('uint256[], uint256[]');

/** The movement that a log tells of, or undefined if it tells of none. */
export function readMovement(log: IndexedLog): Movement | undefined {
  const [topic0, ...topics] = log.topics;
  const [first, second, third] = topics;
  if (!first || !second) return undefined;
  const at = { contract: log.address, blockNumber: log.blockNumber };
  if (topic0 === transfer) {
    // ERC-20 and ERC-721 share the event; only the latter indexes its third parameter.
    const parties = { from: addressIn(first), to: addressIn(second) };
    if (third === undefined) {
      return { ...at, ...parties, standard: 'erc20', tokenIds: [], amounts: [firstWord(log.data)] };
    }
    return { ...at, ...parties, standard: 'erc721', tokenIds: [BigInt(third)], amounts: [1n] };
  }
  if (!third) return undefined;
  const parties = { from: addressIn(second), to: addressIn(third) };
  if (topic0 === transferSingle) {
    const [id, amount] = AbiParameters.decode(singleData, log.data);
    return { ...at, ...parties, standard: 'erc1155', tokenIds: [id], amounts: [amount] };
  }
  if (topic0 === transferBatch) {
    const [ids, amounts] = AbiParameters.decode(batchData, log.data);
    return { ...at, ...parties, standard: 'erc1155', tokenIds: ids, amounts };
  }
  return undefined;
}

/** Who got what a log moved. */
export function movedTo(log: IndexedLog): Hex.Hex | undefined {
  return readMovement(log)?.to;
}

function selector(event: string): Hex.Hex {
  return AbiEvent.getSelector(event);
}

function addressIn(topic: Hex.Hex): Hex.Hex {
  return Hex.slice(topic, 12);
}

/** What some old tokens leave out counts as nothing. */
function firstWord(data: Hex.Hex): bigint {
  return Hex.size(data) < 32 ? 0n : BigInt(Hex.slice(data, 0, 32));
}
