import assert from 'node:assert/strict';
import { decodeAbiParameters, decodeEventLog, type Hex } from 'viem';
import { type DecodeError, decodeParameters, isDecodeError } from '../../../src/core/abi/decode.ts';
import { encodeParameters, encodeTopic } from '../../../src/core/abi/encode.ts';
import { compileEvent } from '../../../src/core/abi/eventDecoder.ts';
import type { AbiEvent } from '../../../src/core/abi/item.ts';
import { type AbiParameter, type AbiValue, isHashed } from '../../../src/core/abi/type.ts';
import { dataOf, type MadeLog, topicOf } from './arbitraryLog.ts';
import { fromViemValue, toAbiJson, toViem } from './viemAbi.ts';

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

/** What viem decodes: as a log, where it can; else piece by piece. */
function viemValues({ event, topics, data }: MadeLog): readonly AbiValue[] {
  if (!event.anonymous && event.inputs.length > 0 && !event.signature.includes('function')) {
    const abi = [
      {
        ...toAbiJson(event),
        inputs: event.inputs.map((input) => ({ ...toViem(input), indexed: input.indexed })),
      },
    ];
    const { args } = decodeEventLog({ abi: abi as never, topics: topics as never, data, strict: true }) as {
      args: readonly unknown[];
    };
    return event.inputs.map((input, index) =>
      isHashed(input) ? (args[index] as Hex) : fromViemValue(input.type, args[index]),
    );
  }
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
    assert.match(values.detail, /^[a-z]/);
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
