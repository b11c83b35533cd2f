import type { AbiEvent } from '../abi/abiItem.ts';
import { type AskedEvents, askedEvent } from '../abi/decode/askedEvent.ts';
import { createLogDecoder, type LogDecoder } from '../abi/decode/logDecoder.ts';
import type { Address } from '../values/address.ts';

/** How the logs of a file are decoded, beside what they are made of. */
export interface ExportDecoding extends LogDecoder {
  /** The event that all logs are of, as was asked: a table has a column for each of its arguments then. */
  readonly event: AbiEvent | undefined;
  /** What addresses are called; undefined where nobody knows names. */
  readonly nameOf: ((address: Address) => string | undefined) | undefined;
}

interface DecodingOptions extends AskedEvents {
  readonly nameOf?: (address: Address) => string | undefined;
}

/**
 * The decoding of an export, which is chosen by what is asked and not by its rows: those come as a stream.
 *
 * @example
 * encodeLogs('csv', rows, exportDecoding({ filter, chainId: 1, lookup: await loadBundledLookup() }));
 */
export function exportDecoding(asked: DecodingOptions): ExportDecoding {
  const { decode } = createLogDecoder(asked);
  return { event: askedEvent(asked), decode, nameOf: asked.nameOf };
}
