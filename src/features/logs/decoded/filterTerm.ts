import { formatUnits, isAmount, isHashed, toChecksumAddress } from '../../../core/index.ts';
import type { Column } from '../protocol/columns.ts';
import { argumentIn, type ReadLog } from './cells.ts';
import { exactValue, type Wording } from './wording.ts';

/** Longer values are no filter that a person can read. */
const LONGEST = 300;

/** What finds the rows with the value of a cell, as it is typed into the filter; undefined where nothing does. */
export function filterTerm(
  read: ReadLog,
  column: Column,
  { unitsOf }: Pick<Wording, 'unitsOf'>,
): string | undefined {
  const { log, decoded } = read;
  const index = argumentIn(read, column);
  switch (column) {
    case 'block':
    case 'time':
      return `block:${log.blockNumber}`;
    case 'index':
      return `index:${log.logIndex}`;
    case 'transaction':
      return log.transactionHash;
    case 'address':
      return `address:${toChecksumAddress(log.address)}`;
  }
  if ('reason' in decoded) return log.topics[0] && `event:${log.topics[0]}`;
  const { event, values } = decoded;
  if (index === undefined) return column === 'event' ? `event:${event.name}` : undefined;
  const [input, value] = [event.inputs[index], values[index]];
  if (!input?.name || value === undefined || typeof value === 'object') return undefined;
  // Its name asks for what was hashed.
  if (isHashed(input)) return String(value);
  const units = isAmount(event, index) ? unitsOf(log.address) : undefined;
  const text =
    units && typeof value === 'bigint' ? formatUnits(value, units.decimals) : exactValue(input.type, value);
  if (text === '' || text.length > LONGEST || /["\r\n]/.test(text)) return undefined;
  return `${input.name}:${/\s/.test(text) ? `"${text}"` : text}`;
}
