import { decodedLogToJson } from '../abi/json/logJson.ts';
import type { Log } from '../logs/query/log.ts';
import { type LogJson, logToJson } from '../logs/query/logJson.ts';
import { isoTime } from '../times/timeText.ts';
import type { Address } from '../values/address.ts';
import { batches, textBatch } from './batches.ts';
import type { ExportDecoding } from './exportDecoding.ts';

/** The keys of each object, in order. */
export const jsonFields: readonly (keyof LogJson)[] = [
  'address',
  'blockHash',
  'blockNumber',
  'data',
  'logIndex',
  'topics',
  'transactionHash',
  'transactionIndex',
];

/**
 * Logs in the form of `eth_getLogs`, one JSON object a line, every line ended with LF. With a decoding, each has
 * `decoded` besides: what it says, or why that is not known; `names`, by address, where some are known; and, where it
 * is timed, `timestamp` in ISO 8601.
 *
 * @example for await (const chunk of encodeNdjson(rows)) await file.write(chunk);
 */
export async function* encodeNdjson(
  rows: AsyncIterable<readonly Log[]>,
  decoding?: ExportDecoding,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const logs of batches(rows, textBatch))
    yield encoder.encode(`${jsonOf(logs, '\n', decoding)}\n`);
}

/**
 * Logs as one JSON array, as the result of `eth_getLogs` is, an element a line.
 *
 * @example for await (const chunk of encodeJson(rows)) await file.write(chunk);
 */
export async function* encodeJson(
  rows: AsyncIterable<readonly Log[]>,
  decoding?: ExportDecoding,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let opening = '[\n';
  for await (const logs of batches(rows, textBatch)) {
    yield encoder.encode(`${opening}${jsonOf(logs, ',\n', decoding)}`);
    opening = ',\n';
  }
  yield encoder.encode(opening === '[\n' ? '[]\n' : '\n]\n');
}

function jsonOf(logs: readonly Log[], separator: string, decoding: ExportDecoding | undefined): string {
  const jsonOfOne = (log: Log) =>
    decoding ? { ...logToJson(log), ...timeOf(log, decoding), ...knownOf(log, decoding) } : logToJson(log);
  return logs.map((log) => JSON.stringify(jsonOfOne(log))).join(separator);
}

/** In ISO 8601; null where it is not known. */
function timeOf({ time }: Log, { timed }: ExportDecoding): { readonly timestamp?: string | null } {
  return timed ? { timestamp: isoTime(time) ?? null } : {};
}

/** What a log says, and the names of its addresses where there are some. */
function knownOf(log: Log, { decode, nameOf }: ExportDecoding) {
  const decoded = decode(log);
  const values = 'event' in decoded ? decoded.values : [];
  const inputs = 'event' in decoded ? decoded.event.inputs : [];
  const addresses = [log.address, ...values.filter((_, index) => inputs[index]?.type.kind === 'address')];
  const names = addresses.flatMap((address) => {
    const name = nameOf?.(address as Address);
    return name === undefined ? [] : [[address, name]];
  });
  const decodedJson = decodedLogToJson(decoded);
  return names.length > 0
    ? { decoded: decodedJson, names: Object.fromEntries(names) }
    : { decoded: decodedJson };
}
