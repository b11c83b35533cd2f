import * as z from 'zod/mini';
import type { Abortable } from '../../base/concurrency.ts';
import { AppError, isAppError, safeUrl } from '../../base/errors.ts';
import type { ProviderLabel } from '../../base/provenance.ts';
import { getRpcLabel } from '../../client/endpointClient.ts';
import { type Address, type Hex, parseAddress, parseHexData } from '../../eth/hex.ts';
import { type ExplorerDeps, fetchFromExplorer, isExplorerNotFound } from '../../http/fetchJson.ts';
import { heightField, listField, optionalField, textField } from '../../http/fields.ts';
import {
  type Identity,
  type IdentityFacts,
  type IdentityProvider,
  type IdentityProviderResult,
  type IdentityReason,
  identityStandards,
  isProxyType,
  mergeIdentityFacts,
  type ProxyConflict,
  type ProxyIdentity,
  proxyTypes,
  type TokenIdentity,
} from '../../identity/identity.ts';
import { explorerApiUrl } from '../../networks/network.ts';
import { parseImplementations } from '../../verified/verifiedContract.ts';
import type { ProviderOptions } from '../provider.ts';
import { createEndpointReader, createIdentityCache, noFacts } from '../rpc/identity.ts';
import { tokenField } from './fields.ts';

/**
 * What is at addresses, as an explorer has it on record: one request of its REST interface. For an account that is all.
 * Of a contract, and where the record is missing or does not say, the chain itself is read as well through the JSON-RPC
 * of the explorer, if that offers it (Blockscout since 6.3): the record has no conflicts, no second proxy, no vault and
 * no block of the creation, and what it names may be old. Where reading fails, the record stands and the gap says so. A
 * glance takes the record as it is.
 *
 * @example
 * const { identity } = createBlockscoutIdentity({ ...http, url, chainId, revoked });
 * await identity(address); // { kind: 'contract', proxy: { implementations: [{ name: 'TokenV2', … }], … }, … }
 */
export function createBlockscoutIdentity(
  options: Omit<ProviderOptions, 'key' | 'throttle'>,
): IdentityProvider {
  const { clock, url, revoked } = options;
  const requests = createAddressRequests(options, url);
  const { read, glance } = createEndpointReader(options);
  const kept = createIdentityCache(clock);
  const label: ProviderLabel = { name: 'blockscout', origin: safeUrl(url), takesKey: false };

  async function load(
    address: Address,
    { signal, isGlance }: { readonly signal: AbortSignal; readonly isGlance: boolean },
  ): Promise<Identity> {
    const { facts: recorded, gap, failure } = await requests.address(address, { signal });
    const teller = { source: label, readAt: clock.now(), tells: recorded.tells, gap };
    if (recorded.kind === 'account' && recorded.tells.includes('proxy')) {
      return identityOf(address, recorded, [teller]);
    }
    if (isGlance && gap !== 'notOffered') {
      if (failure) throw failure;
      return identityOf(address, recorded, [teller]);
    }
    const { seen, gap: callsGap } = await readChain(address, { signal, isGlance, recorded });
    if (failure && seen.tells.length === 0) throw failure;
    const caller: IdentityProviderResult = {
      source: getRpcLabel(url),
      readAt: clock.now(),
      tells: seen.tells,
    };
    const facts = mergeIdentityFacts(recorded, seen);
    const created = isGlance ? facts.created : await withBlock(facts.created, signal);
    return identityOf(address, { ...facts, created }, [
      teller,
      callsGap ? { ...caller, gap: callsGap } : caller,
    ]);
  }

  /** The record stays what it is where the JSON-RPC beside it fails. */
  async function readChain(
    address: Address,
    { signal, isGlance, recorded }: { signal: AbortSignal; isGlance: boolean; recorded: IdentityFacts },
  ): Promise<{ readonly seen: IdentityFacts; readonly gap: IdentityReason | undefined }> {
    try {
      const seen = await (isGlance
        ? glance(address, { signal })
        : read(address, { signal, known: recorded }));
      return { seen, gap: seen.tells.length > 0 ? undefined : 'notOffered' };
    } catch (error) {
      if (recorded.tells.length === 0 || isAppError(error, 'aborted')) throw error;
      const isRefusal = isAppError(error, 'unauthorized', 'forbidden', 'creditsUsedUp');
      return { seen: noFacts, gap: isRefusal ? 'refused' : 'failed' };
    }
  }

  /** The block of a creation, by the route of its transaction where the JSON-RPC does not tell. */
  async function withBlock(
    created: IdentityFacts['created'],
    signal: AbortSignal,
  ): Promise<IdentityFacts['created']> {
    if (created?.transaction === undefined || created.block !== undefined) return created;
    return { ...created, block: await requests.block(created.transaction, { signal }) };
  }

  return {
    label,
    offers: { identity: 'free' },
    identity(address, asked = {}) {
      const isGlance = asked.glance === true;
      const read = (signal: AbortSignal) =>
        load(address, { signal: AbortSignal.any([signal, revoked]), isGlance });
      return kept(address, read, asked);
    },
  };
}

function identityOf(
  address: Address,
  { tells: _, ...facts }: IdentityFacts,
  sources: readonly IdentityProviderResult[],
): Identity {
  return { address, ...facts, sources };
}

/** Implementations that are read: as many facets as the explorer shows. */
const MAX_ADDRESS_IMPLEMENTATIONS = 100;

// Fields of both eras: `address` and `creation_tx_hash` before release 8, `address_hash` and
// `creation_transaction_hash` from then on. Before 6.8 the one implementation stands in the record itself.
const Body = z.object({
  hash: z.string(),
  is_contract: optionalField(z.boolean()),
  name: optionalField(textField),
  proxy_type: z.optional(z.nullable(z.unknown())),
  implementations: optionalField(listField),
  implementation_address: optionalField(z.string()),
  implementation_name: optionalField(z.string()),
  conflicting_implementations: optionalField(listField),
  creator_address_hash: optionalField(z.string()),
  creation_transaction_hash: optionalField(z.string()),
  creation_tx_hash: optionalField(z.string()),
  token: z.optional(z.nullable(z.unknown())),
});

/**
 * What `/api/v2/addresses/{hash}` tells, in either era. The block of the creation is not in it.
 *
 * @throws AppError `badResponse` when it is no such answer, or one for another address.
 */
function parseAddressBody(body: unknown, address: Address): IdentityFacts {
  const parsed = Body.safeParse(body);
  if (!parsed.success || parseAddress(parsed.data.hash) !== address) {
    throw new AppError('badResponse', 'The explorer did not answer for this address.', {
      cause: parsed.error,
    });
  }
  const { data } = parsed;
  const proxy = readProxy(data, address);
  const isDelegated = proxy?.type === 'eip7702';
  const isContract = data.is_contract === true;
  const token = isContract ? readToken(data.token) : undefined;
  const transaction = parseHexData(data.creation_transaction_hash ?? data.creation_tx_hash, 32);
  const created = isContract && transaction !== undefined;
  const tells = {
    kind: data.is_contract !== undefined,
    token: data.token === null || token !== undefined || !isContract,
    proxy: proxy !== undefined || (data.proxy_type === null && isContract) || data.is_contract === false,
    created: created || data.is_contract === false,
  };
  return {
    kind: isDelegated ? 'delegated' : isContract ? 'contract' : tells.kind ? 'account' : 'unknown',
    name: isContract ? data.name : undefined,
    token,
    proxy,
    created: created
      ? { block: undefined, transaction, deployer: parseAddress(data.creator_address_hash) }
      : undefined,
    tells: (['kind', 'token', 'proxy', 'created'] as const).filter((part) => tells[part]),
  };
}

function readProxy(body: z.infer<typeof Body>, self: Address): ProxyIdentity | undefined {
  const { proxy_type: type, implementations = [] } = body;
  const single = { address: body.implementation_address, name: body.implementation_name };
  const read = parseImplementations([...implementations, single], self, MAX_ADDRESS_IMPLEMENTATIONS);
  const conflict = readConflicts(body.conflicting_implementations ?? [], self).filter(
    ({ address }) => !read.some((one) => one.address === address),
  );
  if (read.length === 0 && conflict.length === 0) return undefined;
  return {
    type: isProxyType(type) ? type : undefined,
    implementations: read,
    left: Math.max(0, implementations.length - MAX_ADDRESS_IMPLEMENTATIONS),
    admin: undefined,
    beacon: undefined,
    conflict,
  };
}

const Conflict = z.object({ proxy_type: z.unknown(), implementations: optionalField(listField) });

/** What the patterns say that were found beside each other. */
function readConflicts(list: readonly unknown[], self: Address): readonly ProxyConflict[] {
  return list.slice(0, proxyTypes.length).flatMap((entry) => {
    const { proxy_type: type, implementations } = Conflict.safeParse(entry).data ?? {};
    const read = parseImplementations(implementations, self, MAX_ADDRESS_IMPLEMENTATIONS);
    return read.map((one) => ({ ...one, type: isProxyType(type) ? type : undefined }));
  });
}

function readToken(value: unknown): TokenIdentity | undefined {
  const { data } = tokenField.safeParse(value);
  const standard = identityStandards.find((name) => name === data?.type);
  if (!data || !standard) return undefined;
  const { name, symbol, decimals, total_supply: supply } = data;
  return { standard, name, symbol, decimals, supply };
}

/** An answer for a diamond of a hundred facets, its metadata and tags are some tens of thousands. */
const LIMITS = { maxBytes: 2 * 1024 * 1024, timeoutMs: 10_000 } as const;

/** What is no gap, and goes to who asks. */
const passing = ['aborted', 'rateLimited', 'unavailable'] as const;

// `block` before release 8.
const Mined = z.object({ block_number: optionalField(heightField), block: optionalField(heightField) });

/** What the explorer has on record, or why it tells nothing. */
export interface RecordedIdentity {
  readonly facts: IdentityFacts;
  readonly gap?: IdentityReason | undefined;
  /** Why nothing came, where trying again may help. */
  readonly failure?: AppError | undefined;
}

/**
 * Asks the REST interface about addresses. A release that has none is asked no second time.
 *
 * @throws AppError `aborted`, `rateLimited` or `unavailable`, each question; all else is a gap.
 */
function createAddressRequests(http: ExplorerDeps, rpcUrl: string) {
  let isMissing = false;
  return {
    async address(address: Address, { signal }: Abortable): Promise<RecordedIdentity> {
      const url = explorerApiUrl(rpcUrl, `/api/v2/addresses/${address}`);
      if (!url || isMissing) return { facts: noFacts, gap: 'notOffered' };
      try {
        return {
          facts: parseAddressBody(await fetchFromExplorer(http, url, { signal, ...LIMITS }), address),
        };
      } catch (error) {
        if (!isAppError(error) || isAppError(error, ...passing)) throw error;
        const gap = gapOf(error);
        isMissing = gap === 'notOffered';
        return { facts: noFacts, gap, failure: gap === 'failed' ? error : undefined };
      }
    },

    /** The block of a transaction; undefined where the explorer does not tell. */
    async block(transaction: Hex, { signal }: Abortable): Promise<bigint | undefined> {
      const url = explorerApiUrl(rpcUrl, `/api/v2/transactions/${transaction}`);
      if (!url || isMissing) return undefined;
      try {
        const { data } = Mined.safeParse(await fetchFromExplorer(http, url, { signal, ...LIMITS }));
        return data?.block_number ?? data?.block;
      } catch (error) {
        if (!isAppError(error) || isAppError(error, ...passing)) throw error;
        return undefined;
      }
    },
  };
}

/** Of 2023 an address without a record is not found; an unknown route says so in other words, or in 400. */
function gapOf(error: AppError): IdentityReason {
  const { kind, details } = error;
  if (kind === 'notFound') return isExplorerNotFound(error) ? 'notIndexed' : 'notOffered';
  if (kind === 'unauthorized' || kind === 'forbidden' || kind === 'creditsUsedUp') return 'refused';
  return details.status === 400 ? 'notOffered' : 'failed';
}
