import { readAbi } from '../../abi/read/readAbi.ts';
import { asRecord, isRecord, type PlainRecord } from '../../base/records.ts';
import type { Address } from '../../values/address.ts';
import type { ContractFacts, DeploymentFacts, FileFacts, LabelFacts } from '../facts.ts';
import { type Bounds, createBounds } from './bounds.ts';
import { chainIdOfNetwork } from './networkNames.ts';
import { readBlock, readChainId, readContractAddress, readHash, readName } from './texts.ts';

/** Of chain, network, group, contract and its parts; a map has no more. */
const DEEPEST_MAP = 8;
/** Values looked at in one file: the largest address books have some ten thousand. */
const MOST_VALUES = 50_000;
/** Of contracts, deployments and labels each. */
const MOST_FACTS = 10_000;

/** Members that say something of what holds them instead of naming a contract. */
const NO_NAMES: ReadonlySet<string> = new Set([
  'address',
  'addresses',
  'contracts',
  'contract',
  'deployments',
  'deployed',
  'default',
  'networks',
  'chains',
  'tokens',
  'proxy',
]);
/** Accounts, not contracts: a name, but nothing that was deployed. */
const ROLES =
  /^(?:from|to|sender|recipient|receiver|deployer|owner|admin|account|signer|user|operator|wallet|eoa|treasurer|ownedBy)s?$/i;

/** Where in a map a value stands. */
interface Place {
  readonly chainId: string | undefined;
  readonly name: string | undefined;
  readonly depth: number;
}

interface Found {
  readonly contracts: Map<string, ContractFacts>;
  readonly deployments: Map<string, DeploymentFacts>;
  readonly labels: Map<string, LabelFacts>;
  values: number;
  readonly bounds: Bounds;
}

/**
 * Addresses in a map: by chain id and name, by name and chain id, beside or below `"chainId": 1`, or by the name of a
 * well-known network; each may be an object with `address` and `abi`. Where no chain is told an address has a name only.
 *
 * @param start chain and name that hold for all, as the path of the file or the name of a constant says.
 */
export function readAddressMap(
  value: unknown,
  start: { readonly chainId?: string | undefined; readonly name?: string | undefined } = {},
): FileFacts {
  const bounds = createBounds();
  const found: Found = { contracts: new Map(), deployments: new Map(), labels: new Map(), values: 0, bounds };
  walk(value, { chainId: start.chainId, name: start.name, depth: 0 }, found);
  return {
    contracts: [...found.contracts.values()],
    deployments: [...found.deployments.values()],
    labels: [...found.labels.values()],
    ...bounds.met,
  };
}

function walk(value: unknown, place: Place, found: Found): void {
  if (place.depth > DEEPEST_MAP || !found.bounds.allow(found.values++, MOST_VALUES, 'values')) return;
  if (typeof value === 'string') {
    const address = readContractAddress(value);
    if (address) put(address, { ...place, about: {} }, found);
    return;
  }
  if (Array.isArray(value)) {
    // Of a list of addresses no single one has the name.
    for (const each of value) if (isRecord(each)) walk(each, { ...place, depth: place.depth + 1 }, found);
    return;
  }
  if (isRecord(value)) walkMembers(value, place, found);
}

function walkMembers(value: PlainRecord, place: Place, found: Found): void {
  const chainId = chainIn(value) ?? place.chainId;
  const address = readContractAddress(value.address);
  if (address) {
    const name = readName(value.contractName) ?? place.name ?? readName(value.name);
    put(address, { ...place, chainId, name, about: value }, found);
    return;
  }
  for (const [key, each] of Object.entries(value)) {
    if (key === 'abi') continue;
    if (typeof each === 'string' || typeof each === 'object')
      walk(each, below(key, { ...place, chainId }), found);
  }
}

/** The chain of all that an object holds; EigenLayer writes it into `chainInfo` beside the addresses. */
function chainIn(value: PlainRecord): string | undefined {
  const { chainId, chain_id: inPython, chainInfo } = value;
  return readChainId(chainId) ?? readChainId(inPython) ?? readChainId(asRecord(chainInfo).chainId);
}

/** Once the chain is known, a number is a position in a list, and the name of a network that of a token. */
function below(key: string, place: Place): Place {
  const depth = place.depth + 1;
  const isNumber = /^\d{1,16}$/.test(key);
  const chainId = place.chainId ?? (isNumber ? readChainId(key) : chainIdOfNetwork(key));
  if (isNumber || chainId !== place.chainId || NO_NAMES.has(key)) return { ...place, chainId, depth };
  return { chainId, name: nameOf(key, place.name), depth };
}

/** `baseTokenAddress` is the base token; a proxy has the name of what it is of, an implementation of what it is behind. */
function nameOf(key: string, holder: string | undefined): string | undefined {
  const name = readName(key.replace(/_?address$/i, '') || key);
  if (holder !== undefined && NO_NAMES.has(name ?? '')) return holder;
  return /^impl(?:ementation)?$/i.test(name ?? '') && holder !== undefined
    ? `${holder}_Implementation`
    : name;
}

function put(
  address: Address,
  { chainId, name, about }: Place & { readonly about: PlainRecord },
  found: Found,
): void {
  if (name === undefined) return;
  if (Array.isArray(about.abi)) {
    const { items } = readAbi(about.abi);
    const contract = { name, source: undefined, line: undefined, abi: items, itemLines: undefined };
    if (found.bounds.allow(found.contracts.size, MOST_FACTS, 'contracts'))
      found.contracts.set(`${name}\n${items.join('\n')}`, contract);
  }
  if (chainId === undefined || ROLES.test(name)) {
    if (found.bounds.allow(found.labels.size, MOST_FACTS, 'names'))
      found.labels.set(`${chainId} ${address} ${name}`, { address, name, chainId });
    return;
  }
  const block = readBlock(about.blockNumber ?? about.deployedOnBlock ?? about.startBlock ?? about.block);
  const transaction = readHash(about.transactionHash ?? about.txHash);
  const deployment = { chainId, address, contract: name, block, transaction, commit: undefined };
  if (found.bounds.allow(found.deployments.size, MOST_FACTS, 'deployments'))
    found.deployments.set(`${chainId} ${address}`, deployment);
}
