import { parseAbi } from '../../abi/parseAbi.ts';
import { asRecord, isRecord, type PlainRecord } from '../../base/values.ts';
import { type Address, parseAddress } from '../../eth/hex.ts';
import { findChainIdByName } from '../../networks/chains.ts';
import {
  type ContractFacts,
  createReadBounds,
  type DeploymentFacts,
  emptyFacts,
  type FileFacts,
  type LabelFacts,
  type ReadBounds,
  readBlockNumber,
  readChainId,
  readContractAddress,
  readName,
  readTransactionHash,
} from './facts.ts';
import { isObjectAt, parseJsonText, parseSpan, pickMembers, scanElements } from './jsonScan.ts';

/** Of chain, network, group, contract and its parts; a map has no more. */
const MAX_MAP_DEPTH = 8;
/** Values looked at in one file: the largest address books have some ten thousand. */
const MAX_VALUES = 50_000;
/** Of contracts, deployments and labels each. */
const MAX_FACTS = 10_000;

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
interface MapPosition {
  readonly chainId: string | undefined;
  readonly name: string | undefined;
  readonly depth: number;
}

interface FoundEntries {
  readonly contracts: Map<string, ContractFacts>;
  readonly deployments: Map<string, DeploymentFacts>;
  readonly labels: Map<string, LabelFacts>;
  values: number;
  readonly bounds: ReadBounds;
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
  const bounds = createReadBounds();
  const found: FoundEntries = {
    contracts: new Map(),
    deployments: new Map(),
    labels: new Map(),
    values: 0,
    bounds,
  };
  walk(value, { chainId: start.chainId, name: start.name, depth: 0 }, found);
  return {
    contracts: [...found.contracts.values()],
    deployments: [...found.deployments.values()],
    labels: [...found.labels.values()],
    ...bounds.summary,
  };
}

function walk(value: unknown, place: MapPosition, found: FoundEntries): void {
  if (place.depth > MAX_MAP_DEPTH || !found.bounds.allow(found.values++, MAX_VALUES, 'values')) return;
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

function walkMembers(value: PlainRecord, place: MapPosition, found: FoundEntries): void {
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
function below(key: string, place: MapPosition): MapPosition {
  const depth = place.depth + 1;
  const isNumber = /^\d{1,16}$/.test(key);
  const chainId = place.chainId ?? (isNumber ? readChainId(key) : findChainIdByName(key));
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
  { chainId, name, about }: MapPosition & { readonly about: PlainRecord },
  found: FoundEntries,
): void {
  if (name === undefined) return;
  if (Array.isArray(about.abi)) {
    const { items } = parseAbi(about.abi);
    const contract = { name, source: undefined, line: undefined, abi: items, itemLines: undefined };
    if (found.bounds.allow(found.contracts.size, MAX_FACTS, 'contracts'))
      found.contracts.set(`${name}\n${items.join('\n')}`, contract);
  }
  if (chainId === undefined || ROLES.test(name)) {
    if (found.bounds.allow(found.labels.size, MAX_FACTS, 'names'))
      found.labels.set(`${chainId} ${address} ${name}`, { address, name, chainId });
    return;
  }
  const block = readBlockNumber(
    about.blockNumber ?? about.deployedOnBlock ?? about.startBlock ?? about.block,
  );
  const transaction = readTransactionHash(about.transactionHash ?? about.txHash);
  const deployment = { chainId, address, contract: name, block, transaction, commit: undefined };
  if (found.bounds.allow(found.deployments.size, MAX_FACTS, 'deployments'))
    found.deployments.set(`${chainId} ${address}`, deployment);
}

/** Of one file: the largest token lists have about 15,000. */
const MAX_TOKENS = 20_000;

/** The tokens in the list that begins at `from`, named by their symbol: https://github.com/Uniswap/token-lists */
export function readTokens(text: string, from: number): FileFacts {
  const bounds = createReadBounds();
  const labels: LabelFacts[] = [];
  for (const token of bounds.first(MAX_TOKENS, 'tokens', scanElements(text, from))) {
    if (!isObjectAt(text, token.from)) continue;
    const { chainId, address, symbol, name } = pickMembers(text, token.from, [
      'chainId',
      'address',
      'symbol',
      'name',
    ]);
    const [at, chain] = [readContractAddress(address), readChainId(chainId)];
    const called = readName(symbol) ?? readName(name);
    if (at && chain !== undefined && called !== undefined) {
      labels.push({ address: at, name: called, chainId: chain });
    }
  }
  return { ...emptyFacts, labels, ...bounds.summary };
}

/** The first object of the list that begins at `from`, by which one knows what the list is of. */
export function readFirstObject(text: string, from: number): PlainRecord {
  for (const span of scanElements(text, from))
    return asRecord(isObjectAt(text, span.from) ? parseSpan(text, span) : undefined);
  return {};
}

/** Where a team writes down what it calls addresses, from the folder of a project on. */
export const teamLabelsPath = '.chainside/labels.json';
/** Names that one file may give. */
const MAX_LABELS = 10_000;

/** The names in a team's own file: `{"labels": [{"address": "0x…", "name": "Treasury", "chainId": 1}]}`. */
export function readTeamLabels(text: string): FileFacts {
  const { labels: entries } = asRecord(parseJsonText(text));
  if (!Array.isArray(entries)) return emptyFacts;
  const bounds = createReadBounds();
  const labels: LabelFacts[] = [];
  for (const entry of bounds.first(MAX_LABELS, 'labels', entries)) {
    const { address, name, chainId } = asRecord(entry);
    const [at, called] = [parseAddress(address), readName(name)];
    const chain = typeof chainId === 'number' ? readChainId(chainId) : undefined;
    const isOfNoChain = chainId !== undefined && chain === undefined;
    if (at && called !== undefined && !isOfNoChain)
      labels.push({ address: at, name: called, chainId: chain });
  }
  return { ...emptyFacts, labels, ...bounds.summary };
}
