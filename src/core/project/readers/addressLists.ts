import { asRecord, isRecord, type PlainRecord } from '../../base/values.ts';
import { type Address, parseAddress } from '../../eth/hex.ts';
import { findChainIdByName } from '../../networks/chains.ts';
import { readAnyAbi } from './anyAbi.ts';
import {
  type ContractFacts,
  createDeployment,
  createReadBounds,
  type DeploymentFacts,
  emptyFacts,
  type FactsInSteps,
  type FileFacts,
  type LabelFacts,
  type ReadBounds,
  readBlockNumber,
  readChainId,
  readContractAddress,
  readName,
  readSourcePath,
  readTransactionHash,
  type UnitFacts,
} from './facts.ts';
import { isListAt, isObjectAt, parseJsonText, parseSpan, pickMembers, scanElements } from './jsonScan.ts';

/** Chain, network, group, contract and its parts; no real map is deeper. */
const MAX_MAP_DEPTH = 8;
/** Values read from one file: the largest address books have some ten thousand. */
const MAX_VALUES = 50_000;
/** Contracts, deployments and labels each. */
const MAX_FACTS = 10_000;
/** Per file: the largest token lists have about 15,000. */
const MAX_TOKENS = 20_000;
/** Per file. */
const MAX_LABELS = 10_000;
const MAX_UNITS = 2_000;
/** Of a field, and of a unit. */
const MAX_UNIT_CHARS = 300;
/** The file in which a team names addresses, relative to the project's folder. */
export const teamLabelsPath = '.chainside/labels.json';

/** Keys that describe their parent instead of naming a contract. */
const GENERIC_KEYS: ReadonlySet<string> = new Set([
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
/** Accounts rather than contracts: they get a name, but are not deployments. */
const ACCOUNT_ROLES =
  /^(?:from|to|sender|recipient|receiver|deployer|owner|admin|account|signer|user|operator|wallet|eoa|treasurer|ownedBy)s?$/i;

/**
 * Reads a map of addresses: by chain ID and name, by name and chain ID, beside or below `"chainId": 1`, or by the name of a
 * well-known network. An address may be an object with `address` and `abi`. Without a chain, an address only gets a name.
 *
 * @param start chain and name of the complete map, from the path of the file or the name of a constant.
 */
export function* readAddressMap(
  value: unknown,
  start: { readonly chainId?: string | undefined; readonly name?: string | undefined } = {},
): FactsInSteps {
  const bounds = createReadBounds();
  const found: FoundEntries = {
    contracts: new Map(),
    deployments: new Map(),
    labels: new Map(),
    values: 0,
    bounds,
  };
  yield* walk(value, { chainId: start.chainId, name: start.name, depth: 0 }, found);
  return {
    contracts: [...found.contracts.values()],
    deployments: [...found.deployments.values()],
    labels: [...found.labels.values()],
    ...bounds.summary,
  };
}

/** The context of a value in a map, from the keys above it. */
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

function* walk(value: unknown, position: MapPosition, found: FoundEntries): Generator<void> {
  yield;
  if (position.depth > MAX_MAP_DEPTH || !found.bounds.allow(found.values++, MAX_VALUES, 'values')) return;
  if (typeof value === 'string') {
    const address = readContractAddress(value);
    if (address) addAddress(address, { ...position, details: {} }, found);
    return;
  }
  if (Array.isArray(value)) {
    // The name of a list does not name any single address in it.
    for (const each of value)
      if (isRecord(each)) yield* walk(each, { ...position, depth: position.depth + 1 }, found);
    return;
  }
  if (isRecord(value)) yield* walkMembers(value, position, found);
}

function* walkMembers(value: PlainRecord, position: MapPosition, found: FoundEntries): Generator<void> {
  const chainId = findChainId(value) ?? position.chainId;
  const address = readContractAddress(value.address);
  if (address) {
    const name = readName(value.contractName) ?? position.name ?? readName(value.name);
    addAddress(address, { ...position, chainId, name, details: value }, found);
    return;
  }
  for (const [key, each] of Object.entries(value)) {
    if (key === 'abi') continue;
    if (typeof each === 'string' || typeof each === 'object')
      yield* walk(each, toChildPosition(key, { ...position, chainId }), found);
  }
}

/** The chain of everything in an object; EigenLayer writes it into `chainInfo` beside the addresses. */
function findChainId(value: PlainRecord): string | undefined {
  const { chainId, chain_id: snakeCaseChainId, chainInfo } = value;
  return readChainId(chainId) ?? readChainId(snakeCaseChainId) ?? readChainId(asRecord(chainInfo).chainId);
}

/** Below a chain, a number is an index in a list, and the name of a network is that of a token. */
function toChildPosition(key: string, position: MapPosition): MapPosition {
  const depth = position.depth + 1;
  const isNumber = /^\d{1,16}$/.test(key);
  const chainId = position.chainId ?? (isNumber ? readChainId(key) : findChainIdByName(key));
  if (isNumber || chainId !== position.chainId || GENERIC_KEYS.has(key))
    return { ...position, chainId, depth };
  return { chainId, name: toName(key, position.name), depth };
}

/** `baseTokenAddress` names the base token; `proxy` has the name of its parent, `impl` that name with a suffix. */
function toName(key: string, parentName: string | undefined): string | undefined {
  const name = readName(key.replace(/_?address$/i, '') || key);
  if (parentName !== undefined && GENERIC_KEYS.has(name ?? '')) return parentName;
  return /^impl(?:ementation)?$/i.test(name ?? '') && parentName !== undefined
    ? `${parentName}_Implementation`
    : name;
}

function addAddress(
  address: Address,
  { chainId, name, details }: MapPosition & { readonly details: PlainRecord },
  found: FoundEntries,
): void {
  if (name === undefined) return;
  if (Array.isArray(details.abi)) {
    const read = readAnyAbi(details.abi).facts;
    const contract = { name, source: undefined, line: undefined, ...read, itemLines: undefined };
    if (found.bounds.allow(found.contracts.size, MAX_FACTS, 'contracts'))
      found.contracts.set(`${name}\n${read.abi.join('\n')}`, contract);
  }
  if (chainId === undefined || ACCOUNT_ROLES.test(name)) {
    if (found.bounds.allow(found.labels.size, MAX_FACTS, 'names'))
      found.labels.set(`${chainId} ${address} ${name}`, { address, name, chainId });
    return;
  }
  const block = readBlockNumber(
    details.blockNumber ?? details.deployedOnBlock ?? details.startBlock ?? details.block,
  );
  const transaction = readTransactionHash(details.transactionHash ?? details.txHash);
  const deployment = { chainId, address, contract: name, block, transaction, commit: undefined };
  if (found.bounds.allow(found.deployments.size, MAX_FACTS, 'deployments'))
    found.deployments.set(`${chainId} ${address}`, deployment);
}

/** Reads the token list that begins at `from`; symbols become names: https://github.com/Uniswap/token-lists */
export function* readTokens(text: string, from: number): FactsInSteps {
  const bounds = createReadBounds();
  const labels: LabelFacts[] = [];
  for (const token of bounds.first(MAX_TOKENS, 'tokens', scanElements(text, from))) {
    yield;
    if (!isObjectAt(text, token.from)) continue;
    const { chainId, address, symbol, name } = pickMembers(text, token.from, [
      'chainId',
      'address',
      'symbol',
      'name',
    ]);
    const [at, chain] = [readContractAddress(address), readChainId(chainId)];
    const label = readName(symbol) ?? readName(name);
    if (at && chain !== undefined && label !== undefined) {
      labels.push({ address: at, name: label, chainId: chain });
    }
  }
  return { ...emptyFacts, labels, ...bounds.summary };
}

/** Entries that show the kind of a list. */
const FIRST_ENTRIES = 16;

/** The first objects or texts of the list that begins at `from`, which show the kind of the list. */
export function readFirstEntries(text: string, from: number): readonly unknown[] {
  const entries: unknown[] = [];
  for (const span of scanElements(text, from)) {
    entries.push(isListAt(text, span.from) ? undefined : parseSpan(text, span));
    if (entries.length === FIRST_ENTRIES) break;
  }
  return entries;
}

/**
 * Reads a team's names of addresses, what is deployed there, and units of fields: `{"labels": [{"address": "0x…", "name":
 * "Treasury", "chainId": 1}, {"address": "0x…", "contract": "Token", "chainId": 1}], "units": {"Vault.Deposited.amount":
 * "PBL"}}`. Units are not validated: the index says which are wrong.
 */
export function readTeamLabels(text: string): FileFacts {
  const { labels: entries = [], units: fields } = asRecord(parseJsonText(text));
  if (!Array.isArray(entries)) return emptyFacts;
  const bounds = createReadBounds();
  const labels: LabelFacts[] = [];
  /** The first of an address counts. */
  const deployments = new Map<string, DeploymentFacts>();
  for (const entry of bounds.first(MAX_LABELS, 'labels', entries)) {
    const { address, name, chainId, contract } = asRecord(entry);
    const [at, label] = [parseAddress(address), readName(name)];
    const chain = typeof chainId === 'number' ? readChainId(chainId) : undefined;
    const hasInvalidChain = chainId !== undefined && chain === undefined;
    if (at && label !== undefined && !hasInvalidChain)
      labels.push({ address: at, name: label, chainId: chain });
    const place = readContractAddress(address);
    const chosen = readSourcePath(contract);
    const key = `${chain} ${place}`;
    if (!place || chain === undefined || chosen === undefined || deployments.has(key)) continue;
    const location = { address: place, chainId: chain, contract: readName(chosen.replace(/^.*:/s, '')) };
    if (location.contract !== undefined) deployments.set(key, { ...createDeployment(location), chosen });
  }
  const named = bounds.first(MAX_UNITS, 'units', Object.entries(asRecord(fields)));
  const units = [...named].map(([field, unit]): UnitFacts => {
    return { field: field.slice(0, MAX_UNIT_CHARS), unit: String(unit).slice(0, MAX_UNIT_CHARS) };
  });
  const facts = { labels, deployments: [...deployments.values()], ...(units.length > 0 && { units }) };
  return { ...emptyFacts, ...facts, ...bounds.summary };
}
