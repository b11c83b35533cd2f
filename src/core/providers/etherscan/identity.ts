import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import type { Address } from '../../eth/hex.ts';
import { addressField, optionalField, transactionHashField, uint256Field } from '../../http/fields.ts';
import type { Creation, Identity, IdentityProvider } from '../../identity/identity.ts';
import { noFacts } from '../rpc/identity.ts';
import type { EtherscanRequests } from './requests.ts';

/**
 * The creation of contracts, which is all that Etherscan's API V2 says of an address: creator, transaction and block.
 * https://docs.etherscan.io/api-reference/endpoint/getcontractcreation
 *
 * @example
 * const { identity } = createEtherscanIdentity(requests, { clock });
 * (await identity(address)).created?.block;
 */
export function createEtherscanIdentity(
  { label, get }: EtherscanRequests,
  { clock }: { readonly clock: Clock },
): IdentityProvider {
  const cache = createExpiringCache<Identity>({
    clock,
    ttlMs: CACHE_TTL_MS,
    maxEntries: MAX_CACHE_ENTRIES,
  });

  async function load(address: Address, signal: AbortSignal): Promise<Identity> {
    const query = { module: 'contract', action: 'getcontractcreation', contractaddresses: address };
    const record = parseRecord(await get(query, { signal }), address);
    const { tells: _, ...facts } = noFacts;
    const result = { source: label, readAt: clock.now() };
    if (record === undefined)
      return { address, ...facts, sources: [{ ...result, tells: [], reason: 'notIndexed' }] };
    const created = record === 'genesis' ? undefined : record;
    return { address, ...facts, created, sources: [{ ...result, tells: ['created'] }] };
  }

  return {
    label,
    offers: { identity: 'free' },
    identity: (address, options) => cache.get(address, (signal) => load(address, signal), options),
  };
}

/** A contract can be created again at its address with `CREATE2`. */
const CACHE_TTL_MS = 15 * 60_000;
const MAX_CACHE_ENTRIES = 500;

const Record = z.object({
  contractAddress: addressField,
  contractCreator: addressField,
  txHash: transactionHashField,
  blockNumber: optionalField(uint256Field),
});

/** Of a contract in the first block, which no transaction has created. */
const GenesisRecord = z.object({
  contractAddress: addressField,
  txHash: z.string().check(z.regex(/^genesis/i)),
});

/** The only entry of the result; undefined if Etherscan knows no contract at the address. */
function parseRecord(result: unknown, address: Address): Creation | 'genesis' | undefined {
  if (result === undefined || (Array.isArray(result) && result.length === 0)) return undefined;
  const entry: unknown = Array.isArray(result) ? result[0] : undefined;
  const genesis = GenesisRecord.safeParse(entry).data;
  if (genesis?.contractAddress === address) return 'genesis';
  const { data, error } = Record.safeParse(entry);
  if (data?.contractAddress !== address) {
    throw new AppError('badResponse', 'The response of Etherscan is not the creation of this contract.', {
      cause: error,
    });
  }
  return { block: data.blockNumber, transaction: data.txHash, deployer: data.contractCreator };
}
