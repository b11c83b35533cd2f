import { atMost, type Benchmark } from './support/benchmark.ts';
import { openQuery } from './support/chainside.ts';
import { bodyOfTheFirstPage, replay } from './support/rawRequests.ts';
import { serveChain } from './support/serverProcess.ts';
import { timeSideBySide } from './support/stats.ts';
import { type Timing, timingSection } from './support/timings.ts';

const LOGS = 20_000;
const LATENCIES_MS = [0, 50];
const BUDGET_MS = 60;
/** Beyond two round trips: less than a third one at 50 ms. */
const NEWEST_BUDGET_MS = 20;

/** The first page of a query, next to fetching and parsing the answer that holds it. */
export const firstPage: Benchmark = {
  name: 'first-page',
  async run(resources) {
    const { address, urlAt } = await serveChain(resources, LOGS, LATENCIES_MS);
    const timings: Timing[] = [];
    for (const latencyMs of LATENCIES_MS) {
      const url = urlAt(latencyMs);
      const page = bodyOfTheFirstPage(address);
      const { core, raw } = await timeSideBySide(
        { core: () => readFirstPage(url, address), raw: () => replay(url, [page], 1) },
        { warmUps: 10, rounds: 40 },
      );
      timings.push({
        what: `first page of 1000 rows, ${latencyMs} ms latency`,
        sample: core,
        against: { what: 'fetch + JSON.parse of the page', sample: raw },
        budget: atMost(core.p50, Math.round(raw.p50 + BUDGET_MS), 'ms', false),
      });
      timings.push(await newestFirst(url, address, latencyMs));
    }
    return [
      timingSection(
        'First page',
        'Through core, by a client that does not know the server yet: it asks for head and version together, then the page.\n' +
          'Newest first, it asks for the newest blocks beside the whole range. The floor is the head, then that page.',
        timings,
      ),
    ];
  },
};

/** Two round trips, as few as an unknown head allows. */
async function newestFirst(url: string, address: string, latencyMs: number): Promise<Timing> {
  const head = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
  const roundTrips = [head, bodyOfTheFirstPage(address)];
  const { core, raw } = await timeSideBySide(
    {
      core: () => openQuery(url, { address }, 'newestFirst').nextPage(),
      raw: () => replay(url, roundTrips, 1),
    },
    { warmUps: 10, rounds: 40 },
  );
  return {
    what: `first page, newest first, ${latencyMs} ms latency`,
    sample: core,
    against: { what: 'head, then fetch + JSON.parse of a page', sample: raw },
    budget: atMost(core.p50, Math.round(raw.p50 + NEWEST_BUDGET_MS), 'ms', false),
  };
}

async function readFirstPage(url: string, address: string): Promise<void> {
  const { logs } = await openQuery(url, { address }).nextPage();
  if (logs.length !== 1000) throw new Error(`The first page has ${logs.length} rows.`);
}
