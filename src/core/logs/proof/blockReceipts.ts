import { isRecord, type PlainRecord } from '../../base/values.ts';
import { concatBytes } from '../../eth/bytes.ts';
import { type Address, type Hex, parseAddress, parseHexData, parseQuantity } from '../../eth/hex.ts';
import type { Log } from '../log.ts';
import type { createBloomBuilder } from './bloom.ts';
import {
  computeListRoot,
  encodeRlp,
  encodeRlpList,
  type SlicedWork,
  toBytes,
  toRlpInteger,
} from './merkleTrie.ts';

/** A log as a receipts root commits to it. Its index counts the logs of the block. */
export type ReceiptLog = Pick<Log, 'address' | 'data' | 'logIndex' | 'topics' | 'transactionIndex'>;

interface EncodedReceipts {
  readonly root: Hex;
  /** The bloom of all logs. */
  readonly bloom: Uint8Array;
  readonly logs: readonly ReceiptLog[];
}

/**
 * Computes the receipts root of a block from its receipts, as `eth_getBlockReceipts` returns them, in order. Nothing else
 * of a receipt is used: position, index and bloom of each log are computed.
 *
 * An unknown type is encoded as the known ones are. That is safe, as a root shows whether it is right.
 *
 * @returns undefined if an entry is not a receipt.
 * @throws the signal's reason when it aborts.
 * @example const { root } = await encodeReceipts(receipts, buildBloom, work); // header.receiptsRoot
 */
export async function encodeReceipts(
  wire: readonly unknown[],
  buildBloom: ReturnType<typeof createBloomBuilder>,
  work: SlicedWork,
): Promise<EncodedReceipts | undefined> {
  const logs: ReceiptLog[] = [];
  const encoded: Uint8Array[] = [];
  const bloomOfAll = new Uint8Array(BLOOM_BYTES);
  for (const receipt of wire) {
    if (work.slices.isOver()) await work.slices.rest({ signal: work.signal });
    const ofReceipt = isRecord(receipt) ? await parseReceiptLogs(receipt.logs, buildBloom, work) : undefined;
    if (!ofReceipt || !isRecord(receipt)) return undefined;
    const { bloom } = ofReceipt;
    const bytes = encodeReceipt(receipt, bloom, ofReceipt.encoded);
    if (!bytes) return undefined;
    const transactionIndex = encoded.length;
    for (const log of ofReceipt.logs) logs.push({ ...log, transactionIndex, logIndex: logs.length });
    encoded.push(bytes);
    addBloom(bloomOfAll, bloom);
  }
  return { root: await computeListRoot(encoded, work), bloom: bloomOfAll, logs };
}

interface WireLog extends Pick<ReceiptLog, 'address' | 'data' | 'topics'> {
  readonly address: Address;
}

interface ReceiptLogs {
  readonly logs: readonly WireLog[];
  readonly bloom: Uint8Array;
  /** Each as RLP. */
  readonly encoded: readonly Uint8Array[];
}

/** Undefined if one of them is not a log. */
async function parseReceiptLogs(
  wire: unknown,
  buildBloom: ReturnType<typeof createBloomBuilder>,
  work: SlicedWork,
): Promise<ReceiptLogs | undefined> {
  if (!Array.isArray(wire)) return undefined;
  const logs: WireLog[] = [];
  const encoded: Uint8Array[] = [];
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const each of wire) {
    const log = isRecord(each) ? parseReceiptLog(each) : undefined;
    if (!log) return undefined;
    logs.push(log);
    addBloom(bloom, buildBloom([log]));
    encoded.push(encodeRlp([log.address, log.topics, await toBytes(log.data, work)]));
    if (work.slices.isOver()) await work.slices.rest({ signal: work.signal });
  }
  return { logs, bloom, encoded };
}

const BLOOM_BYTES = 256;

function parseReceiptLog({ address: written, topics: list, data: hex }: PlainRecord): WireLog | undefined {
  const [address, data] = [parseAddress(written), parseHexData(hex)];
  const topics = Array.isArray(list) ? list.map((topic) => parseHexData(topic, 32)) : [undefined];
  if (!address || !data || topics.length > 4 || !topics.every((topic) => topic !== undefined))
    return undefined;
  return { address, data, topics };
}

/**
 * A receipt with its type before it (EIP-2718), if it has one. The first field is the status (EIP-658), before
 * Byzantium the state root. A deposit of OP chains has two more fields since Canyon:
 * https://specs.optimism.io/protocol/deposits.html#deposit-receipt
 */
function encodeReceipt(
  { type, status, root, cumulativeGasUsed, depositNonce, depositReceiptVersion }: PlainRecord,
  bloom: Uint8Array,
  logs: readonly Uint8Array[],
): Uint8Array | undefined {
  const outcome = parseHexData(root, 32) ?? encodeInteger(status);
  const gas = encodeInteger(cumulativeGasUsed);
  const kind = type === undefined || type === null ? 0n : parseQuantity(type);
  if (outcome === undefined || gas === undefined || kind === undefined || kind > 0x7fn) return undefined;
  const [nonce, version] = [encodeInteger(depositNonce), encodeInteger(depositReceiptVersion)];
  const deposit = nonce !== undefined && version !== undefined ? [nonce, version] : [];
  const fields = [...[outcome, gas, bloom].map(encodeRlp), encodeRlpList(logs), ...deposit.map(encodeRlp)];
  return withType(kind, encodeRlpList(fields));
}

/** @example withType(2n, Uint8Array.of(0xc0)) // Uint8Array.of(2, 0xc0) */
export function withType(type: bigint, bytes: Uint8Array): Uint8Array {
  return type === 0n ? bytes : concatBytes([Uint8Array.of(Number(type)), bytes]);
}

function encodeInteger(value: unknown): Hex | undefined {
  const quantity = parseQuantity(value);
  return quantity === undefined ? undefined : toRlpInteger(quantity);
}

function addBloom(target: Uint8Array, bloom: Uint8Array): void {
  for (let at = 0; at < target.length; at++) target[at] = (target[at] ?? 0) | (bloom[at] ?? 0);
}

/**
 * The types of transactions or receipts that Ethereum has no definition of, for a message.
 *
 * @example listUnknownTypes([{ type: '0x2' }, { type: '0x7e' }]) // ['0x7e']
 */
export function listUnknownTypes(wire: readonly unknown[]): readonly string[] {
  const unknown = new Set<string>();
  for (const written of new Set(wire.map((entry) => (isRecord(entry) ? entry.type : undefined)))) {
    const type = parseQuantity(written);
    if (type !== undefined && type > 4n) unknown.add(`0x${type.toString(16)}`);
    if (unknown.size === 5) break;
  }
  return [...unknown];
}
