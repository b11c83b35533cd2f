import assert from 'node:assert/strict';
import { type AbiEvent, parseAbiItem } from '../src/core/index.ts';
import { createDecoders, type Decoder } from './decode/decoders.ts';
import { MIXED, TRANSFER } from './decode/events.ts';
import { type BenchLog, makeLogs } from './decode/logs.ts';
import { installPeers, versions } from './peers/install.ts';
import type { Benchmark, Budget, Row } from './support/benchmark.ts';
import { timeSideBySide } from './support/stats.ts';
import { milliseconds } from './support/timings.ts';

const LOGS = 10_000;
const ROUNDS = { warmUps: 3, rounds: 9 };

interface Aim {
  readonly perSecond?: number;
  /** How many times as fast as this peer. */
  readonly viem: number;
  readonly ethers?: number;
}

/** Logs into values, beside the libraries that are mostly used for it. */
export const decode: Benchmark = {
  name: 'decode',
  isSlow: true,
  async run() {
    const peers = await installPeers();
    const sets = [
      { what: 'Transfer', texts: [TRANSFER], aim: { perSecond: 500_000, viem: 10, ethers: 40 } },
      { what: `${MIXED.length} events, mixed`, texts: MIXED, aim: { viem: 5 } },
    ];
    const rows: Row[] = [];
    for (const { what, texts, aim } of sets) {
      const events = texts.map((text) => parseAbiItem(text) as AbiEvent);
      const logs = makeLogs(events, LOGS);
      rows.push(...(await measure(what, { decoders: createDecoders(peers, texts, events), logs }, aim)));
    }
    return [
      {
        title: 'Decoding of logs',
        how:
          `${LOGS.toLocaleString('en')} logs a round, each decoded by itself, one after the other in turns; viem ${versions.viem}, ethers ${versions.ethers}.\n` +
          'Before that the values of all three are compared.',
        columns: ['', '', 'p50', 'logs/s', 'to Chainside'],
        rows,
      },
    ];
  },
};

interface Tested {
  readonly decoders: readonly Decoder[];
  readonly logs: readonly BenchLog[];
}

async function measure(what: string, { decoders, logs }: Tested, aim: Aim): Promise<readonly Row[]> {
  for (const log of logs.slice(0, 200)) assertEqualValues(decoders, log);
  const tasks = decoders.map(({ name, decode }) => [
    name,
    async () => {
      for (const log of logs) decode(log);
    },
  ]);
  const times = await timeSideBySide<Decoder['name']>(Object.fromEntries(tasks), ROUNDS);
  const own = times.Chainside.p50;
  return decoders.map(({ name }): Row => {
    const { p50 } = times[name];
    const perSecond = Math.round((logs.length / p50) * 1000);
    const ratio = p50 / own;
    const budget = budgetOf(name, aim, name === 'Chainside' ? perSecond : ratio);
    return {
      cells: [what, name, milliseconds(p50), perSecond.toLocaleString('en'), `${ratio.toFixed(1)}×`],
      figures: { what, name, p50Ms: p50, perSecond, ratio },
      ...(budget && { budget }),
    };
  });
}

function budgetOf(name: Decoder['name'], aim: Aim, value: number): Budget | undefined {
  const least = name === 'Chainside' ? aim.perSecond : aim[name];
  if (least === undefined) return undefined;
  const unit = name === 'Chainside' ? ' logs/s' : '×';
  return { words: `≥ ${least.toLocaleString('en')}${unit}`, held: value >= least, exact: false };
}

/** In any order: viem has the indexed ones first. */
function assertEqualValues(decoders: readonly Decoder[], log: BenchLog): void {
  const [own = [], ...others] = decoders.map(({ decode }) =>
    plain(decode(log))
      .map((value) => JSON.stringify(value))
      .sort(),
  );
  for (const other of others) assert.deepEqual(other, own);
}

/** Integers as text, hex in lower case, lists as arrays: in what the three differ. */
function plain(value: unknown): unknown[] {
  const each = (item: unknown): unknown => {
    if (typeof item === 'object' && item !== null && Symbol.iterator in item) {
      return Array.from(item as Iterable<unknown>, each);
    }
    return typeof item === 'boolean' ? item : String(item).toLowerCase();
  };
  return each(value) as unknown[];
}
