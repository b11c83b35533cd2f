import type { Clock } from '../base/clock.ts';
import { throwIfAborted } from '../base/errors.ts';
import { createExpiringCache } from '../base/expiringCache.ts';
import type { Address } from '../values/address.ts';
import type { Identity } from './identity.ts';
import type { IdentityAsk } from './identitySource.ts';

/** An account can become a contract with the next block, and a delegated one somebody else's. */
const KEPT_FOR_MS = 60_000;
/** A contract stays one; what a proxy runs is seldom changed. */
const CONTRACT_KEPT_FOR_MS = 15 * 60_000;
const KEPT_AT_MOST = 500;

/** Answers of one source about one chain. */
export type KeptIdentities = (
  address: Address,
  load: (signal: AbortSignal) => Promise<Identity>,
  options?: IdentityAsk,
) => Promise<Identity>;

/**
 * Keeps what is at addresses, that of contracts for longer where no source failed, and shares what is on its way. A glance takes what is known
 * of a contract, and never stands in for a whole answer.
 *
 * @example
 * const kept = createKeptIdentities(systemClock);
 * await kept(address, (signal) => read(address, { signal }));
 */
export function createKeptIdentities(clock: Clock): KeptIdentities {
  const kept = { clock, ttlMs: KEPT_FOR_MS, maxEntries: KEPT_AT_MOST };
  const answers = createExpiringCache<Identity>(kept);
  const glances = createExpiringCache<Identity>(kept);
  const contracts = new Map<Address, { readonly identity: Identity; readonly keptAt: number }>();

  function keep(identity: Identity): void {
    contracts.delete(identity.address);
    if (identity.kind !== 'contract' || identity.sources.some(({ gap }) => gap === 'failed')) return;
    contracts.set(identity.address, { identity, keptAt: clock.elapsed() });
    const [oldest] = contracts.keys();
    if (contracts.size > KEPT_AT_MOST && oldest !== undefined) contracts.delete(oldest);
  }

  return async (address, load, options = {}) => {
    throwIfAborted(options.signal);
    const known = options.fresh ? undefined : contracts.get(address);
    if (known && clock.elapsed() - known.keptAt < CONTRACT_KEPT_FOR_MS) return known.identity;
    const loaded = async (signal: AbortSignal): Promise<Identity> => {
      const identity = await load(signal);
      if (options.glance) return identity.kind === 'account' ? identity : { ...identity, isGlance: true };
      keep(identity);
      return identity;
    };
    return (options.glance ? glances : answers).get(address, loaded, options);
  };
}
