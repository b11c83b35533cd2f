import * as z from 'zod/mini';
import { AppError } from '../../base/errors.ts';
import type { NftContract } from '../../nfts/nftContract.ts';
import type { Address } from '../../values/address.ts';
import { addressField, timeField } from '../../values/chainFields.ts';
import { listField, optionalField, textField } from '../../values/outsideFields.ts';
import { chainIdField } from './fields.ts';
import { tokenStandard } from './nftHoldings.ts';

export interface AskedContract {
  readonly contract: Address;
  readonly chainId: number;
}

/** Items that are read, ten times a page, and standards of each that are kept. */
const MOST_CONTRACT_ITEMS = 1_000;
const MOST_STANDARDS = 100;

const Data = z.object({
  updated_at: optionalField(timeField),
  chain_id: optionalField(chainIdField),
  items: z.nullable(listField),
});

/** The part of an item that every answer about one NFT contract has. */
const ContractItem = z.object({
  contract_address: addressField,
  contract_name: optionalField(textField),
  contract_ticker_symbol: optionalField(textField),
  supports_erc: optionalField(listField),
  is_spam: optionalField(z.boolean()),
});

/**
 * `data` of an answer about one NFT contract: when it was made, its first thousand items with what they say of the
 * contract, and how many are left out.
 *
 * @throws AppError `badResponse` when it is of another shape, or tells of another contract or chain than was asked.
 */
export function readContractData(data: unknown, asked: AskedContract) {
  const parsed = Data.safeParse(data ?? { items: null });
  if (!parsed.success) {
    throw new AppError('badResponse', 'The answer of the data API has no list of items.', {
      cause: parsed.error,
    });
  }
  const { updated_at: updatedAt, chain_id: chainId, items } = parsed.data;
  if ((chainId ?? asked.chainId) !== asked.chainId) {
    throw new AppError('badResponse', 'The data API answered for another chain.');
  }
  // One contract is one item; a page of its token ids repeats it with each.
  const read = (items ?? []).slice(0, MOST_CONTRACT_ITEMS);
  return {
    updatedAt,
    items: read.map((item) => ({ item, facts: readContract(item, asked) })),
    left: (items?.length ?? 0) - read.length,
  };
}

function readContract(item: unknown, asked: AskedContract): NftContract {
  const parsed = ContractItem.safeParse(item);
  if (!parsed.success) {
    throw new AppError('badResponse', 'The answer of the data API does not name its contract.', {
      cause: parsed.error,
    });
  }
  if (parsed.data.contract_address !== asked.contract) {
    throw new AppError('badResponse', 'The data API answered for another contract.');
  }
  const claimed = parsed.data.supports_erc ?? [];
  return {
    contract: asked.contract,
    name: parsed.data.contract_name,
    symbol: parsed.data.contract_ticker_symbol,
    standards: claimed.slice(0, MOST_STANDARDS).filter(isStandardName),
    standard: tokenStandard(claimed),
    supply: undefined,
    spam: parsed.data.is_spam,
  };
}

function isStandardName(text: unknown): text is string {
  return typeof text === 'string' && /^erc\d{1,5}$/.test(text);
}
