import type { ContractFacts, FileFacts } from '../facts.ts';
import { MOST_CHARACTERS } from './bounds.ts';

export interface Interned {
  /** The same facts, with one string for all that are equal, cut off from the text that it was read in. */
  facts(facts: FileFacts): FileFacts;
  /** Whether more than the bound is held. */
  readonly isFull: boolean;
}

/** Texts of many files, of which each is held once: most contracts share most of their items. */
export function createInterned(): Interned {
  const held = new Map<string, string>();
  let characters = 0;

  function text(value: string): string {
    const known = held.get(value);
    if (known !== undefined) return known;
    // A part of a text keeps the whole of it; this is a text of its own.
    const own: string = JSON.parse(JSON.stringify(value));
    held.set(own, own);
    characters += own.length;
    return own;
  }
  const optional = <Text extends string>(value: Text | undefined) =>
    value === undefined ? undefined : (text(value) as Text);

  function contract({ name, source, line, abi, itemLines }: ContractFacts): ContractFacts {
    return { name: text(name), source: optional(source), line, abi: abi.map(text), itemLines };
  }

  return {
    facts: ({ contracts, deployments, labels }) => ({
      contracts: contracts.map(contract),
      deployments: deployments.map((one) => ({
        ...one,
        chainId: text(one.chainId),
        address: optional(one.address) ?? one.address,
        contract: optional(one.contract),
        transaction: optional(one.transaction),
        commit: optional(one.commit),
      })),
      labels: labels.map((one) => ({
        address: optional(one.address) ?? one.address,
        name: text(one.name),
        chainId: optional(one.chainId),
      })),
    }),
    get isFull() {
      return characters > MOST_CHARACTERS;
    },
  };
}
