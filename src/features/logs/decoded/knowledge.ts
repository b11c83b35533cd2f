import {
  type AbiEvent,
  createVersionedArgument,
  findAlignedInput,
  getOnlyAddress,
  type Hex,
  isAmount,
  type LogFilter,
  type LogStore,
  listEventLayouts,
  type NamedArgument,
  type NamePart,
  type RowKnowledge,
  toStoredArgument,
} from '../../../core/index.ts';
import type { LogMeaning } from '../../../host/meaning/logMeaning.ts';

interface KnowledgeSource {
  readonly meaning: LogMeaning;
  readonly filter: LogFilter;
  readonly chainId: number;
  readonly store: Pick<LogStore, 'events'>;
  /** The event whose arguments the columns show. */
  readonly shown: AbiEvent | undefined;
}

/** Events of an answer that a filter looks at: each costs a look at every row. */
const MOST_EVENTS = 256;

/** What the rows of an answer are sorted and filtered by. */
export function rowKnowledge({ meaning, filter, chainId, store, shown }: KnowledgeSource): RowKnowledge {
  const address = getOnlyAddress(filter);
  const byTopic = new Map<Hex, readonly AbiEvent[]>();
  const layouts = (topic0: Hex) => {
    const known = byTopic.get(topic0) ?? listEventLayouts(meaning.lookup, topic0, { address, chainId });
    byTopic.set(topic0, known);
    return known;
  };
  const [asked, ...others] = filter.topics[0] ?? [];
  const versions = () => ({ lookup: meaning.lookup, decoder: meaning.decoder(chainId), chainId });
  const topics = () => new Set([...(filter.topics[0] ?? []), ...store.events()].slice(0, MOST_EVENTS));

  return {
    argumentAt(index) {
      if (asked === undefined || others.length > 0) return undefined;
      const argument = toStoredArgument(shown ? [shown, ...layouts(asked)] : layouts(asked), index);
      const event = shown ?? layouts(asked)[0];
      if (!argument || !event) return argument;
      return createVersionedArgument(argument, (own) => findAlignedInput(event, own, index), versions());
    },
    argumentsNamed(name) {
      const wanted = name.toLowerCase();
      return [...topics()].flatMap((topic0) => {
        const argument = namedArgument(layouts(topic0), wanted);
        return argument
          ? createVersionedArgument(argument, (own) => inputNamed(own, wanted), versions())
          : [];
      });
    },
    eventsNamed(text, as) {
      const wanted = text.toLowerCase();
      return [...topics()].filter((topic0) => layouts(topic0).some((event) => isNamed(event, wanted, as)));
    },
    addressesNamed(text, as) {
      const found = meaning.addressesNamed(text, chainId);
      if (as === 'part') return found;
      const wanted = text.toLowerCase();
      return found.filter((one) => meaning.nameOf(one, chainId)?.toLowerCase() === wanted);
    },
    decimalsOf: (contract) => meaning.unitsOf(contract, chainId)?.decimals,
  };
}

function namedArgument(layouts: readonly AbiEvent[], wanted: string): NamedArgument | undefined {
  for (const layout of layouts) {
    const index = layout.inputs.findIndex(({ name }) => name.toLowerCase() === wanted);
    // Not where another event of the signature has another argument there, as a token id in place of an amount.
    const alike = layouts.filter(({ inputs }) => inputs[index]?.name.toLowerCase() === wanted);
    const argument = toStoredArgument(alike, index);
    if (argument) return { ...argument, isAmount: alike.some((one) => isAmount(one, index)) };
  }
  return undefined;
}

function inputNamed({ inputs }: AbiEvent, wanted: string): number | undefined {
  const index = inputs.findIndex(({ name }) => name.toLowerCase() === wanted);
  return index < 0 ? undefined : index;
}

function isNamed({ name, signature }: AbiEvent, wanted: string, as: NamePart): boolean {
  const lower = name.toLowerCase();
  return (as === 'part' ? lower.includes(wanted) : lower === wanted) || signature.toLowerCase() === wanted;
}
