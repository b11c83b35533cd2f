import type { AbiParameter, AbiType, AbiValue } from '../../abi/abiType.ts';
import { isHashed } from '../../abi/decode/isHashed.ts';
import type { HandedLog } from '../handed/handover.ts';
import { literalOf } from './literals.ts';
import type { Structs } from './structs.ts';

/** Lines of a function that make one log: what its variables need, and the arguments of `emit`. */
export interface EmittedLog {
  readonly lines: readonly string[];
  readonly args: readonly string[];
}

/** Lines that the values of one log may take. */
const MOST_LINES = 500;

class Unwritable extends Error {}

/**
 * What emits a log again; undefined where a value cannot be written, or takes too many lines. Of an indexed value that is
 * known by its hash alone an empty one stands in its place.
 *
 * @param prefix of the names of its variables.
 */
export function emittedLog(
  { known }: HandedLog,
  { structs, prefix }: { readonly structs: Structs; readonly prefix: string },
): EmittedLog | undefined {
  const lines: string[] = [];
  try {
    const args = known.event.inputs.map((input, index) => {
      const { type } = input;
      const value = isHashed(input) ? emptyOf(type) : known.values[index];
      const literal = value === undefined ? undefined : literalOf(type, value);
      if (literal !== undefined) return literal;
      if (type.kind !== 'array' && type.kind !== 'tuple') throw new Unwritable();
      const name = `${prefix}${index}`;
      lines.push(`${structs.nameOf(type)} memory ${name};`);
      if (!isHashed(input)) assign({ type, value: value as AbiValue, name }, { structs, lines });
      return name;
    });
    return { lines, args };
  } catch (error) {
    if (error instanceof Unwritable) return undefined;
    throw error;
  }
}

function emptyOf(type: AbiType): AbiValue | undefined {
  if (type.kind === 'string') return '';
  return type.kind === 'bytes' ? '0x' : undefined;
}

interface Assigned {
  readonly type: AbiType;
  readonly value: AbiValue;
  /** What it is assigned to. */
  readonly name: string;
}

/** Arrays and structs of memory are made of one assignment for each value that is not made of others. */
function assign(
  { type, value, name }: Assigned,
  into: { readonly structs: Structs; readonly lines: string[] },
): void {
  const { structs, lines } = into;
  if (lines.length >= MOST_LINES) throw new Unwritable();
  if (type.kind === 'array') {
    const items = value as readonly AbiValue[];
    if (type.length === undefined) lines.push(`${name} = new ${structs.nameOf(type)}(${items.length});`);
    for (const [index, item] of items.entries()) {
      assign({ type: type.item, value: item, name: `${name}[${index}]` }, into);
    }
  } else if (type.kind === 'tuple') {
    for (const [index, member] of structs.membersOf(type).entries()) {
      const own = type.members[index] as AbiParameter;
      assign(
        {
          type: own.type,
          value: (value as readonly AbiValue[])[index] as AbiValue,
          name: `${name}.${member}`,
        },
        into,
      );
    }
  } else {
    const literal = literalOf(type, value);
    if (literal === undefined) throw new Unwritable();
    lines.push(`${name} = ${literal};`);
  }
}
