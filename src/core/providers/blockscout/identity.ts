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
 * Identities as an explorer has recorded them, with one request to its REST API. For an account that is
 * enough. A contract, and an address without a complete record, is also read from the chain through the
 * explorer's JSON-RPC, if offered (Blockscout since 6.3): the record has no conflicts, no second proxy, no
 * vault and no creation block, and its implementations may be outdated. If reading the chain fails, the
 * record is used, and `reason` says so. A glance uses the record alone.
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
  const cached = createIdentityCache(clock);
  const label: ProviderLabel = { name: 'blockscout', origin: safeUrl(url), takesKey: false };

  async function load(
    address: Address,
    { signal, isGlance }: { readonly signal: AbortSignal; readonly isGlance: boolean },
  ): Promise<Identity> {
    const { facts: recorded, reason, failure } = await requests.address(address, { signal });
    const recordResult = { source: label, readAt: clock.now(), tells: recorded.tells, reason };
    if (recorded.kind === 'account' && recorded.tells.includes('proxy')) {
      return createIdentity(address, recorded, [recordResult]);
    }
    if (isGlance && reason !== 'notOffered') {
      if (failure) throw failure;
      return createIdentity(address, recorded, [recordResult]);
    }
    const { chainFacts, reason: callsReason } = await readChain(address, { signal, isGlance, recorded });
    if (failure && chainFacts.tells.length === 0) throw failure;
    const callsResult: IdentityProviderResult = {
      source: getRpcLabel(url),
      readAt: clock.now(),
      tells: chainFacts.tells,
    };
    const facts = mergeIdentityFacts(recorded, chainFacts);
    const created = isGlance ? facts.created : await withBlock(facts.created, signal);
    return createIdentity(address, { ...facts, created }, [
      recordResult,
      callsReason ? { ...callsResult, reason: callsReason } : callsResult,
    ]);
  }

  /** If the JSON-RPC fails, the record is used alone. */
  async function readChain(
    address: Address,
    { signal, isGlance, recorded }: { signal: AbortSignal; isGlance: boolean; recorded: IdentityFacts },
  ): Promise<{ readonly chainFacts: IdentityFacts; readonly reason: IdentityReason | undefined }> {
    try {
      const chainFacts = await (isGlance ? glance(address, { signal }) : read(address, { signal, recorded }));
      return { chainFacts, reason: chainFacts.tells.length > 0 ? undefined : 'notOffered' };
    } catch (error) {
      if (recorded.tells.length === 0 || isAppError(error, 'aborted')) throw error;
      const isRefusal = isAppError(error, 'unauthorized', 'forbidden', 'creditsUsedUp');
      return { chainFacts: noFacts, reason: isRefusal ? 'refused' : 'failed' };
    }
  }

  /** Adds the creation block by the transaction's REST route, if the JSON-RPC did not return it. */
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
    identity(address, fetchOptions = {}) {
      const isGlance = fetchOptions.glance === true;
      const read = (signal: AbortSignal) =>
        load(address, { signal: AbortSignal.any([signal, revoked]), isGlance });
      return cached(address, read, fetchOptions);
    },
  };
}

function createIdentity(
  address: Address,
  { tells: _, ...facts }: IdentityFacts,
  sources: readonly IdentityProviderResult[],
): Identity {
  return { address, ...facts, sources };
}

/** As many facets as the explorer shows. */
const MAX_ADDRESS_IMPLEMENTATIONS = 100;

// Fields of all releases: `address` and `creation_tx_hash` before 8, `address_hash` and
// `creation_transaction_hash` since then. Before 6.8 the single implementation is in the record itself.
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
 * Parses `/api/v2/addresses/{hash}` of any release. It has no creation block.
 *
 * @throws AppError `badResponse` if it is malformed or for another address.
 */
function parseAddressBody(body: unknown, address: Address): IdentityFacts {
  const parsed = Body.safeParse(body);
  if (!parsed.success || parseAddress(parsed.data.hash) !== address) {
    throw new AppError('badResponse', 'The response of the explorer is not for this address.', {
      cause: parsed.error,
    });
  }
  const { data } = parsed;
  const proxy = parseProxy(data, address);
  const isDelegated = proxy?.type === 'eip7702';
  const isContract = data.is_contract === true;
  const token = isContract ? parseToken(data.token) : undefined;
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

function parseProxy(body: z.infer<typeof Body>, self: Address): ProxyIdentity | undefined {
  const { proxy_type: type, implementations = [] } = body;
  const single = { address: body.implementation_address, name: body.implementation_name };
  const found = parseImplementations([...implementations, single], self, MAX_ADDRESS_IMPLEMENTATIONS);
  const conflict = parseConflicts(body.conflicting_implementations ?? [], self).filter(
    ({ address }) => !found.some((one) => one.address === address),
  );
  if (found.length === 0 && conflict.length === 0) return undefined;
  return {
    type: isProxyType(type) ? type : undefined,
    implementations: found,
    left: Math.max(0, implementations.length - MAX_ADDRESS_IMPLEMENTATIONS),
    admin: undefined,
    beacon: undefined,
    conflict,
  };
}

const Conflict = z.object({ proxy_type: z.unknown(), implementations: optionalField(listField) });

function parseConflicts(list: readonly unknown[], self: Address): readonly ProxyConflict[] {
  return list.slice(0, proxyTypes.length).flatMap((entry) => {
    const { proxy_type: type, implementations } = Conflict.safeParse(entry).data ?? {};
    const found = parseImplementations(implementations, self, MAX_ADDRESS_IMPLEMENTATIONS);
    return found.map((one) => ({ ...one, type: isProxyType(type) ? type : undefined }));
  });
}

function parseToken(value: unknown): TokenIdentity | undefined {
  const { data } = tokenField.safeParse(value);
  const standard = identityStandards.find((name) => name === data?.type);
  if (!data || !standard) return undefined;
  const { name, symbol, decimals, total_supply: supply } = data;
  return { standard, name, symbol, decimals, supply };
}

/** A response for a diamond with a hundred facets, metadata and tags has some tens of thousands of bytes. */
const LIMITS = { maxBytes: 2 * 1024 * 1024, timeoutMs: 10_000 } as const;

/** Errors that are rethrown; all others become a reason. */
const rethrownKinds = ['aborted', 'rateLimited', 'unavailable'] as const;

// `block` before release 8.
const Mined = z.object({ block_number: optionalField(heightField), block: optionalField(heightField) });

interface RecordedIdentity {
  readonly facts: IdentityFacts;
  readonly reason?: IdentityReason | undefined;
  /** The error if retrying may help. */
  readonly failure?: AppError | undefined;
}

/**
 * Requests addresses from the REST API. If a release has no such API, it is not requested again.
 *
 * Each method throws AppError `aborted`, `rateLimited` or `unavailable`; any other error becomes a reason.
 */
function createAddressRequests(http: ExplorerDeps, rpcUrl: string) {
  let isMissing = false;
  return {
    async address(address: Address, { signal }: Abortable): Promise<RecordedIdentity> {
      const url = explorerApiUrl(rpcUrl, `/api/v2/addresses/${address}`);
      if (!url || isMissing) return { facts: noFacts, reason: 'notOffered' };
      try {
        return {
          facts: parseAddressBody(await fetchFromExplorer(http, url, { signal, ...LIMITS }), address),
        };
      } catch (error) {
        if (!isAppError(error) || isAppError(error, ...rethrownKinds)) throw error;
        const reason = toIdentityReason(error);
        isMissing = reason === 'notOffered';
        return { facts: noFacts, reason, failure: reason === 'failed' ? error : undefined };
      }
    },

    async block(transaction: Hex, { signal }: Abortable): Promise<bigint | undefined> {
      const url = explorerApiUrl(rpcUrl, `/api/v2/transactions/${transaction}`);
      if (!url || isMissing) return undefined;
      try {
        const { data } = Mined.safeParse(await fetchFromExplorer(http, url, { signal, ...LIMITS }));
        return data?.block_number ?? data?.block;
      } catch (error) {
        if (!isAppError(error) || isAppError(error, ...rethrownKinds)) throw error;
        return undefined;
      }
    },
  };
}

/**
 * Releases of 2023 return 404 for an address without a record. An unknown route has another message, or
 * status 400.
 */
function toIdentityReason(error: AppError): IdentityReason {
  const { kind, details } = error;
  if (kind === 'notFound') return isExplorerNotFound(error) ? 'notIndexed' : 'notOffered';
  if (kind === 'unauthorized' || kind === 'forbidden' || kind === 'creditsUsedUp') return 'refused';
  return details.status === 400 ? 'notOffered' : 'failed';
}
