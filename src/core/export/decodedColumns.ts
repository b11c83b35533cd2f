import type { AbiType, AbiValue, EventParameter } from '../abi/abiType.ts';
import { alignedInput } from '../abi/decode/alignedInput.ts';
import { isHashed } from '../abi/decode/isHashed.ts';
import type { DecodedLog, KnownLog } from '../abi/decode/logDecoder.ts';
import { decodedLogToJson } from '../abi/json/logJson.ts';
import { abiValueToJson } from '../abi/json/valueJson.ts';
import type { Address } from '../values/address.ts';
import type { ExportDecoding } from './exportDecoding.ts';
import type { ExportColumn } from './logColumns.ts';

/**
 * What logs say, in columns: the event, its arguments, and by what they were decoded. One column for each argument,
 * `arg_from`, where all logs are of one event; else all of a log in one, as JSON. Where names are known, a column with
 * the name of the contract, and one beside each argument that is an address. Empty where a log is not decoded.
 *
 * @example decodedColumns(decoding).map(({ name }) => name); // ['event', 'args', 'decoded_by', 'address_name']
 */
export function decodedColumns({ event, nameOf }: ExportDecoding): readonly ExportColumn[] {
  const columns: ExportColumn[] = [
    { name: 'event', type: 'optionalText', value: ({ decoded }) => known(decoded)?.event.signature },
    ...(event ? argumentColumns(event.inputs, nameOf) : [jsonColumn]),
    { name: 'decoded_by', type: 'optionalText', value: ({ decoded }) => originText(known(decoded)) },
  ];
  if (nameOf) {
    columns.push({ name: 'address_name', type: 'optionalText', value: ({ log }) => nameOf(log.address) });
  }
  return columns;
}

const jsonColumn: ExportColumn = {
  name: 'args',
  type: 'optionalText',
  value({ decoded }) {
    if (!decoded || 'reason' in decoded) return undefined;
    const json = decodedLogToJson(decoded);
    return 'args' in json ? JSON.stringify(json.args) : undefined;
  },
};

function known(decoded: DecodedLog | undefined): KnownLog | undefined {
  return decoded && 'event' in decoded ? decoded : undefined;
}

function originText(log: KnownLog | undefined): string | undefined {
  if (!log) return undefined;
  const { code, origin } = log;
  const known = `${origin.trust}: ${origin.from}`;
  if (!code) return known;
  const name = origin.contract === undefined ? code.address : `${origin.contract} at ${code.address}`;
  return `${known}, ${name} since block ${code.since.block}`;
}

function argumentColumns(
  inputs: readonly EventParameter[],
  nameOf: ExportDecoding['nameOf'],
): readonly ExportColumn[] {
  const names = columnNames(inputs);
  return inputs.flatMap((input, index) => {
    const name = names[index] ?? '';
    const type = columnType(input);
    const column: ExportColumn = {
      name,
      type,
      value({ decoded }) {
        const log = known(decoded);
        const at = log && alignedInput({ inputs }, log.event, index);
        const own = at === undefined ? undefined : log?.event.inputs[at];
        const value = at === undefined ? undefined : log?.values[at];
        return own === undefined || value === undefined ? undefined : cellValue(own, value, type);
      },
    };
    if (!nameOf || input.type.kind !== 'address' || names.includes(`${name}_name`)) return [column];
    const nameColumn: ExportColumn = {
      name: `${name}_name`,
      type: 'optionalText',
      value({ decoded }) {
        const log = known(decoded);
        const at = log && alignedInput({ inputs }, log.event, index);
        const value = at === undefined ? undefined : log?.values[at];
        return typeof value === 'string' ? nameOf(value as Address) : undefined;
      },
    };
    return [column, nameColumn];
  });
}

/** `arg_` and the name of each, no two alike. */
function columnNames(inputs: readonly EventParameter[]): readonly string[] {
  const names: string[] = [];
  for (const [index, input] of inputs.entries()) {
    let name = `arg_${input.name || index}`;
    while (names.includes(name)) name += `_${index}`;
    names.push(name);
  }
  return names;
}

function columnType(input: EventParameter): ExportColumn['type'] {
  if (isHashed(input)) return 'optionalText';
  if (input.type.kind === 'bool') return 'optionalBoolean';
  return isSmallInteger(input.type) ? 'optionalInteger' : 'optionalText';
}

/** Whether all its values are signed integers of 64 bits, which every reader of tables has. */
function isSmallInteger(type: AbiType): boolean {
  return (type.kind === 'int' && type.bits <= 64) || (type.kind === 'uint' && type.bits < 64);
}

function cellValue(
  input: EventParameter,
  value: AbiValue,
  type: ExportColumn['type'],
): bigint | boolean | string | undefined {
  if (isHashed(input)) return String(value);
  if (type !== 'optionalText')
    return typeof value === 'bigint' || typeof value === 'boolean' ? value : undefined;
  const json = abiValueToJson(input.type, value);
  return typeof json === 'string' ? json : JSON.stringify(json);
}
