import {
  emptyLogView,
  extendLogView,
  type LogArrangement,
  type LogStore,
  parseAbiItem,
  type RowKnowledge,
  systemClock,
  toStoredArgument,
} from '../../src/core/index.ts';
import { timed } from './stats.ts';

/** Milliseconds that arrangements of all rows take, in slices of time as in the editor. */
export interface ArrangeTimes {
  readonly sortByData: number;
  readonly sortByAmount: number;
  readonly sortByAddress: number;
  readonly filterByHex: number;
  readonly filterByAmount: number;
  readonly filterByName: number;
}

const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
const unit = { kind: 'fixed', symbol: undefined, decimals: 18 } as const;
const layouts = transfer?.kind === 'event' ? [transfer] : [];

/** Sorts and filters transfers by what they are made of, and by what they say. */
export async function arrangeTimes(store: LogStore): Promise<ArrangeTimes> {
  const recipient = store.get(Math.floor(store.length / 2)).topics[2] ?? '0x';
  const knowledge: RowKnowledge = {
    argumentAt: (index) => toStoredArgument(layouts, index),
    findArgumentsByName(name) {
      const index = layouts[0]?.inputs.findIndex((input) => input.name === name) ?? -1;
      const argument = toStoredArgument(layouts, index);
      return argument ? [{ ...argument, unitAt: () => (name === 'value' ? unit : undefined) }] : [];
    },
    listArgumentNames: () => [],
    findEventsByName: () => [],
    findAddressesByName: () => [`0x${recipient.slice(-40)}`],
    listDecimals: () => [18],
    unitsOf: () => undefined,
  };
  const time = (arrangement: LogArrangement) =>
    timed(() =>
      extendLogView(emptyLogView, store, {
        ...{ arrangement, through: store.length, clock: systemClock, knowledge },
      }),
    );
  const sorted = (column: 'data' | 'argument2' | 'argument1') =>
    time({ filter: '', sort: { column, descending: true } });
  const filtered = (filter: string) => time({ filter });
  return {
    sortByData: await sorted('data'),
    sortByAmount: await sorted('argument2'),
    sortByAddress: await sorted('argument1'),
    filterByHex: await filtered('0xdeadbeef'),
    filterByAmount: await filtered('value>=1,250.5'),
    filterByName: await filtered('Treasury'),
  };
}
