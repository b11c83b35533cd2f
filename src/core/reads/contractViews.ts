import { decodeResult, isDecodeError } from '../abi/decode.ts';
import { type AbiFunction, parseAbiItem } from '../abi/item.ts';
import { type AbiResolver, parseLocatedItem } from '../abi/lookup.ts';
import type { Abortable } from '../base/concurrency.ts';
import { isAppError } from '../base/errors.ts';
import { decimal } from '../base/ownText.ts';
import { createMessage, foreign, type Message } from '../base/text.ts';
import type { ChainClient } from '../client/chainClient.ts';
import { findSelectors } from '../code/codeInstructions.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import type { OneBlockClient } from './oneBlock.ts';

export interface ViewDeps {
  readonly client: Pick<ChainClient, 'callAtBlock' | 'fetchImplementations' | 'getCode' | 'requireCode'> &
    OneBlockClient;
  /** 0 if unknown. */
  readonly chainId: number;
  /** ABIs of the code at addresses: of the projects, and verified ones as far as they are fetched. */
  readonly code: AbiResolver;
  /** Fetches verified ABIs of these addresses, if a provider for them is allowed. */
  prefetchAbis(addresses: readonly Address[]): Promise<unknown>;
}

export interface ContractViews {
  readonly address: Address;
  /** The contracts whose code runs; empty if the contract is not a proxy. */
  readonly implementations: readonly Address[];
  /** Whether there is no code at the address in the block. */
  readonly isMissing: boolean;
  readonly views: readonly AbiFunction[];
  /** Of all functions of the ABIs. */
  readonly selectors: ReadonlySet<Hex>;
  /** Whether the ABI of all code that runs is known. */
  readonly hasWholeAbi: boolean;
  /** The contract whose code runs, by its ABI; of a diamond several. */
  readonly contract: string | undefined;
  /** Where the ABIs come from, as in `Origin`. */
  readonly from: readonly string[];
}

/**
 * Finds the view functions of a contract in a block, in the order of its ABI: of a proxy those of its implementations,
 * then its own. None if no ABI of them is known, or if there is no contract in that block.
 *
 * @throws AppError of any network kind but `rpc`.
 */
export async function fetchContractViews(
  { address, block }: { readonly address: Address; readonly block: bigint },
  { client, chainId, code, prefetchAbis }: ViewDeps,
  options: Abortable = {},
): Promise<ContractViews> {
  const implementations = await client.fetchImplementations(address, block, options);
  const addresses = [...implementations, address];
  await prefetchAbis(addresses.filter((one) => !code.abiAt({ address: one, chainId })?.items));
  const abis = addresses.flatMap((one) => code.abiAt({ address: one, chainId }) ?? []);
  const facets =
    implementations.length > 1 ? await fetchFacetSelectors(client, { address, block }, options) : undefined;
  const functions = addresses.flatMap((one) =>
    takeFunctions(listFunctions(code.abiAt({ address: one, chainId })?.items ?? []), facets?.get(one)),
  );
  const views = functions.filter(({ isView }) => isView);
  const bySelector = new Map(views.toReversed().map((item) => [item.selector, item]));
  const running = implementations.length > 0 ? implementations : [address];
  // Of files, whose names may be any text.
  const names = running.flatMap(
    (one) => code.abiAt({ address: one, chainId })?.items?.[0]?.origin.contract ?? [],
  );
  return {
    address,
    implementations,
    // Views of a contract that has some show it themselves.
    isMissing: bySelector.size === 0 && !(await hasCode(client, { to: address, block }, options)),
    views: [...bySelector.values()].reverse(),
    selectors: new Set(functions.map(({ selector }) => selector)),
    hasWholeAbi: running.every((one) => code.abiAt({ address: one, chainId })?.items !== undefined),
    contract: names.every((name) => IDENTIFIER.test(name))
      ? names.slice(0, MAX_CODE_NAMES).join(', ') || undefined
      : undefined,
    from: [...new Set(abis.flatMap(({ items }) => items?.[0]?.origin.from ?? []))],
  };
}

const IDENTIFIER = /^[\w$]{1,80}$/;
/** Of a diamond; a message has room for these. */
const MAX_CODE_NAMES = 4;

/** The functions that a diamond takes from a facet; of other code all. */
export function takeFunctions(
  functions: readonly AbiFunction[],
  taken: ReadonlySet<Hex> | undefined,
): readonly AbiFunction[] {
  return taken ? functions.filter(({ selector }) => taken.has(selector)) : functions;
}

async function hasCode(
  { requireCode }: Pick<ViewDeps['client'], 'requireCode'>,
  place: Parameters<ViewDeps['client']['requireCode']>[0],
  options: Abortable,
): Promise<boolean> {
  try {
    await requireCode(place, options);
    return true;
  } catch (error) {
    if (isAppError(error, 'notAContract')) return false;
    throw error;
  }
}

/**
 * Says that the code of a block has no such function, as before an upgrade; undefined if it has, or if the ABI of its
 * code is not known.
 *
 * @param name of the code; default: as its ABI names it.
 * @example const message = describeMissingFunction(item, 38n, views); // Block 38 runs Vault, which has no paused.
 */
export function describeMissingFunction(
  { name, selector, signature }: AbiFunction,
  block: bigint,
  { hasWholeAbi, selectors, contract, implementations, address }: ContractViews,
  given?: string,
): Message | undefined {
  if (!hasWholeAbi || selectors.has(selector)) return undefined;
  const code = given ?? contract ?? toChecksumAddress(implementations[0] ?? address);
  return createMessage(
    'Block {0} runs {1}, which has no {2}.',
    decimal(block),
    foreign(code),
    foreign(name || signature, 80),
  );
}

/**
 * Says why a call may have reverted without data, by the code that runs: it has the function, or only others of its
 * name.
 *
 * @param namesakes functions of the same name that are known, of any contract.
 * @param fetchCode `0x` for code that cannot be read.
 */
export async function explainSilentRevert(
  { selector, signature }: AbiFunction,
  namesakes: readonly AbiFunction[],
  { address, implementations }: Pick<ContractViews, 'address' | 'implementations'>,
  fetchCode: (address: Address) => Promise<Hex>,
): Promise<Message> {
  const codes = await Promise.all([address, ...implementations].map(fetchCode));
  const selectors = new Set(codes.flatMap((code) => [...findSelectors(code.slice(2)).pushed]));
  if (selectors.has(selector))
    return createMessage(
      'The call reverted without a reason. The contract has {0}, so an argument may be out of range.',
      foreign(signature, 200),
    );
  const others = namesakes.filter((item) => selectors.has(item.selector)).map((item) => item.signature);
  return others.length > 0
    ? createMessage(
        'The contract has no {0}. It has {1}.',
        foreign(signature, 200),
        foreign([...new Set(others)].join(', '), 400),
      )
    : createMessage('The call reverted without a reason. The contract may not have this function.');
}

/** The functions of an ABI, in its order. */
export function listFunctions(
  items: Iterable<Parameters<typeof parseLocatedItem>[0]>,
): readonly AbiFunction[] {
  const functions: AbiFunction[] = [];
  for (const located of items) {
    const item = located.text.startsWith('function ') ? parseLocatedItem(located) : undefined;
    if (item?.kind === 'function') functions.push(item);
  }
  return functions;
}

/** The selectors of the functions that a diamond takes from each of its facets. */
export type FacetSelectors = ReadonlyMap<Address, ReadonlySet<Hex>>;

/** Of the loupe: https://eips.ethereum.org/EIPS/eip-2535 */
const FACETS = parseAbiItem(
  'function facets() view returns ((address facetAddress, bytes4[] functionSelectors)[])',
) as AbiFunction;

/**
 * Fetches which functions a diamond takes from its facets, whose ABIs may have others. Other proxies with several
 * implementations run one behind another.
 *
 * @returns undefined if the contract does not return them.
 * @throws AppError of any network kind but `rpc`.
 */
export async function fetchFacetSelectors(
  client: Pick<ChainClient, 'callAtBlock'>,
  { address, block }: { readonly address: Address; readonly block: bigint },
  options: Abortable = {},
): Promise<FacetSelectors | undefined> {
  try {
    const data = await client.callAtBlock({ to: address, data: FACETS.selector, block }, options);
    const decoded = decodeResult(FACETS.outputs, data);
    if (isDecodeError(decoded)) return undefined;
    const [facets = []] = decoded as readonly [(readonly [Address, readonly Hex[]])[]];
    return new Map(facets.map(([facet, selectors]) => [facet, new Set(selectors)]));
  } catch (error) {
    if (isAppError(error, 'reverted', 'badResponse', 'notAContract')) return undefined;
    throw error;
  }
}
