import type { AbiEvent } from '../abi/abiItem.ts';
import { type AskedEvents, askedEvent } from '../abi/decode/askedEvent.ts';
import { createLogDecoder, type LogDecoder } from '../abi/decode/logDecoder.ts';
import type { Log } from '../logs/query/log.ts';
import type { Address } from '../values/address.ts';

/** How the logs of a file are decoded, beside what they are made of. */
export interface ExportDecoding extends LogDecoder {
  /** The event that all logs are of, as was asked: a table has a column for each of its arguments then. */
  readonly event: AbiEvent | undefined;
  /** What addresses are called; undefined where nobody knows names. */
  readonly nameOf: ((address: Address) => string | undefined) | undefined;
  /** Finds out what decoding these logs needs: to be waited for before they are. */
  prepare(logs: readonly Log[]): Promise<void>;
  /** Whether each log has the time of its block beside it, where that is known. */
  readonly timed?: boolean | undefined;
}

interface DecodingOptions extends AskedEvents {
  readonly nameOf?: (address: Address) => string | undefined;
  /** Reads which versions of their contracts logs are of. @returns whether more is known than before. */
  readonly readVersions?: (logs: readonly Log[]) => Promise<boolean>;
}

/**
 * The decoding of an export, which is chosen by what is asked and not by its rows: those come as a stream.
 *
 * @example
 * encodeLogs('csv', rows, exportDecoding({ filter, chainId: 1, lookup: await loadBundledLookup() }));
 */
export function exportDecoding(asked: DecodingOptions): ExportDecoding {
  let decoder = createLogDecoder(asked);
  return {
    event: askedEvent(asked),
    decode: (log) => decoder.decode(log),
    nameOf: asked.nameOf,
    async prepare(logs) {
      if (await asked.readVersions?.(logs)) decoder = createLogDecoder(asked);
    },
  };
}
