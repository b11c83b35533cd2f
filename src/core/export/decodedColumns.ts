import type { AbiType, AbiValue, EventParameter } from '../abi/abiType.ts';
import { isHashed } from '../abi/decode/isHashed.ts';
import type { DecodedLog, KnownLog } from '../abi/decode/logDecoder.ts';
import { decodedLogToJson } from '../abi/json/logJson.ts';
import { abiValueToJson } from '../abi/json/valueJson.ts';
import type { ExportDecoding } from './exportDecoding.ts';
import type { ExportColumn } from './logColumns.ts';

/**
 * What logs say, in columns: the event, its arguments, and by what they were decoded. One column for each argument,
 * `arg_from`, where all logs are of one event; else all of a log in one, as JSON. Empty where a log is not decoded.
 *
 * @example decodedColumns({ event: undefined, decode }).map(({ name }) => name); // ['event', 'args', 'decoded_by']
 */
export function decodedColumns({ event }: ExportDecoding): readonly ExportColumn[] {
  const columns = event ? argumentColumns(event.inputs) : [jsonColumn];
  return [
    { name: 'event', type: 'optionalText', value: ({ decoded }) => known(decoded)?.event.signature },
    ...columns,
    { name: 'decoded_by', type: 'optionalText', value: ({ decoded }) => originText(known(decoded)) },
  ];
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
  return log && `${log.origin.trust}: ${log.origin.from}`;
}

function argumentColumns(inputs: readonly EventParameter[]): readonly ExportColumn[] {
  const taken = new Set<string>();
  return inputs.map((input, index) => {
    const wanted = `arg_${input.name || index}`;
    const name = taken.has(wanted) ? `${wanted}_${index}` : wanted;
    taken.add(name);
    const type = columnType(input);
    return {
      name,
      type,
      value({ decoded }) {
        const log = known(decoded);
        const own = log?.event.inputs[index];
        const value = log?.values[index];
        return own === undefined || value === undefined ? undefined : cellValue(own, value, type);
      },
    };
  });
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
