import { isAppError, safeUrl } from '../../base/errors.ts';
import type { SourceLabel } from '../../base/source.ts';
import type { Identity, IdentityFacts, IdentityGap, IdentityTeller } from '../../identity/identity.ts';
import { noFacts } from '../../identity/identityReader.ts';
import type { IdentitySource } from '../../identity/identitySource.ts';
import { joinFacts } from '../../identity/joinFacts.ts';
import { createKeptIdentities } from '../../identity/keptIdentities.ts';
import type { Address } from '../../values/address.ts';
import { callsLabel } from '../calls/endpoint.ts';
import { createEndpointReader } from '../calls/identityCalls.ts';
import type { SourceOptions } from '../kind/sourceKind.ts';
import { createAddressRequests } from './addressRequests.ts';

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
export function createBlockscoutIdentity(options: Omit<SourceOptions, 'key' | 'rateLimit'>): IdentitySource {
  const { clock, url, revoked } = options;
  const requests = createAddressRequests(options, url);
  const { read, glance } = createEndpointReader(options);
  const kept = createKeptIdentities(clock);
  const label: SourceLabel = { name: 'blockscout', origin: safeUrl(url), takesKey: false };

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
    const caller: IdentityTeller = { source: callsLabel(url), readAt: clock.now(), tells: seen.tells };
    const facts = joinFacts(recorded, seen);
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
  ): Promise<{ readonly seen: IdentityFacts; readonly gap: IdentityGap | undefined }> {
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
  sources: readonly IdentityTeller[],
): Identity {
  return { address, ...facts, sources };
}
