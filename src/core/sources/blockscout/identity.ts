import { safeUrl } from '../../base/errors.ts';
import type { SourceLabel } from '../../base/source.ts';
import type { Identity, IdentityFacts, IdentityTeller } from '../../identity/identity.ts';
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
 * no block of the creation, and what it names may be old. A glance takes the record as it is.
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
    const seen = await (isGlance ? glance(address, { signal }) : read(address, { signal, known: recorded }));
    if (failure && seen.tells.length === 0) throw failure;
    const caller: IdentityTeller = { source: callsLabel(url), readAt: clock.now(), tells: seen.tells };
    const callers = seen.tells.length > 0 ? [caller] : [{ ...caller, gap: 'notOffered' as const }];
    const facts = joinFacts(recorded, seen);
    const created = isGlance ? facts.created : await withBlock(facts.created, signal);
    return identityOf(address, { ...facts, created }, [teller, ...callers]);
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
