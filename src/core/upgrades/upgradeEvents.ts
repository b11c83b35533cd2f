import { isDecodeError } from '../abi/decode.ts';
import { compileEvent, type DecodeEvent } from '../abi/eventDecoder.ts';
import { type AbiEvent, parseAbiItem } from '../abi/item.ts';
import type { AbiValue } from '../abi/type.ts';
import { addToList } from '../base/values.ts';
import { type Address, type Hex, parseAddress, ZERO_ADDRESS } from '../eth/hex.ts';
import type { Log } from '../logs/log.ts';

/** How a log changes the code that runs at its contract. */
export type ImplementationChange =
  /** All calls are delegated to this address. */
  | { readonly kind: 'implementation'; readonly address: Address }
  /** All calls are delegated to the implementation of this beacon, whose upgrades count too. */
  | { readonly kind: 'beacon'; readonly address: Address }
  /** Single functions are delegated elsewhere; `init` ran once, after the log. */
  | { readonly kind: 'facets'; readonly cuts: readonly FacetCut[]; readonly init: Address | undefined }
  /** The log has an upgrade's topic0 but cannot be decoded. */
  | { readonly kind: 'unreadable' };

/** Assigns functions to a facet; undefined removes them. */
export interface FacetCut {
  readonly facet: Address | undefined;
  readonly selectors: readonly Hex[];
}

/**
 * The topic0 of every upgrade event.
 *
 * @example getUpgradeTopics().length // 7
 */
export function getUpgradeTopics(): readonly Hex[] {
  return [...getReaders().keys()];
}

/**
 * Decodes the upgrade in a log; undefined for any other event.
 *
 * @example decodeImplementationChange({ topics: [], data: '0x' }) // undefined
 */
export function decodeImplementationChange(
  log: Pick<Log, 'topics' | 'data'>,
): ImplementationChange | undefined {
  const [topic0] = log.topics;
  const found = topic0 === undefined ? undefined : getReaders().get(topic0);
  for (const { decode, read } of found ?? []) {
    const values = decode(log);
    if (!isDecodeError(values)) return read(values);
  }
  return found && { kind: 'unreadable' };
}

type Read = (values: readonly AbiValue[]) => ImplementationChange;

const REMOVE = 2n;

/**
 * ERC-1967 (https://eips.ethereum.org/EIPS/eip-1967), also with a non-indexed address, as earlier proxies
 * emit it; Safe before 1.1; ERC-2535 (https://eips.ethereum.org/EIPS/eip-2535); Synthetix' `Proxy`; Compound's Unitroller,
 * whose `NewPendingImplementation` changes nothing yet; Polygon's `UpgradableProxy`.
 */
const declarations: readonly (readonly [text: string, read: Read])[] = [
  ['event Upgraded(address indexed implementation)', readImplementation],
  ['event Upgraded(address implementation)', readImplementation],
  ['event BeaconUpgraded(address indexed beacon)', readBeacon],
  ['event BeaconUpgraded(address beacon)', readBeacon],
  ['event ChangedMasterCopy(address masterCopy)', readImplementation],
  ['event ChangedMasterCopy(address indexed masterCopy)', readImplementation],
  [
    'event DiamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] cut, address init, bytes data)',
    readFacets,
  ],
  ['event TargetUpdated(address newTarget)', readImplementation],
  ['event TargetUpdated(address indexed newTarget)', readImplementation],
  ['event NewImplementation(address oldImplementation, address newImplementation)', readNewImplementation],
  [
    'event ProxyUpdated(address indexed newImplementation, address indexed oldImplementation)',
    readImplementation,
  ],
];

const names: ReadonlySet<string> = new Set(
  declarations.map(([text]) => text.slice('event '.length, text.indexOf('('))),
);

/**
 * Whether an ABI item is an event with the name of an upgrade.
 *
 * @example isUpgradeEvent('event Upgraded(address indexed implementation)') // true
 */
export function isUpgradeEvent(item: string): boolean {
  const [, name = ''] = /^event (\w+)\(/.exec(item) ?? [];
  return names.has(name);
}

interface Reader {
  readonly decode: DecodeEvent;
  readonly read: Read;
}

let readersByTopic: ReadonlyMap<Hex, readonly Reader[]> | undefined;

/** Compiled on first use. */
function getReaders(): ReadonlyMap<Hex, readonly Reader[]> {
  if (readersByTopic) return readersByTopic;
  const byTopic = new Map<Hex, Reader[]>();
  for (const [text, read] of declarations) {
    const event = parseAbiItem(text) as AbiEvent;
    addToList(byTopic, event.topic0, { decode: compileEvent(event), read });
  }
  readersByTopic = byTopic;
  return readersByTopic;
}

function readImplementation([value]: readonly AbiValue[]): ImplementationChange {
  return toChange('implementation', value);
}

function readNewImplementation([, value]: readonly AbiValue[]): ImplementationChange {
  return toChange('implementation', value);
}

function readBeacon([value]: readonly AbiValue[]): ImplementationChange {
  return toChange('beacon', value);
}

function toChange(kind: 'implementation' | 'beacon', value: AbiValue | undefined): ImplementationChange {
  const address = toAddress(value);
  return address ? { kind, address } : { kind: 'unreadable' };
}

function readFacets([cuts, init]: readonly AbiValue[]): ImplementationChange {
  return { kind: 'facets', cuts: toList(cuts).flatMap(readCut), init: toAddress(init) };
}

function readCut(cut: AbiValue): readonly FacetCut[] {
  const [facet, action, selectors] = toList(cut);
  const address = toAddress(facet);
  // A cut that adds functions without a facet has no effect.
  if (action !== REMOVE && !address) return [];
  return [{ facet: action === REMOVE ? undefined : address, selectors: toList(selectors) as readonly Hex[] }];
}

function toList(value: AbiValue | undefined): readonly AbiValue[] {
  return typeof value === 'object' ? value : [];
}

function toAddress(value: AbiValue | undefined): Address | undefined {
  const address = typeof value === 'string' ? parseAddress(value) : undefined;
  return address === ZERO_ADDRESS ? undefined : address;
}
