import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Abi, decodeAbiParameters, encodeAbiParameters, encodeEventTopics, type Hex } from 'viem';
import { isParameterName } from '../../../src/core/abi/declaration.ts';
import { type DecodeError, decodeParameters, isDecodeError } from '../../../src/core/abi/decode.ts';
import { encodeParameters, encodeTopic } from '../../../src/core/abi/encode.ts';
import { compileEvent } from '../../../src/core/abi/eventDecoder.ts';
import {
  type AbiError,
  type AbiEvent,
  type AbiFunction,
  type AbiItem,
  formatAbiItem,
  parseAbiItem,
} from '../../../src/core/abi/item.ts';
import {
  type AbiParameter,
  type AbiType,
  type AbiValue,
  arrayType,
  type EventParameter,
  isHashed,
  parseElementaryType,
  tupleType,
} from '../../../src/core/abi/type.ts';
import { fromViemValue, toAbiJson, toViem, toViemValue } from './viemAbi.ts';

const elementary: fc.Arbitrary<AbiType> = fc
  .oneof(
    fc.constantFrom('address', 'bool', 'string', 'bytes', 'function', 'uint256', 'int256'),
    fc.integer({ min: 1, max: 32 }).map((size) => `bytes${size}`),
    fc
      .tuple(fc.constantFrom('uint', 'int'), fc.integer({ min: 1, max: 32 }))
      .map(([kind, n]) => kind + 8 * n),
  )
  .map((word) => parseElementaryType(word) as AbiType);

const word = fc.stringMatching(/^[A-Za-z_$][A-Za-z0-9_$]{0,12}$/);
const parameterName = fc.oneof(fc.constant(''), word.filter(isParameterName), fc.constant('__proto__'));

/** Types that compilers take: no array of nothing, no empty tuple. */
export const { type: arbitraryType } = fc.letrec<{ type: AbiType }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    elementary,
    fc
      .tuple(tie('type'), fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }))
      .map(([item, length]) => arrayType(item, length)),
    fc
      .array(fc.record({ name: parameterName, type: tie('type') }, { noNullPrototype: true }), {
        minLength: 1,
        maxLength: 3,
      })
      .map(tupleType),
  ),
}));

const parameter: fc.Arbitrary<AbiParameter> = fc.record(
  { name: parameterName, type: arbitraryType },
  { noNullPrototype: true },
);
export const arbitraryParameters: fc.Arbitrary<readonly AbiParameter[]> = fc.array(parameter, {
  maxLength: 4,
});

/** An item of what its text says, hashes and all. */
function itemOf<Item extends AbiItem>(parts: Parameters<typeof formatAbiItem>[0]): Item {
  return parseAbiItem(formatAbiItem(parts)) as Item;
}

export const arbitraryEvent: fc.Arbitrary<AbiEvent> = fc
  .tuple(word, fc.boolean(), fc.array(fc.tuple(parameter, fc.boolean()), { maxLength: 6 }))
  .map(([name, anonymous, declared]) => {
    let topics = anonymous ? 4 : 3;
    const inputs = declared.map(
      ([{ name, type }, wish]): EventParameter => ({ name, type, indexed: wish && topics-- > 0 }),
    );
    return itemOf({ kind: 'event', name, anonymous, inputs });
  });

export const arbitraryError: fc.Arbitrary<AbiError> = fc
  .tuple(word, arbitraryParameters)
  .map(([name, inputs]) => itemOf({ kind: 'error', name, inputs }));

export const arbitraryFunction: fc.Arbitrary<AbiFunction> = fc
  .tuple(word, arbitraryParameters, arbitraryParameters, fc.boolean())
  .map(([name, inputs, outputs, isView]) => itemOf({ kind: 'function', name, inputs, outputs, isView }));

export const arbitraryItem: fc.Arbitrary<AbiItem> = fc.oneof(
  arbitraryEvent,
  arbitraryError,
  arbitraryFunction,
);

/** A log that viem has encoded, and what it says. */
export interface MadeLog {
  readonly event: AbiEvent;
  /** A hash stands for a hashed one. */
  readonly values: readonly AbiValue[];
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

const hexOf = (minLength: number, maxLength: number) =>
  fc
    .uint8Array({ minLength, maxLength })
    .map((bytes): Hex => `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`);

/** Small ones as often as those near the bounds of the type. */
function integer(min: bigint, max: bigint): fc.Arbitrary<bigint> {
  const near = fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 2n ** 66n }));
  const within = (value: bigint) => (value < min ? min : value > max ? max : value);
  return fc.oneof(
    fc.bigInt({ min, max }),
    near.map((value) => within(value)),
    near.map((value) => within(-value)),
    near.map((value) => within(max - value)),
  );
}

export function arbitraryValue(type: AbiType): fc.Arbitrary<AbiValue> {
  switch (type.kind) {
    case 'uint':
      return integer(0n, 2n ** BigInt(type.bits) - 1n);
    case 'int':
      return integer(-(2n ** BigInt(type.bits - 1)), 2n ** BigInt(type.bits - 1) - 1n);
    case 'bool':
      return fc.boolean();
    case 'address':
      return hexOf(20, 20);
    case 'fixedBytes':
      return hexOf(type.size, type.size);
    case 'bytes':
      return hexOf(0, 70);
    case 'string':
      // Lone surrogates have no UTF-8.
      return fc.string({ unit: 'grapheme', maxLength: 24 });
    case 'array':
      return fc.array(arbitraryValue(type.item), {
        minLength: type.length ?? 0,
        maxLength: type.length ?? 3,
      });
    case 'tuple':
      return arbitraryValues(type.members);
  }
}

export function arbitraryValues(parameters: readonly AbiParameter[]): fc.Arbitrary<readonly AbiValue[]> {
  return fc.tuple(...parameters.map(({ type }) => arbitraryValue(type)));
}

/** Logs of an event; the hash of an indexed array or tuple, which viem does not make, is any. */
export function arbitraryLogOf(event: AbiEvent): fc.Arbitrary<MadeLog> {
  return fc
    .tuple(arbitraryValues(event.inputs), fc.array(hexOf(32, 32), { minLength: 4, maxLength: 4 }))
    .map(([given, hashes]) => {
      const topics: Hex[] = event.anonymous ? [] : [event.topic0];
      const values = event.inputs.map((input, index) => {
        const value = given[index] as AbiValue;
        if (!input.indexed) return value;
        const topic = topicOf(input, value) ?? (hashes[index % 4] as Hex);
        topics.push(topic);
        return isHashed(input) ? topic : value;
      });
      return { event, values, topics, data: dataOf(event, values) };
    });
}

/** The values that are not indexed, as viem encodes them. */
function dataOf(event: AbiEvent, values: readonly AbiValue[]): Hex {
  const plain = event.inputs.map((input, index) => ({ input, value: values[index] as AbiValue }));
  const left = plain.filter(({ input }) => !input.indexed);
  return encodeAbiParameters(
    left.map(({ input }) => toViem(input)),
    left.map(({ input, value }) => toViemValue(input.type, value)),
  );
}

/** What viem makes of an indexed value; undefined where it makes nothing of such types. */
function topicOf(input: EventParameter, value: AbiValue): Hex | undefined {
  if (input.type.kind === 'array' || input.type.kind === 'tuple') return undefined;
  const viem = toViem(input);
  if (!isHashed(input)) return encodeAbiParameters([viem], [toViemValue(input.type, value)]);
  const event = { kind: 'event', name: 'A', inputs: [input], anonymous: false, signature: '', topic0: '0x' };
  const abi: Abi = [toAbiJson(event as AbiEvent)] as unknown as Abi;
  // An empty text is to viem as none given.
  if (value === '' || value === '0x') return undefined;
  const [, topic] = encodeEventTopics({ abi, eventName: 'A', args: [value] } as Parameters<
    typeof encodeEventTopics
  >[0]);
  return topic as Hex;
}

const WORD = 64;
const words = fc.oneof(
  fc.constantFrom(...[0, 1, 31, 32, 33, 64].map(BigInt)),
  fc.constantFrom(...[31n, 32n, 48n, 53n, 64n, 255n].map((bits) => 2n ** bits)),
  fc.bigInt({ min: 0n, max: 512n }),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
);

/** What is done to the data: at a place of it, given as a share. */
const damage = fc.tuple(fc.constantFrom('cut', 'insert', 'digit', 'word', 'double', 'swap'), fc.nat(), words);

/** The same log with faults of every kind: cut off, longer, with other offsets, lengths and padding, other topics. */
export function mutated(log: fc.Arbitrary<MadeLog>): fc.Arbitrary<MadeLog> {
  const topics = fc.tuple(fc.constantFrom('same', 'same', 'same', 'less', 'more', 'word'), fc.nat(), words);
  return fc
    .tuple(log, fc.array(damage, { minLength: 1, maxLength: 3 }), topics)
    .map(([made, damages, [how, place, word]]) => ({
      ...made,
      data: damages.reduce((data, each) => damaged(data, each), made.data),
      topics: otherTopics(made.topics, how, { place, word }),
    }));
}

function damaged(data: Hex, [how, place, word]: [string, number, bigint]): Hex {
  const digits = data.slice(2);
  const at = digits.length === 0 ? 0 : place % digits.length;
  const start = at - (at % WORD);
  const written = wordOf(word);
  switch (how) {
    case 'cut':
      return `0x${digits.slice(0, at - (at % 2))}`;
    case 'insert':
      return `0x${digits.slice(0, start)}${written}${digits.slice(start)}`;
    case 'digit':
      return `0x${digits.slice(0, at)}${(word % 16n).toString(16)}${digits.slice(at + 1)}`;
    case 'word':
      return `0x${digits.slice(0, start)}${written}${digits.slice(start + WORD)}`;
    case 'double':
      return `0x${digits}${digits.slice(start)}`;
    default:
      return `0x${digits.slice(start)}${digits.slice(0, start)}`;
  }
}

function otherTopics(
  topics: readonly Hex[],
  how: string,
  { place, word }: { readonly place: number; readonly word: bigint },
): readonly Hex[] {
  const at = topics.length === 0 ? 0 : place % topics.length;
  switch (how) {
    case 'less':
      return topics.slice(0, at);
    case 'more':
      return [...topics, `0x${wordOf(word)}`];
    case 'word':
      return topics.map((topic, index): Hex => (index === at ? `0x${wordOf(word)}` : topic));
    default:
      return topics;
  }
}

function wordOf(word: bigint): string {
  return word.toString(16).padStart(WORD, '0');
}

type Decode = ReturnType<typeof compileEvent>;
const compiled = new WeakMap<AbiEvent, Decode>();

function decoderOf(event: AbiEvent): Decode {
  const decode = compiled.get(event) ?? compileEvent(event);
  compiled.set(event, decode);
  return decode;
}

/** Decoding gives what viem gives, and encoding what viem has encoded. */
export function equalsViem(log: MadeLog): void {
  const { event, values, topics, data } = log;
  assert.deepEqual(decoderOf(event)({ topics, data }), values);
  assert.deepEqual(viemValues(log), values);
  const plain = event.inputs.filter(({ indexed }) => !indexed);
  const plainValues = values.filter((_, index) => !event.inputs[index]?.indexed);
  assert.equal(encodeParameters(plain, plainValues), data);
  assert.deepEqual(decodeParameters(plain, data), plainValues);
  let at = event.anonymous ? 0 : 1;
  for (const [index, input] of event.inputs.entries()) {
    if (!input.indexed) continue;
    if (!isHashed(input)) assert.equal(encodeTopic(input.type, values[index] as AbiValue), topics[at]);
    at++;
  }
}

/** What viem decodes, piece by piece: as a log it knows neither anonymous events nor functions. */
function viemValues({ event, topics, data }: MadeLog): readonly AbiValue[] {
  const plain = event.inputs.filter(({ indexed }) => !indexed);
  const rest = decodeAbiParameters(plain.map(toViem), data).map((value, index) =>
    fromViemValue((plain[index] as AbiParameter).type, value),
  );
  const left = topics.slice(event.anonymous ? 0 : 1);
  return event.inputs.map((input) => {
    if (!input.indexed) return rest.shift() as AbiValue;
    const topic = left.shift() as Hex;
    return isHashed(input)
      ? topic
      : fromViemValue(input.type, decodeAbiParameters([toViem(input)], topic)[0]);
  });
}

/** Whatever is in the log: nothing is thrown, and what decodes is what viem would have encoded. */
export function isNeverWrong({ event, topics, data }: MadeLog): readonly AbiValue[] | DecodeError {
  const values = decoderOf(event)({ topics, data });
  if (isDecodeError(values)) {
    assert.match(values.detail.template, /^[a-z]/);
    return values;
  }
  assert.equal(dataOf(event, values), data);
  const rest = topics.slice(event.anonymous ? 0 : 1);
  if (!event.anonymous) assert.equal(topics[0], event.topic0);
  for (const [index, input] of event.inputs.entries()) {
    if (!input.indexed) continue;
    const value = values[index] as AbiValue;
    assert.equal(rest.shift(), isHashed(input) ? value : topicOf(input, value));
  }
  assert.deepEqual(rest, []);
  return values;
}
