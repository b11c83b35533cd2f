import type { LogOrder } from '../src/core/index.ts';
import { atMost, type Benchmark } from './support/benchmark.ts';
import { loadAll, openQuery } from './support/chainside.ts';
import { pageByCursor, replay } from './support/rawRequests.ts';
import { serveChain } from './support/serverProcess.ts';
import { type Rounds, timeSideBySide } from './support/stats.ts';
import { type Timing, timingSection } from './support/timings.ts';

const LOGS = 100_000;
const ROUNDS: Readonly<Record<number, Rounds>> = {
  0: { warmUps: 3, rounds: 20 },
  50: { warmUps: 1, rounds: 3 },
};

/** Times that the very requests alone take, by latency. */
const MOST_TIMES_RAW: Readonly<Record<number, number>> = { 0: 1.25, 50: 1.35 };

/** All of 100,000 logs, next to the least that a client could do and to paging as the server offers it. */
export const loadAllLogs: Benchmark = {
  name: 'load-all',
  async run(resources) {
    const latencies = Object.keys(ROUNDS).map(Number);
    const { address, urlAt } = await serveChain(resources, LOGS, latencies);
    const timings: Timing[] = [];
    for (const latencyMs of latencies) {
      for (const order of ['oldestFirst', 'newestFirst'] as const) {
        timings.push(...(await measure(urlAt(latencyMs), address, { latencyMs, order })));
      }
    }
    return [
      timingSection(
        `Load all of ${LOGS.toLocaleString('en')} logs`,
        'The server is another process and answers out of finished JSON. The floor sends again the very requests that\n' +
          'core has just sent, as many at once; paging follows the cursor by fetch + JSON.parse, one page after another.',
        timings,
      ),
    ];
  },
};

interface Load {
  readonly latencyMs: number;
  readonly order: LogOrder;
}

async function measure(url: string, address: string, { latencyMs, order }: Load): Promise<readonly Timing[]> {
  let traffic = { bodies: [] as readonly string[], mostAtOnce: 1 };
  const { core, raw, paging } = await timeSideBySide(
    {
      core: async () => {
        traffic = await loadEverything(url, address, order);
      },
      raw: () => replay(url, traffic.bodies, traffic.mostAtOnce),
      paging: () => pageByCursor(url, address),
    },
    ROUNDS[latencyMs] ?? { warmUps: 1, rounds: 3 },
  );
  const { bodies, mostAtOnce } = traffic;
  const words = order === 'newestFirst' ? 'newest first' : 'oldest first';
  const what = `${words}, ${latencyMs} ms latency, ${bodies.length} requests, ${mostAtOnce} at once`;
  const floor = { what: 'the same requests, fetch + parse', sample: raw };
  const oneByOne = { what: 'one page after another', sample: paging };
  const timesRaw = core.p50 / raw.p50;
  const timesFaster = paging.p50 / core.p50;
  const fasterBudget = { words: '≤ 0.2 × (5 times faster)', held: timesFaster >= 5, exact: false };
  return [
    {
      what,
      sample: core,
      against: floor,
      budget: atMost(timesRaw, MOST_TIMES_RAW[latencyMs] ?? 1, '×', false),
    },
    { what, sample: core, against: oneByOne, ...(latencyMs === 50 && { budget: fasterBudget }) },
  ];
}

async function loadEverything(url: string, address: string, order: LogOrder) {
  const query = openQuery(url, { address }, order);
  let rows = 0;
  const { state } = await loadAll(query, (logs) => {
    rows += logs.length;
  });
  if (state !== 'complete' || rows !== LOGS) throw new Error(`Loaded ${rows} of ${LOGS} logs: ${state}.`);
  return query.traffic;
}
