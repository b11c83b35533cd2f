import type { Abortable } from '../../../base/abortable.ts';
import { AppError, asAppError, isAppError, safeUrl, withSource } from '../../../base/errors.ts';
import { createExpiringCache } from '../../../base/expiringCache.ts';
import type { AskOptions, SourceLabel } from '../../../base/source.ts';
import { getFromExplorer } from '../../../explorer/explorerRoutes.ts';
import { explorerApi } from '../../../explorer/explorerUrls.ts';
import { isThingMissing } from '../../../explorer/refusalWords.ts';
import type { Address } from '../../../values/address.ts';
import type { VerifiedFiles, VerifiedSource } from '../../../verified/verifiedContract.ts';
import type { SourceOptions } from '../../kind/sourceKind.ts';
import { contractOffers } from './offers.ts';
import { readModuleAbi } from './readModuleContract.ts';
import { readSmartContract, type SmartContract } from './readSmartContract.ts';

const KEPT_FOR_MS = 60_000;
const KEPT_AT_MOST = 200;
/** Sources, which come along with what is asked for and are seldom read. */
const SOURCES_KEPT_AT_MOST = 4;
/** Sources and bytecode come with the ABI, of the largest contracts some megabytes. */
const MOST_BYTES = 16 * 1024 * 1024;

const NOTHING: SmartContract = { contract: undefined, proxy: undefined, files: undefined };

/**
 * The verified contracts of a Blockscout explorer: by its REST interface, and by the module beside it where a release
 * has no such route, which is remembered.
 *
 * @example
 * const contracts = createExplorerContracts({ ...http, url: rpcUrl, chainId: 1, key: undefined, rateLimit, revoked });
 * (await contracts.verifiedContract(address))?.name;
 */
export function createExplorerContracts(options: SourceOptions): VerifiedSource {
  const { url: rpcUrl, clock, revoked } = options;
  const label: SourceLabel = { name: 'blockscout', origin: safeUrl(rpcUrl), takesKey: false };
  const kept = createExpiringCache<Omit<SmartContract, 'files'>>({
    ...{ clock, ttlMs: KEPT_FOR_MS, maxEntries: KEPT_AT_MOST },
  });
  const keptFiles = createExpiringCache<VerifiedFiles | undefined>({
    ...{ clock, ttlMs: KEPT_FOR_MS, maxEntries: SOURCES_KEPT_AT_MOST },
  });
  let hasRest: boolean | undefined;

  const from = () => ({ source: label, readAt: clock.now() });

  async function get(path: string, query: Readonly<Record<string, string>>, { signal }: Abortable) {
    const url = explorerApi(rpcUrl, path, query);
    if (!url) throw new AppError('notServed', 'This is no explorer.');
    return getFromExplorer(options, url, { signal, maxBytes: MOST_BYTES });
  }

  /** Undefined where the release has no such route. */
  async function byRest(address: Address, asked: Abortable): Promise<SmartContract | undefined> {
    try {
      const json = await get(`/api/v2/smart-contracts/${address}`, {}, asked);
      hasRest = true;
      return readSmartContract(json, { ...from(), address });
    } catch (error) {
      if (!isAppError(error, 'notFound', 'badResponse')) throw error;
      const { status } = error.details;
      if (isThingMissing(error)) return NOTHING;
      // An unknown route is 404 in old releases and 400 in newer ones.
      if (hasRest || (status !== 404 && status !== 400)) throw error;
      hasRest = false;
      return undefined;
    }
  }

  async function byModule(address: Address, asked: Abortable): Promise<SmartContract> {
    const json = await get('/api', { module: 'contract', action: 'getabi', address }, asked);
    return { ...NOTHING, contract: readModuleAbi(json, { ...from(), address }) };
  }

  async function read(address: Address, askedUntil: AbortSignal): Promise<SmartContract> {
    const signal = AbortSignal.any([askedUntil, revoked]);
    try {
      const known = hasRest === false ? undefined : await byRest(address, { signal });
      return known ?? (await byModule(address, { signal }));
    } catch (error) {
      throw withSource(asAppError(error), label);
    }
  }

  function contractAt(address: Address, asked?: AskOptions): Promise<Omit<SmartContract, 'files'>> {
    const load = async (signal: AbortSignal) => {
      const { files, ...contract } = await read(address, signal);
      await keptFiles.get(address, async () => files, { fresh: true });
      return contract;
    };
    return kept.get(address, load, asked);
  }

  return {
    label,
    offers: contractOffers,
    verifiedContract: async (address, asked) => (await contractAt(address, asked)).contract,
    proxyAt: async (address, asked) => (await contractAt(address, asked)).proxy,
    verifiedSources: (address, asked) =>
      keptFiles.get(address, async (signal) => (await read(address, signal)).files, asked),
    async verifiedOn() {
      throw new AppError('notServed', 'An explorer knows one chain only.', { source: label });
    },
  };
}
