import { isRecord, type PlainRecord } from '../../base/values.ts';
import { type Hex, parseHexData, parseQuantity } from '../../eth/hex.ts';
import { hashInSlices } from '../../eth/keccak.ts';
import { withType } from './blockReceipts.ts';
import {
  computeListRoot,
  encodeRlp,
  encodeRlpList,
  type RlpValue,
  type SlicedWork,
  toBytes,
  toRlpInteger,
} from './merkleTrie.ts';

/**
 * Fields of transactions by type, in the order of their RLP, by their names in JSON-RPC: the Yellow Paper, EIP-2930,
 * 1559, 4844 and 7702; `0x7e` is a deposit of OP chains (https://specs.optimism.io/protocol/deposits.html), `0x64` and
 * `0x6a` a deposit and an internal transaction of Arbitrum.
 */
const FIELDS: Readonly<Record<number, string>> = {
  0: 'nonce gasPrice gas to value input v r s',
  1: 'chainId nonce gasPrice gas to value input accessList yParity r s',
  2: 'chainId nonce maxPriorityFeePerGas maxFeePerGas gas to value input accessList yParity r s',
  3: 'chainId nonce maxPriorityFeePerGas maxFeePerGas gas to value input accessList maxFeePerBlobGas blobVersionedHashes yParity r s',
  4: 'chainId nonce maxPriorityFeePerGas maxFeePerGas gas to value input accessList authorizationList yParity r s',
  100: 'chainId requestId from to value',
  106: 'chainId input',
  126: 'sourceHash from to mint value gas isSystemTx input',
};

const BYTES = new Set(['from', 'requestId', 'sourceHash', 'to']);

/**
 * Computes the transactions root of a block and the hash of each transaction, from the transactions of a block that was
 * requested with them. A receipt does not have the hash of its transaction.
 *
 * @returns undefined if a transaction has a type whose fields are not known.
 * @throws the signal's reason when it aborts.
 * @example const { root, hashes } = await encodeTransactions(block.transactions, work);
 */
export async function encodeTransactions(
  wire: readonly unknown[],
  work: SlicedWork,
): Promise<{ readonly root: Hex; readonly hashes: readonly Hex[] } | undefined> {
  const encoded: Uint8Array[] = [];
  const hashes: Hex[] = [];
  for (const transaction of wire) {
    if (work.slices.isOver()) await work.slices.rest({ signal: work.signal });
    const bytes = isRecord(transaction) ? await encodeTransaction(transaction, work) : undefined;
    if (!bytes) return undefined;
    encoded.push(bytes);
    hashes.push(await hashInSlices(bytes, work));
  }
  return { root: await computeListRoot(encoded, work), hashes };
}

/** A field that is missing or wrong is encoded as empty: the root then shows it. */
async function encodeTransaction(wire: PlainRecord, work: SlicedWork): Promise<Uint8Array | undefined> {
  const type = wire.type === undefined || wire.type === null ? 0n : parseQuantity(wire.type);
  const fields = type === undefined ? undefined : FIELDS[Number(type)];
  if (type === undefined || fields === undefined) return undefined;
  const encoded: Uint8Array[] = [];
  for (const name of fields.split(' ')) {
    const value = name === 'input' ? await toBytes(parseHexData(wire.input) ?? '0x', work) : undefined;
    encoded.push(encodeRlp(value ?? encodeField(wire, name)));
  }
  return withType(type, encodeRlpList(encoded));
}

function encodeField(wire: PlainRecord, name: string): RlpValue {
  const value = wire[name];
  if (BYTES.has(name)) return parseHexData(value) ?? '0x';
  if (name === 'accessList')
    return toRecords(value).map(({ address, storageKeys }) => [
      parseHexData(address) ?? '0x',
      toHexList(storageKeys),
    ]);
  if (name === 'blobVersionedHashes') return toHexList(value);
  if (name === 'authorizationList')
    return toRecords(value).map((authorization) => [
      encodeField(authorization, 'chainId'),
      parseHexData(authorization.address) ?? '0x',
      ...['nonce', 'yParity', 'r', 's'].map((field) => encodeField(authorization, field)),
    ]);
  if (name === 'isSystemTx') return value === true ? '0x01' : '0x';
  // Older servers have the parity of a signature in `v` only.
  return toRlpInteger(parseQuantity(name === 'yParity' ? (value ?? wire.v) : value) ?? 0n);
}

function toRecords(value: unknown): readonly PlainRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function toHexList(value: unknown): readonly Hex[] {
  return Array.isArray(value) ? value.map((item) => parseHexData(item, 32) ?? '0x') : [];
}
