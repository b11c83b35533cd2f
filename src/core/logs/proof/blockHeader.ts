import { createMessage, foreign, type Message, sanitizeText } from '../../base/text.ts';
import { isRecord } from '../../base/values.ts';
import { type Hex, parseHexData, parseQuantity } from '../../eth/hex.ts';
import { encodeRlp, hashBytes, type RlpValue, toRlpInteger } from './merkleTrie.ts';

/** A block header whose fields are those that its hash commits to. */
export interface ProvenHeader {
  /** Computed from the fields. */
  readonly hash: Hex;
  readonly number: bigint;
  readonly parentHash: Hex;
  readonly transactionsRoot: Hex;
  readonly receiptsRoot: Hex;
  readonly logsBloom: Hex;
  readonly gasUsed: bigint;
  /** In milliseconds since the Unix epoch. */
  readonly time: number;
}

/** Number of bytes; `data` of any number; a quantity has no leading zeros. */
type FieldForm = number | 'data' | 'quantity';

/** In the order of the RLP: Yellow Paper, section 4.4. */
const FIELDS: readonly (readonly [name: string, form: FieldForm])[] = [
  ['parentHash', 32],
  ['sha3Uncles', 32],
  ['miner', 20],
  ['stateRoot', 32],
  ['transactionsRoot', 32],
  ['receiptsRoot', 32],
  ['logsBloom', 256],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'data'],
  ['mixHash', 32],
  ['nonce', 8],
];

/** Of later forks, in this order: EIP-1559, 4895, 4844, 4788, 7685, 7928 and 7843. */
const FORK_FIELDS: typeof FIELDS = [
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', 32],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 32],
  ['requestsHash', 32],
  ['blockAccessListHash', 32],
  ['slotNumber', 'quantity'],
];

/** What servers add to a header, and its hash does not cover. */
const OTHER_FIELDS = ['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals', 'author'];
const KNOWN_FIELDS = new Set([...[...FIELDS, ...FORK_FIELDS].map(([name]) => name), ...OTHER_FIELDS]);
const MAX_NAMED_FIELDS = 5;

/**
 * Reads the header in a response to `eth_getBlockByNumber` or `eth_getBlockByHash`, and computes its hash.
 *
 * @param block its number or hash, for the message.
 * @returns what is missing if the response is not a block, or if its fields do not have its hash.
 * @example const { header, missing } = readHeader(await call('eth_getBlockByNumber', ['0x7', false]), '7');
 */
export function readHeader(wire: unknown, block: string): HeaderResult {
  if (!isRecord(wire))
    return { missing: createMessage('The endpoint does not return block {0}.', foreign(block)) };
  const present = FORK_FIELDS.filter(([name]) => wire[name] !== undefined && wire[name] !== null);
  const values: RlpValue[] = [];
  for (const [name, form] of [...FIELDS, ...present]) {
    const value = encodeField(wire[name], form);
    if (value === undefined) {
      const template = 'The header of block {0} has no valid {1}, so its hash cannot be computed.';
      return { missing: createMessage(template, foreign(block), foreign(name)) };
    }
    values.push(value);
  }
  const hash = hashBytes(encodeRlp(values));
  if (hash !== parseHexData(wire.hash, 32)) return describeOtherHash(wire, block);
  return {
    header: {
      hash,
      number: parseQuantity(wire.number) ?? 0n,
      parentHash: values[0] as Hex,
      transactionsRoot: values[4] as Hex,
      receiptsRoot: values[5] as Hex,
      logsBloom: values[6] as Hex,
      gasUsed: parseQuantity(wire.gasUsed) ?? 0n,
      time: Number(parseQuantity(wire.timestamp) ?? 0n) * 1000,
    },
  };
}

/** Of a header: only `extraData` has no length of its own, and holds some kilobytes where it lists validators. */
const MAX_FIELD_BYTES = 64 * 1024;

export type HeaderResult =
  | { readonly header: ProvenHeader; readonly missing?: undefined; readonly isAltered?: undefined }
  | {
      readonly header?: undefined;
      readonly missing: Message;
      /** The endpoint returned something else than the hash commits to, if other blocks show that it can be computed. */
      readonly isAltered?: boolean;
    };

function encodeField(value: unknown, form: FieldForm): Hex | undefined {
  if (typeof value === 'string' && value.length > 2 + 2 * MAX_FIELD_BYTES) return undefined;
  if (form !== 'quantity') return parseHexData(value, form === 'data' ? undefined : form);
  const quantity = parseQuantity(value);
  return quantity === undefined ? undefined : toRlpInteger(quantity);
}

function describeOtherHash(wire: Readonly<Record<string, unknown>>, block: string): HeaderResult {
  const unknown = Object.keys(wire).filter((name) => !KNOWN_FIELDS.has(name));
  if (unknown.length === 0) {
    const template =
      'The fields of the header of block {0} do not have its hash. The endpoint altered them, or the chain computes hashes in another way.';
    return { missing: createMessage(template, foreign(block)), isAltered: true };
  }
  const named = unknown.slice(0, MAX_NAMED_FIELDS).map((name) => sanitizeText(name, 32));
  const template =
    'The fields of the header of block {0} do not have its hash. The chain may include fields that Chainside does not know: {1}.';
  return { missing: createMessage(template, foreign(block), foreign(named.join(', '))) };
}
