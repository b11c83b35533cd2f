import { isDecodeError } from '../abi/decode.ts';
import { compileEvent, type DecodeEvent } from '../abi/eventDecoder.ts';
import { type AbiEvent, parseAbiItem } from '../abi/item.ts';
import type { AbiValue } from '../abi/type.ts';
import { type Address, type Hex, parseAddress, ZERO_ADDRESS } from '../eth/hex.ts';
import type { Log } from '../logs/log.ts';

/** What a log says of the code that runs at the address of its contract from there on. */
export type ImplementationChange =
  /** All calls go to the code at this address. */
  | { readonly kind: 'implementation'; readonly address: Address }
  /** All calls go to the code that this beacon names, and its own upgrades count. */
  | { readonly kind: 'beacon'; readonly address: Address }
  /** Single functions go to other code than before; `init` ran once, behind the log. */
  | { readonly kind: 'facets'; readonly cuts: readonly FacetCut[]; readonly init: Address | undefined }
  /** Under the topic of an upgrade stands something else. */
  | { readonly kind: 'unreadable' };

/** Which code these functions go to; undefined where they are taken away. */
export interface FacetCut {
  readonly facet: Address | undefined;
  /** Of functions. */
  readonly selectors: readonly Hex[];
}

type Read = (values: readonly AbiValue[]) => ImplementationChange;

const REMOVE = 2n;

/**
 * ERC-1967 (https://eips.ethereum.org/EIPS/eip-1967), also with the address in the data as proxies before it had it;
 * Safe before 1.1; ERC-2535 (https://eips.ethereum.org/EIPS/eip-2535).
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
];

interface Reader {
  readonly decode: DecodeEvent;
  readonly read: Read;
}

let made: ReadonlyMap<Hex, readonly Reader[]> | undefined;

/** Hashed when first asked for. */
function readers(): ReadonlyMap<Hex, readonly Reader[]> {
  if (made) return made;
  const byTopic = new Map<Hex, Reader[]>();
  for (const [text, read] of declarations) {
    const event = parseAbiItem(text) as AbiEvent;
    const reader = { decode: compileEvent(event), read };
    byTopic.set(event.topic0, [...(byTopic.get(event.topic0) ?? []), reader]);
  }
  made = byTopic;
  return made;
}

/**
 * The topics 0 of all events that tell of an upgrade.
 *
 * @example getUpgradeTopics().length // 4
 */
export function getUpgradeTopics(): readonly Hex[] {
  return [...readers().keys()];
}

/**
 * What a log tells of an upgrade; undefined where it is of another event.
 *
 * @example decodeImplementationChange({ topics: [], data: '0x' }) // undefined
 */
export function decodeImplementationChange(
  log: Pick<Log, 'topics' | 'data'>,
): ImplementationChange | undefined {
  const [topic0] = log.topics;
  const found = topic0 === undefined ? undefined : readers().get(topic0);
  for (const { decode, read } of found ?? []) {
    const values = decode(log);
    if (!isDecodeError(values)) return read(values);
  }
  return found && { kind: 'unreadable' };
}

function readImplementation([value]: readonly AbiValue[]): ImplementationChange {
  return named('implementation', value);
}

function readBeacon([value]: readonly AbiValue[]): ImplementationChange {
  return named('beacon', value);
}

function named(kind: 'implementation' | 'beacon', value: AbiValue | undefined): ImplementationChange {
  const address = addressOf(value);
  return address ? { kind, address } : { kind: 'unreadable' };
}

function readFacets([cuts, init]: readonly AbiValue[]): ImplementationChange {
  return { kind: 'facets', cuts: listOf(cuts).flatMap(readCut), init: addressOf(init) };
}

function readCut(cut: AbiValue): readonly FacetCut[] {
  const [facet, action, selectors] = listOf(cut);
  const address = addressOf(facet);
  // Who adds functions without saying where they are adds none that can run.
  if (action !== REMOVE && !address) return [];
  return [{ facet: action === REMOVE ? undefined : address, selectors: listOf(selectors) as readonly Hex[] }];
}

function listOf(value: AbiValue | undefined): readonly AbiValue[] {
  return typeof value === 'object' ? value : [];
}

function addressOf(value: AbiValue | undefined): Address | undefined {
  const address = typeof value === 'string' ? parseAddress(value) : undefined;
  return address === ZERO_ADDRESS ? undefined : address;
}
