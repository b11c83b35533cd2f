import type { Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { type AppError, asAppError, isAppError } from '../base/errors.ts';
import type { Address } from '../eth/hex.ts';
import type { Identity, IdentityProvider, IdentityReason } from '../identity/identity.ts';

/**
 * `provider`, where the creation of a contract that it does not report comes from another provider. The other one is
 * found when it is needed, and never asked for a glance. If it fails, the identity is that of `provider`, and the source
 * says why.
 *
 * @param findOther undefined if there is none.
 * @example
 * const { identity } = withCreation(nodeIdentity, async () => otherIdentity, systemClock);
 */
export function withCreation(
  provider: IdentityProvider,
  findOther: () => Promise<IdentityProvider | undefined>,
  clock: Clock,
): IdentityProvider {
  return {
    get label() {
      return provider.label;
    },
    offers: provider.offers,
    async identity(address, options = {}) {
      const identity = await provider.identity(address, options);
      if (options.glance || !lacksCreation(identity)) return identity;
      const other = await findOther();
      if (!other) return identity;
      const { created, sources } = await readCreation(other, address, { signal: options.signal, clock });
      return {
        ...identity,
        created: created ?? identity.created,
        sources: [...identity.sources, ...sources],
      };
    },
  };
}

/** A contract in the genesis block has no creation, and a source reports that. */
function lacksCreation({ kind, created, sources }: Identity): boolean {
  const isReported = sources.some(({ tells }) => tells.includes('created'));
  return kind === 'contract' && created?.block === undefined && !(isReported && created === undefined);
}

/** A creation does not change, so that none is requested anew. */
async function readCreation(
  provider: IdentityProvider,
  address: Address,
  { signal, clock }: Abortable & { readonly clock: Clock },
): Promise<Pick<Identity, 'created' | 'sources'>> {
  try {
    return await provider.identity(address, { signal });
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted' || error.kind === 'internal') throw error;
    const source = provider.label;
    return {
      created: undefined,
      sources: [{ source, readAt: clock.now(), tells: [], reason: toReason(error) }],
    };
  }
}

function toReason(error: AppError): IdentityReason {
  if (error.kind === 'notServed') return 'notOffered';
  return isAppError(error, 'unauthorized', 'forbidden', 'creditsUsedUp') ? 'refused' : 'failed';
}
