import type { Hex } from '../../values/hex.ts';
import type { AbiParameter, AbiValue } from '../abiType.ts';
import type { DecodeFault } from './decodeFault.ts';
import { hasHead } from './longValues.ts';
import { tupleReader } from './valueReader.ts';
import { type Cursor, failed } from './words.ts';

/** Reads values that must fill the data, of which the case counts: lower. */
export type ReadAll = (data: Hex) => readonly AbiValue[] | DecodeFault;

const EMPTY_TYPE: DecodeFault = { fault: 'emptyType', detail: 'a type has values that take no space' };
/** Digits are looked at where they are read. */
export const NOT_HEX: DecodeFault = { fault: 'notHex', detail: 'the data is not whole bytes in hex' };

/** What reads values of these types, for use again and again. */
export function compileParameters(parameters: readonly AbiParameter[]): ReadAll {
  const reader = tupleReader(parameters);
  if (reader === undefined && parameters.length > 0) return () => EMPTY_TYPE;
  const head = reader && !reader.dynamic ? reader.head : 0;
  return (text) => {
    if (text.length % 2 !== 0 || !text.startsWith('0x')) return NOT_HEX;
    const cursor: Cursor = { text, tail: 2 + head, fault: undefined };
    // A dynamic tuple looks for its head itself.
    const values = hasHead(cursor, 2, head) ? readFrom(cursor, reader) : undefined;
    return values ?? cursor.fault ?? NOT_HEX;
  };
}

function readFrom(cursor: Cursor, reader: ReturnType<typeof tupleReader>): readonly AbiValue[] | undefined {
  const values = reader ? reader.read(cursor, 2) : [];
  if (values === undefined) return undefined;
  const rest = (cursor.text.length - cursor.tail) / 2;
  if (rest === 0) return values as readonly AbiValue[];
  return failed(cursor, { fault: 'rest', detail: `the data is ${rest} bytes longer than its types say` });
}
