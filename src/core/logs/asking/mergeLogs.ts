import { compareLogs, type Log } from '../query/log.ts';

/** Rows of several answers as one: in order, none twice. */
export function mergeLogs(parts: readonly (readonly Log[])[]): readonly Log[] {
  const all = parts.length === 1 ? (parts[0] ?? []) : parts.flat().sort(compareLogs);
  return all.filter((log, position) => {
    const previous = all[position - 1];
    return previous === undefined || compareLogs(previous, log) !== 0;
  });
}
