import assert from 'node:assert/strict';
import {
  type Address,
  createAbiLookup,
  createLogDecoder,
  encodeParameters,
  type Hex,
  parseAbiItem,
  type VersionedLookup,
} from '../../src/core/index.ts';
import type { CallFrame } from '../../src/core/traces/callFrame.ts';
import type { MeaningFormat } from '../../src/features/decode/formatMeaning.ts';
import type { LogDecoding } from '../../src/host/logDecoding.ts';
import { l10n } from './stubs.ts';
import { addressOf } from './transactions.ts';

/** What logs mean by a lookup alone: nothing has a name or units, and nobody is asked for more. */
export function createOfflineDecoding(lookup: VersionedLookup): LogDecoding {
  return {
    lookup,
    code: { abiAt: () => undefined },
    decoder: ({ chainId }) => createLogDecoder({ lookup, chainId }),
    lookupOn: () => lookup,
    nameOf: () => undefined,
    findAddressesByName: () => [],
    unitsOf: () => undefined,
    fetchUnits: async () => undefined,
    prefetchEvents: () => undefined,
    signatures: lookup,
    prefetchSelectors: async () => false,
    createdAt: () => undefined,
    identityAt: () => undefined,
    prefetchCreations: async () => false,
    verifiedOn: async () => [],
    prefetchVersions: () => undefined,
    fetchVersions: async () => false,
    fetchMeaning: async () => undefined,
    fetchImplementations: async () => [],
    canOpen: () => false,
    openOrigin: async () => undefined,
    onDidChange: () => ({ dispose: () => undefined }),
  };
}

/** English, with one address that has a name; what is not of a bundled list is declared in line 6 of its file. */
export function createWording(treasury: Address): MeaningFormat {
  return {
    l10n,
    nameOf: (address) => (address === treasury ? 'Treasury' : undefined),
    placeOf: ({ trust, from }) => (trust === 'bundled' ? undefined : { file: `file:///${from}`, line: 6 }),
  };
}

/** Where the items of {@link lookupOf} are declared. */
export const shopOrigin = { trust: 'workspace', from: 'src/Shop.sol', contract: 'Shop', line: 7 } as const;

/** What a contract of the workspace declares. */
export const lookupOf = (...items: readonly string[]) =>
  createAbiLookup(items.map((text) => ({ text, origin: shopOrigin })));

/** A successful call from one address to another, with what a test changes in it. */
export function frameOf(more: Partial<CallFrame> = {}): CallFrame {
  return {
    ...{ type: 'CALL', from: addressOf(1), to: addressOf(2), value: 0n, gas: 100_000n, gasUsed: 21_000n },
    ...{ input: '0x', output: '0x', error: undefined, logs: [], calls: [], ...more },
  };
}

/** Data of a call or a revert. */
export function encodeItem(item: string, ...values: Parameters<typeof encodeParameters>[1]): Hex {
  const parsed = parseAbiItem(item);
  if (!parsed || parsed.kind === 'event') return assert.fail(item);
  return `${parsed.selector}${encodeParameters(parsed.inputs, values).slice(2)}` as Hex;
}
