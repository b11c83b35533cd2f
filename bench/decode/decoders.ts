import { type AbiEvent, type AbiLookup, type Candidate, createLogDecoder } from '../../src/core/index.ts';
import type { InstalledPeers } from '../peers/install.ts';
import type { BenchLog } from './logs.ts';

export interface Decoder {
  readonly name: 'Chainside' | 'viem' | 'ethers';
  /** Decodes a log into its values in order. */
  readonly decode: (log: BenchLog) => readonly unknown[];
}

interface Viem {
  readonly parseAbiItem: (text: string) => unknown;
  readonly decodeEventLog: (log: {
    readonly abi: readonly unknown[];
    readonly topics: readonly string[];
    readonly data: string;
  }) => { readonly args?: object };
}

interface Ethers {
  readonly Interface: new (
    abi: readonly string[],
  ) => {
    parseLog(log: Pick<BenchLog, 'topics' | 'data'>): { readonly args: Iterable<unknown> } | null;
  };
}

/** The same logs by each, as its documents show it; viem gets the one event that is meant, found by topic0. */
export function createDecoders(
  { load }: InstalledPeers,
  texts: readonly string[],
  events: readonly AbiEvent[],
): readonly Decoder[] {
  return [
    chainside(events),
    viem(load('viem') as Viem, texts, events),
    ethers(load('ethers') as Ethers, texts),
  ];
}

function chainside(events: readonly AbiEvent[]): Decoder {
  const known = new Map<string | undefined, readonly Candidate<AbiEvent>[]>(
    events.map((item) => {
      const origin = { trust: 'bundled', from: 'a list', contract: undefined, line: undefined } as const;
      return [item.topic0, [{ item, origin }]];
    }),
  );
  const lookup: AbiLookup = {
    events: (topic0) => known.get(topic0) ?? [],
    errors: () => [],
    functions: () => [],
  };
  const decoder = createLogDecoder({ lookup, chainId: 1 });
  return {
    name: 'Chainside',
    decode(log) {
      const decoded = decoder.decode(log);
      return 'reason' in decoded ? [] : decoded.values;
    },
  };
}

function viem(
  { parseAbiItem, decodeEventLog }: Viem,
  texts: readonly string[],
  events: readonly AbiEvent[],
): Decoder {
  const abis = new Map(events.map(({ topic0 }, index) => [topic0, [parseAbiItem(texts[index] ?? '')]]));
  return {
    name: 'viem',
    decode({ topics, data }) {
      const abi = abis.get(topics[0] ?? '0x') ?? [];
      return Object.values(decodeEventLog({ abi, topics, data }).args ?? {});
    },
  };
}

function ethers({ Interface }: Ethers, texts: readonly string[]): Decoder {
  const all = new Interface(texts);
  return { name: 'ethers', decode: (log) => [...(all.parseLog(log)?.args ?? [])] };
}
