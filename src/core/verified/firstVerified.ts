import { type AppError, asAppError, isAppError } from '../base/errors.ts';
import type { AskOptions } from '../base/source.ts';
import type { Address } from '../values/address.ts';
import type { ProxyFacts, VerifiedContract, VerifiedSource } from './verifiedContract.ts';

/** The part of a {@link VerifiedSource} that an ABI is made of. */
export type AbiSource = Pick<VerifiedSource, 'verifiedContract' | 'proxyAt'>;

/**
 * Several sources as one, asked one after the other: the first that has the contract itself verified tells, else the
 * first that knows a twin. One that fails is passed over.
 *
 * @throws AppError, each question, of a source that failed where no other knows: unknown is not unverified.
 * @example
 * const source = firstVerified([explorer, sourcify]);
 */
export function firstVerified(sources: readonly AbiSource[]): AbiSource {
  return {
    async verifiedContract(address, options) {
      let twin: VerifiedContract | undefined;
      const ask = async (source: AbiSource) => {
        const contract = await source.verifiedContract(address, options);
        if (contract?.match !== 'twin') return contract;
        twin ??= contract;
        return undefined;
      };
      try {
        return (await firstOf(sources, ask, options)) ?? twin;
      } catch (error) {
        if (twin && !isAppError(error, 'aborted')) return twin;
        throw error;
      }
    },
    proxyAt: (address: Address, options?: AskOptions) =>
      firstOf<ProxyFacts>(sources, (source) => source.proxyAt(address, options), options),
  };
}

async function firstOf<T>(
  sources: readonly AbiSource[],
  ask: (source: AbiSource) => Promise<T | undefined>,
  { signal }: AskOptions = {},
): Promise<T | undefined> {
  let failure: AppError | undefined;
  for (const source of sources) {
    try {
      const answer = await ask(source);
      if (answer) return answer;
    } catch (error) {
      if (signal?.aborted) throw error;
      // A chain that a service does not have is no failure of it.
      if (!isAppError(error, 'notServed')) failure ??= asAppError(error);
    }
  }
  if (failure) throw failure;
  return undefined;
}
