import type { LogColumn } from '../../../features/logs/protocol/columns.ts';

/** Pixels for the place of a log, its time, and enough of what it says. */
const ROOM = 500;

/** The columns in their order: in a narrow view the time stands behind what a log says, else little of that is in sight. */
export function inRoom(columns: readonly LogColumn[], width: number): readonly LogColumn[] {
  const time = columns.find(({ id }) => id === 'time');
  if (!time || width >= ROOM) return columns;
  const others = columns.filter((column) => column !== time);
  const end = others.findIndex(({ id }) => id === 'transaction');
  return others.toSpliced(end < 0 ? others.length : end, 0, time);
}
