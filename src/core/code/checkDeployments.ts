import type { Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { isAppError } from '../base/errors.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import { pushAll } from '../base/values.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { mayBeProxy } from '../identity/proxyPatterns.ts';
import { isDevelopmentChain } from '../networks/network.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import type { AddressCheck } from '../project/index/deploymentTable.ts';
import {
  type ContractKey,
  type IndexedDeployment,
  type RunContract,
  toContractKey,
} from '../project/index/joinContracts.ts';
import type { ProjectFiles } from '../project/projectFiles.ts';
import type { CreationReceipt } from '../rpc/methods.ts';
import { createBuildReader } from '../traces/readBuilds.ts';
import { isUpgradeEvent } from '../upgrades/upgradeEvents.ts';
import { type CheckedRecord, decideDeployment } from './decideDeployment.ts';
import { type CodeFinder, createCodeFinder } from './findContractByCode.ts';

export interface DeploymentCheckDeps {
  readonly client: Pick<
    ChainClient,
    'fetchBlock' | 'fetchImplementations' | 'getCode' | 'getCreationReceipt'
  >;
  readonly chainId: number;
  readonly index: Pick<ContractIndex, 'contractOf' | 'contracts' | 'deploymentRecordsAt' | 'version'>;
  readonly files: Pick<ProjectFiles, 'list' | 'read'>;
  readonly clock: Clock;
}

export interface DeploymentCheckRequest {
  readonly addresses: readonly Address[];
  /** The block whose state decides. */
  readonly block: bigint;
}

/** Remembers what it has compared, until the index changes. */
export interface DeploymentChecker {
  /**
   * Compares the code at addresses with the builds of their records, and finds what proxies run. An address without a
   * record is in the result only if a build has its code, or the code that it runs as a proxy.
   *
   * @throws AppError `notServed` without `eth_getCode`, `historyUnavailable`; any network kind; the reason of `signal`.
   */
  check(request: DeploymentCheckRequest, options?: Abortable): Promise<ReadonlyMap<Address, AddressCheck>>;
}

/** Requests that are on their way at once: a client sends them in batches. */
const MAX_CONCURRENT = 50;
/** No node prunes transactions of a shorter chain. */
const MIN_PRUNED_HEAD = 10_000n;
/** Implementations of one proxy: diamonds have some hundred facets. */
const MAX_IMPLEMENTATIONS = 200;

/**
 * Creates the check of deployment records by the code and the transactions of a chain.
 *
 * @example
 * const checks = await createDeploymentChecker(deps).check({ addresses, block }, { signal });
 * index.settleDeployments(31337, checks);
 */
export function createDeploymentChecker(deps: DeploymentCheckDeps): DeploymentChecker {
  const { client, chainId, index, files, clock } = deps;
  let finder: CodeFinder | undefined;
  let version = -1;

  /** A new version of the index may have other builds. */
  function getFinder(): CodeFinder {
    if (!finder || version !== index.version)
      finder = createCodeFinder({ contracts: index.contracts, builds: createBuildReader(files), clock });
    version = index.version;
    return finder;
  }

  async function readCodes(
    addresses: Iterable<Address>,
    block: bigint,
    options: Abortable,
  ): Promise<ReadonlyMap<Address, Hex>> {
    const read = async (to: Address) => [to, await client.getCode({ to, block }, options)] as const;
    return new Map(await mapInGroups([...new Set(addresses)], read));
  }

  async function readImplementations(
    codes: ReadonlyMap<Address, Hex>,
    block: bigint,
    options: Abortable,
  ): Promise<ReadonlyMap<Address, readonly Address[]>> {
    const proxies = [...codes].filter(([, code]) => code !== '0x' && mayBeProxy(code));
    const read = async ([address]: readonly [Address, Hex]) => {
      const found = await client.fetchImplementations(address, block, options);
      return [address, found.slice(0, MAX_IMPLEMENTATIONS)] as const;
    };
    return new Map(await mapInGroups(proxies, read));
  }

  /** Whether the transactions of records are on this chain. */
  async function readOrigins(
    records: readonly IndexedDeployment[],
    head: bigint,
    options: Abortable,
  ): Promise<ReadonlyMap<IndexedDeployment, FoundOrigin>> {
    const read = async (record: IndexedDeployment) =>
      [record, await readOrigin(record, head, options)] as const;
    return new Map(await mapInGroups(records, read));
  }

  async function readOrigin(
    { address, transaction, block }: IndexedDeployment,
    head: bigint,
    options: Abortable,
  ): Promise<FoundOrigin> {
    if (transaction === undefined) return { origin: 'unknown' };
    try {
      const receipt = await client.getCreationReceipt(transaction, options);
      if (receipt)
        return isCreationOf(receipt, address)
          ? { origin: 'onChain', block: receipt.block }
          : { origin: 'absent' };
      if (block === undefined)
        return { origin: head < MIN_PRUNED_HEAD || isDevelopmentChain(chainId) ? 'absent' : 'unknown' };
      if (block > head) return { origin: 'absent' };
      // A node may no longer find old transactions by their hashes.
      const found = await client.fetchBlock(block, options);
      if (!found) return { origin: 'unknown' };
      if (found.transactions.some(({ hash }) => hash === transaction)) return { origin: 'onChain', block };
      return { origin: found.transactions.length < found.transactionCount ? 'unknown' : 'absent' };
    } catch (error) {
      if (isAppError(error, 'rpc', 'notServed', 'badResponse', 'tooLarge')) return { origin: 'unknown' };
      throw error;
    }
  }

  return {
    async check({ addresses, block }, options = {}) {
      const codeFinder = getFinder();
      const slices = createTimeSlices(clock);
      const codes = await readCodes(addresses, block, options);
      const implementations = await readImplementations(codes, block, options);
      const behind = [...implementations.values()].flat().filter((address) => !codes.has(address));
      const allCodes = new Map([...codes, ...(await readCodes(behind, block, options))]);
      const records = new Map(
        [...allCodes.keys()].map(
          (address) => [address, index.deploymentRecordsAt(address, chainId)] as const,
        ),
      );
      const recordsAt = (address: Address) => records.get(address) ?? [];
      const withCode = [...allCodes].filter(([, code]) => code !== '0x').map(([address]) => address);
      const origins = await readOrigins(withCode.flatMap(recordsAt), block, options);
      const checks = new Map<Address, AddressCheck>();
      for (const [address, code] of allCodes) {
        const own = recordsAt(address);
        const checked: CheckedRecord[] = [];
        for (const record of code === '0x' ? [] : own) {
          const contract = index.contractOf(record);
          const match = await codeFinder.match(contract, { code, address }, options);
          checked.push({ record, contract, match, ...(origins.get(record) ?? { origin: 'unknown' }) });
        }
        const isKnown = checked.some(({ match }) => match === 'exact' || match === 'code');
        const found = isKnown ? undefined : await codeFinder.find(code, options);
        const missing: AddressCheck | undefined = own.length > 0 ? { state: 'missing' } : undefined;
        const decided =
          code === '0x'
            ? missing
            : decideDeployment(checked, found && toContractKey(found.contract), found?.others);
        if (decided) checks.set(address, decided);
        if (slices.isOver()) await slices.rest(options);
      }
      for (const [address, run] of implementations) {
        const check = checks.get(address);
        const runs = run.map((implementation): RunContract => {
          return { implementation, contract: findContract(implementation, checks.get(implementation)) };
        });
        // No build has the code of a clone.
        const isKnown = check !== undefined || runs.some(({ contract }) => contract);
        if (isKnown && runs.length > 0) checks.set(address, { state: 'current', ...check, runs });
      }
      return checks;

      function findContract(address: Address, check: AddressCheck | undefined): ContractKey | undefined {
        if (!check || check.code) return check?.code;
        const record = recordsAt(address).find(
          ({ transaction }) => transaction === check.record?.transaction,
        );
        const contract = record && index.contractOf(record);
        return contract && toContractKey(contract);
      }
    },
  };
}

/**
 * The addresses of a chain whose records a check may decide, those that a tool deployed last first: all, or, if
 * `isDoubtful`, those with several records or a name that others have too, and contracts of proxies.
 */
export function listAddressesToCheck(
  index: Pick<ContractIndex, 'contractOf' | 'deploymentRecords'>,
  chainId: number,
  { isDoubtful = false, most }: { readonly isDoubtful?: boolean; readonly most: number },
): readonly Address[] {
  const chain = String(chainId);
  const records = index.deploymentRecords.filter((one) => one.chainId === chain);
  const addressesByName = new Map<string, Set<Address>>();
  const namesByAddress = new Map<Address, Set<string>>();
  for (const { address, contract = '' } of records) {
    addressesByName.set(contract, (addressesByName.get(contract) ?? new Set()).add(address));
    namesByAddress.set(address, (namesByAddress.get(address) ?? new Set()).add(contract));
  }
  const isInDoubt = (record: IndexedDeployment) =>
    (addressesByName.get(record.contract ?? '')?.size ?? 0) > 1 ||
    (namesByAddress.get(record.address)?.size ?? 0) > 1 ||
    (index.contractOf(record)?.abi ?? []).some((text) => isUpgradeEvent(text) || OF_PROXIES.test(text));
  const listed = isDoubtful ? records.filter(isInDoubt) : [...records];
  const isByTool = ({ transaction }: IndexedDeployment) => Number(transaction !== undefined);
  // The tools whose files have no time keep only what they deployed last.
  const toTime = ({ time = Number.MAX_SAFE_INTEGER }: IndexedDeployment) => time;
  listed.sort((a, b) => isByTool(b) - isByTool(a) || toTime(b) - toTime(a));
  return [...new Set(listed.map(({ address }) => address))].slice(0, most);
}

/** ABI items of proxies, of beacons and diamonds, and of contracts that are made for proxies. */
const OF_PROXIES =
  /^(?:event AdminChanged|function (?:initialize|proxiableUUID|implementation|upgradeTo\w*|masterCopy))\(/;

type FoundOrigin = Pick<CheckedRecord, 'block' | 'origin'>;

/** A transaction with a recipient may have created the contract through it. */
function isCreationOf({ contract, isFailed }: CreationReceipt, address: Address): boolean {
  return !isFailed && (contract === undefined || contract === address);
}

async function mapInGroups<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += MAX_CONCURRENT)
    pushAll(results, await Promise.all(items.slice(at, at + MAX_CONCURRENT).map(map)));
  return results;
}
