import type { AbiEvent } from '../../abi/abiItem.ts';
import type { Readings, VersionedLookup } from '../../abi/codeVersions.ts';
import type { LogDecoder } from '../../abi/decode/logDecoder.ts';
import type { Address } from '../../values/address.ts';
import {
  type ArgumentPlace,
  argumentPlace,
  type StoredArgument,
  type VersionedPlaces,
} from './storedArgument.ts';

/** What is known of the versions of contracts. */
export interface ArgumentVersions {
  readonly lookup: VersionedLookup;
  readonly decoder: LogDecoder;
  readonly chainId: number;
}

/** Where an argument is by the number of topics: to be decoded where several events may be meant. */
type Places = readonly (ArgumentPlace | 'decode' | undefined)[];

/**
 * An argument, also in rows of upgraded contracts: there it is where the event has it that the row is decoded by.
 *
 * @param indexIn which parameter of an event it is; undefined where the event has none such.
 * @example
 * versionedArgument(argument, (event) => event.inputs.findIndex(({ name }) => name === 'to'), { lookup, decoder, chainId: 1 });
 */
export function versionedArgument<Argument extends StoredArgument>(
  argument: Argument,
  indexIn: (event: AbiEvent) => number | undefined,
  { lookup, decoder, chainId }: ArgumentVersions,
): Argument {
  const { topic0, type } = argument;

  function placeIn(event: AbiEvent): ArgumentPlace | undefined {
    const index = event.topic0 === topic0 && !event.anonymous ? indexIn(event) : undefined;
    const own = index === undefined ? undefined : event.inputs[index]?.type;
    return index !== undefined && own?.text === type.text ? argumentPlace(event, index) : undefined;
  }

  function versionsOf(address: Address): VersionedPlaces | undefined {
    const versions = lookup.versionsAt?.({ address, chainId });
    if (!versions || versions.isPlain(topic0)) return undefined;
    const byVersion = new Map<number, Places | 'plain'>();
    const placesOf = (version: number): Places | 'plain' => {
      const known = byVersion.get(version) ?? placesIn(versions.readings(topic0, version));
      byVersion.set(version, known);
      return known;
    };
    return {
      placeAt({ block, transaction, log: index }, topics, log) {
        const places = placesOf(versions.versionAt(block, transaction, index));
        if (places === 'plain') return places;
        const place = places[topics];
        if (place !== 'decode') return place;
        const decoded = decoder.decode(log());
        return 'event' in decoded ? placeIn(decoded.event) : undefined;
      },
    };
  }

  function placesIn({ tiers, against, mustAgree }: Readings): Places | 'plain' {
    if (!mustAgree) return 'plain';
    const decisive = tiers.find((tier) => tier.length > 0) ?? [];
    const places: (ArgumentPlace | 'decode' | undefined)[] = [];
    const only: (AbiEvent | undefined)[] = [];
    for (const { item } of [...decisive, ...against]) {
      const topics = topicCount(item);
      const isFirst = only[topics] === undefined;
      only[topics] ??= item;
      places[topics] = isFirst && decisive.some((one) => one.item === item) ? placeIn(item) : 'decode';
    }
    return places;
  }

  return { ...argument, versionsOf };
}

function topicCount({ inputs, anonymous }: AbiEvent): number {
  return inputs.filter(({ indexed }) => indexed).length + (anonymous ? 0 : 1);
}
