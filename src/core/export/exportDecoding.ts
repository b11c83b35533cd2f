import type { AbiEvent } from '../abi/abiItem.ts';
import { type AskedEvents, askedEvent } from '../abi/decode/askedEvent.ts';
import { createLogDecoder, type LogDecoder } from '../abi/decode/logDecoder.ts';

/** How the logs of a file are decoded, beside what they are made of. */
export interface ExportDecoding extends LogDecoder {
  /** The event that all logs are of, as was asked: a table has a column for each of its arguments then. */
  readonly event: AbiEvent | undefined;
}

/**
 * The decoding of an export, which is chosen by what is asked and not by its rows: those come as a stream.
 *
 * @example
 * encodeLogs('csv', rows, exportDecoding({ filter, chainId: 1, lookup: await loadBundledLookup() }));
 */
export function exportDecoding(asked: AskedEvents): ExportDecoding {
  const { decode } = createLogDecoder(asked);
  return { event: askedEvent(asked), decode };
}
