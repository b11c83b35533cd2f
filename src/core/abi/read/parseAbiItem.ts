import type { AbiError, AbiEvent, AbiFunction, AbiItem } from '../abiItem.ts';
import type { AbiParameter, EventParameter } from '../abiType.ts';
import { typeList } from '../abiTypes.ts';
import {
  type DeclaredParameter,
  isKnown,
  isName,
  parameterOf,
  readParameters,
  splitWords,
  take,
  type WordReader,
} from '../declaredParameters.ts';
import { selectorOf, signatureHash } from '../signatureHash.ts';
import { fitsTopics, LONGEST_ITEM } from './itemBounds.ts';

const INDEXED: ReadonlySet<string> = new Set(['indexed']);
const LOCATIONS: ReadonlySet<string> = new Set(['memory', 'calldata', 'storage']);
const MODIFIERS: ReadonlySet<string> = new Set([
  ...['public', 'external', 'internal', 'private', 'pure', 'view', 'payable', 'nonpayable', 'constant'],
  ...['virtual', 'override'],
]);

/**
 * Reads `event …`, `error …` or `function …` as Solidity declares them, a semicolon at the end or none; aliases (`uint`)
 * become canonical, a struct stands as its members in parentheses. Undefined where it is none of them, uses a type that
 * the ABI does not know, has more indexed parameters than a log has topics, or is over 16,384 characters long.
 *
 * @example
 * parseAbiItem('event Paid(address indexed by, uint amount)')?.signature // 'Paid(address,uint256)'
 */
export function parseAbiItem(text: string): AbiItem | undefined {
  const words = text.length > LONGEST_ITEM ? [] : splitWords(text);
  if (words.at(-1) === ';') words.pop();
  const [kind, name = ''] = words;
  if (!isName(name)) return undefined;
  switch (kind) {
    case 'event':
      return readEvent(name, { words, at: 2, between: INDEXED });
    case 'error':
      return readError(name, { words, at: 2, between: LOCATIONS });
    case 'function':
      return readFunction(name, { words, at: 2, between: LOCATIONS });
    default:
      return undefined;
  }
}

function readEvent(name: string, reader: WordReader): AbiEvent | undefined {
  const inputs = readKnown(reader, eventParameterOf);
  const anonymous = take(reader, 'anonymous');
  if (!inputs || !isAtEnd(reader) || !fitsTopics(inputs, anonymous)) return undefined;
  const signature = name + typeList(inputs);
  return { kind: 'event', name, inputs, anonymous, signature, topic0: signatureHash(signature) };
}

function readError(name: string, reader: WordReader): AbiError | undefined {
  const inputs = readKnown(reader, parameterOf);
  if (!inputs || !isAtEnd(reader)) return undefined;
  const signature = name + typeList(inputs);
  return { kind: 'error', name, inputs, signature, selector: selectorOf(signature) };
}

function readFunction(name: string, reader: WordReader): AbiFunction | undefined {
  const inputs = readKnown(reader, parameterOf);
  while (MODIFIERS.has(reader.words[reader.at] ?? '')) reader.at++;
  const outputs = take(reader, 'returns') ? readKnown(reader, parameterOf) : [];
  if (!inputs || !outputs || !isAtEnd(reader)) return undefined;
  const signature = name + typeList(inputs);
  return { kind: 'function', name, inputs, outputs, signature, selector: selectorOf(signature) };
}

/** Parameters in parentheses; undefined unless the ABI knows all their types. */
function readKnown<Parameter extends AbiParameter>(
  reader: WordReader,
  as: (declared: AbiParameter & Pick<DeclaredParameter, 'indexed'>) => Parameter,
): readonly Parameter[] | undefined {
  const parameters = readParameters(reader);
  return parameters && isKnown(parameters) ? parameters.map(as) : undefined;
}

function eventParameterOf({ name, type, indexed }: EventParameter): EventParameter {
  return { name, type, indexed };
}

function isAtEnd(reader: WordReader): boolean {
  return reader.at === reader.words.length;
}
