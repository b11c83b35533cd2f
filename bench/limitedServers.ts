import type { LogOrder } from '../src/core/index.ts';
import type { Benchmark } from './support/benchmark.ts';
import { loadAll, openQuery } from './support/chainside.ts';
import type { EndpointProfile } from './support/quickExplorer.ts';
import { serveProfiles } from './support/serverProcess.ts';
import { sampleOf, timed } from './support/stats.ts';
import { type Timing, timingSection } from './support/timings.ts';

const LOGS = 20_000;
const ROUNDS = 3;
const LATENCY_MS = 20;

const profiles: Readonly<Record<string, EndpointProfile>> = {
  'node, 1,000 rows': { latencyMs: LATENCY_MS, node: { maxRows: 1000 } },
  'node, 2,000 blocks': { latencyMs: LATENCY_MS, node: { maxBlocks: 2000 } },
  'node, 100 blocks': { latencyMs: LATENCY_MS, node: { maxBlocks: 100 } },
  'explorer, 10 requests a second': { latencyMs: LATENCY_MS, maxRequestsPerSecond: 10 },
};

/** Loading all from servers that refuse what exceeds their limits. Compare two versions of the program by it. */
export const limitedServers: Benchmark = {
  name: 'limited-servers',
  isSlow: true,
  async run(resources) {
    const { address, urls } = await serveProfiles(resources, LOGS, Object.values(profiles));
    const timings: Timing[] = [];
    for (const [at, name] of Object.keys(profiles).entries()) {
      for (const order of ['oldestFirst', 'newestFirst'] as const) {
        timings.push(await measure({ url: urls[at] ?? '', address, order, name }));
      }
    }
    return [
      timingSection(
        `Load all of ${LOGS.toLocaleString('en')} logs from servers with limits`,
        `By a client that does not know the limits yet. ${LATENCY_MS} ms latency.`,
        timings,
      ),
    ];
  },
};

interface Load {
  readonly url: string;
  readonly address: string;
  readonly order: LogOrder;
  readonly name: string;
}

async function measure({ url, address, order, name }: Load): Promise<Timing> {
  const times: number[] = [];
  let requests = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const query = openQuery(url, { address }, order);
    let rows = 0;
    times.push(
      await timed(() =>
        loadAll(query, (logs) => {
          rows += logs.length;
        }),
      ),
    );
    if (query.verdict?.state !== 'complete' || rows !== LOGS)
      throw new Error(`Loaded ${rows} of ${LOGS} logs: ${query.verdict?.state}.`);
    requests = query.verdict.requests;
  }
  const words = order === 'newestFirst' ? 'newest first' : 'oldest first';
  return { what: `${name}, ${words}, ${requests} requests`, sample: sampleOf(times) };
}
