import * as z from 'zod/mini';
import { AppError } from '../../../base/errors.ts';
import type { TimeSlices } from '../../../base/timeSlices.ts';
import { readNftMetadata } from '../../../nfts/metadata/readNftMetadata.ts';
import type { NftContract } from '../../../nfts/nftContract.ts';
import type { NftToken } from '../../../nfts/nftToken.ts';
import type { Address } from '../../../values/address.ts';
import { uint256Field } from '../../../values/chainFields.ts';
import { optionalField } from '../../../values/outsideFields.ts';
import { partyField } from '../rest/fields.ts';
import { type TokenFacts, tokenFacts, tokenField } from '../rest/tokenFacts.ts';

const Instance = z.object({
  id: uint256Field,
  // Gone from lists in v12; an answer about one token still has it.
  token: optionalField(tokenField),
  owner: optionalField(partyField),
  metadata: z.optional(z.unknown()),
});

/**
 * What `/tokens/{hash}` tells of an NFT contract.
 *
 * @returns undefined where the explorer knows of none, or of one that is no NFT contract.
 * @throws AppError `badResponse` when it tells of another contract.
 */
export function readNftContract(data: unknown, contract: Address): NftContract | undefined {
  if (data === undefined) return undefined;
  const parsed = tokenField.safeParse(data);
  if (!parsed.success) throw unusable('no token', parsed.error);
  const facts = tokenFacts(parsed.data);
  if (facts && facts.contract !== contract) throw unusable('another contract');
  return facts && isNft(facts) ? contractOf(facts) : undefined;
}

/**
 * What `/tokens/{hash}/instances/{id}` tells of one token.
 *
 * @returns undefined where the explorer knows of none.
 * @throws AppError `badResponse` when it tells of another one.
 */
export async function readInstance(
  data: unknown,
  asked: { readonly contract: Address; readonly tokenId: bigint },
  slices: TimeSlices,
): Promise<NftToken | undefined> {
  if (data === undefined) return undefined;
  const parsed = Instance.safeParse(data);
  if (!parsed.success) throw unusable('no token id', parsed.error);
  const { id, token, owner, metadata } = parsed.data;
  const facts = token && tokenFacts(token);
  if (id !== asked.tokenId || (facts && facts.contract !== asked.contract)) throw unusable('another token');
  return {
    contract: facts ? contractOf(facts) : unknownContract(asked.contract),
    ...{ tokenId: id, owner, originalOwner: undefined, tokenUrl: undefined, whyNoMetadata: undefined },
    metadata: await readNftMetadata(metadata, { slices }),
  };
}

function isNft({ standard, type }: TokenFacts): boolean {
  return standard === 'erc721' || standard === 'erc1155' || type === 'ERC-404';
}

function contractOf({ contract, standard, name, symbol, supply, spam }: TokenFacts): NftContract {
  return { contract, standard, name, symbol, supply, spam, standards: standard ? [standard] : [] };
}

function unknownContract(contract: Address): NftContract {
  const unknown = { name: undefined, symbol: undefined, standard: undefined, supply: undefined };
  return { contract, ...unknown, spam: undefined, standards: [] };
}

function unusable(what: string, cause?: unknown): AppError {
  return new AppError('badResponse', `The explorer answered with ${what}.`, { cause });
}
