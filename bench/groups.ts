import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  createLogStore,
  createTimeSlices,
  groupRows,
  type Hex,
  type Log,
  type LogStore,
  parseAbiItem,
  type RowArgument,
  type RowGroupField,
  type RowGroups,
  systemClock,
  toStoredArgument,
} from '../src/core/index.ts';
import { atMost, type Benchmark } from './support/benchmark.ts';
import { timed } from './support/stats.ts';
import { milliseconds } from './support/timings.ts';

const LOGS = 1_000_000;
const ACCOUNTS = 20_000;
const LOGS_A_BLOCK = 20;
const LONGEST_DELAY_MS = 50;
/** A row of the store is looked up in chunks, and its amount is made of bytes. */
const FLOOR_RATIO = 12;
const ROUNDS = 3;

const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
const layouts = transfer?.kind === 'event' ? [transfer] : [];

/** Groups of a million transfers, in slices of time as in the editor. */
export const groups: Benchmark = {
  name: 'groups',
  isSlow: true,
  async run() {
    const { store, accounts, values } = makeTransfers();
    const sums = new Map<number, bigint>();
    const addUp = async () => {
      sums.clear();
      for (const [row, value] of values.entries()) {
        const account = accounts[row] ?? 0;
        sums.set(account, (sums.get(account) ?? 0n) + value);
      }
    };
    await addUp();
    const floorMs = Math.min(await timed(addUp), await timed(addUp), await timed(addUp));
    const sum = { parameter: 'value', arguments: listArguments('value') };
    const byTo = await measure(store, [toField('to')], sum);
    const byBoth = await measure(store, [toField('to'), { kind: 'day' }], sum);
    const byBlock = await measure(store, [{ kind: 'block', width: 1000 }], undefined);
    const byValue = await measure(store, [toField('value')], undefined);
    assertSums(byTo.found, sums);
    const rows = [
      { what: 'by to, sum of value', ...byTo },
      { what: 'by to and day, sum of value', ...byBoth },
      { what: 'by 1,000 blocks', ...byBlock },
      { what: 'by value: a group for each row', ...byValue },
    ];
    return [
      {
        title: `Groups of ${LOGS.toLocaleString('en')} transfers to ${ACCOUNTS.toLocaleString('en')} accounts`,
        how:
          'In slices of 8 ms, ranked by sum or count. Beside a loop over two arrays, of accounts by number and of amounts,\n' +
          'that adds up each account in a Map. The delay of the event loop is sampled each millisecond. Least of three rounds.',
        columns: ['', 'measured', 'of the loop', 'longest delay', 'groups'],
        rows: [
          {
            cells: ['loop over arrays, by account', milliseconds(floorMs), '', '', String(sums.size)],
            figures: { what: 'loop over arrays', ms: floorMs, groups: sums.size },
          },
          ...rows.map(({ what, ms, delayMs, found }, index) => ({
            cells: [
              what,
              milliseconds(ms),
              `${(ms / floorMs).toFixed(2)}×`,
              milliseconds(delayMs),
              found.size.toLocaleString('en'),
            ],
            figures: { what, ms, ratio: ms / floorMs, delayMs, groups: found.size },
            budget:
              index === 0
                ? atMost(Number((ms / floorMs).toFixed(2)), FLOOR_RATIO, '×', false)
                : atMost(Number(delayMs.toFixed(1)), LONGEST_DELAY_MS, 'ms', false),
          })),
        ],
      },
    ];
  },
};

function toField(parameter: string): RowGroupField {
  return { kind: 'argument', parameter, arguments: listArguments(parameter) };
}

function listArguments(parameter: string) {
  const index = layouts[0]?.inputs.findIndex(({ name }) => name === parameter) ?? -1;
  const argument = toStoredArgument(layouts, index);
  return argument ? [argument] : [];
}

interface Measured {
  readonly ms: number;
  readonly delayMs: number;
  readonly found: RowGroups;
}

async function measure(
  store: LogStore,
  by: readonly RowGroupField[],
  sum: RowArgument | undefined,
): Promise<Measured> {
  const options = { by, sum };
  const group = () => groupRows(store, { ...options, slices: createTimeSlices(systemClock) });
  let found = await group();
  const times: number[] = [];
  const delays: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    times.push(
      await timed(async () => {
        found = await group();
      }),
    );
    loop.disable();
    delays.push(Math.max(0, loop.max / 1e6 - 1));
  }
  return { ms: Math.min(...times), delayMs: Math.min(...delays), found };
}

/** Transfers of amounts with 18 decimals, in a fixed order that looks random. */
function makeTransfers() {
  const store = createLogStore();
  const accounts = new Uint32Array(LOGS);
  const values: bigint[] = [];
  const word = (value: bigint | number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
  const address: Hex = `0x${'5f'.repeat(20)}`;
  const topics = Array.from({ length: ACCOUNTS }, (_, account) => word(2n ** 159n + BigInt(account) * 7919n));
  const [topic0 = '0x'] = layouts.map((layout) => layout.topic0);
  for (let from = 0; from < LOGS; from += LOGS_A_BLOCK) {
    const block = from / LOGS_A_BLOCK;
    const hash = word(block + 1);
    const logs = Array.from({ length: LOGS_A_BLOCK }, (_, logIndex): Log => {
      const row = from + logIndex;
      const account = (row * 7919 + block * 31) % ACCOUNTS;
      const value = 10n ** 15n * BigInt((row * 104_729) % 1_000_003) + BigInt(row);
      accounts[row] = account;
      values.push(value);
      return {
        ...{
          address,
          data: word(value),
          logIndex,
          blockHash: hash,
          transactionHash: hash,
          transactionIndex: 0,
        },
        topics: [topic0, topics[(account * 13) % ACCOUNTS] ?? '0x', topics[account] ?? '0x'],
        blockNumber: BigInt(block),
        time: 1_790_000_000_000 + block * 12_000,
      };
    });
    store.append(logs);
  }
  return { store, accounts, values };
}

function assertSums({ ranked, at, size, ungrouped }: RowGroups, sums: ReadonlyMap<number, bigint>): void {
  const found = Array.from(ranked, (group) => at(group).totals?.sum ?? 0n);
  const expected = [...sums.values()].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
  const isSame = size === sums.size && ungrouped === 0 && found.join() === expected.join();
  if (!isSame) throw new Error('The groups have other sums than the transfers.');
}
