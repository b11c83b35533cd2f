import { fetch as undiciFetch } from 'undici';
import { startAnvil } from '../localnet/chain/anvil.ts';
import { createNodeRpc } from '../localnet/chain/nodeRpc.ts';
import { deployProxyKinds } from '../localnet/chain/proxyKinds.ts';
import { type Address, type FetchLike, providers, systemClock } from '../src/core/index.ts';
import { atMost, type Benchmark, type Row } from './support/benchmark.ts';
import { fetchAndParse } from './support/rawRequests.ts';
import { timeSideBySide } from './support/stats.ts';
import { milliseconds } from './support/timings.ts';

/** Kind, token and proxy, each of what is looked at; a proxy behind a proxy takes one more for each. */
const ROUND_TRIPS = 2;
const LATENCIES_MS = [0, 50];
const subjects = {
  deployer: 'account',
  asset: 'ERC-20 token',
  vault: 'ERC-4626 vault',
  clone: 'clone (EIP-1167)',
  eip1967: 'proxy (EIP-1967)',
  eip1967Beacon: 'beacon proxy (EIP-1967)',
  resolved: 'resolved delegate proxy',
  diamond: 'diamond (EIP-2535)',
  lying: 'proxy with a lying implementation()',
  delegated: 'delegated account (EIP-7702)',
} as const;

/** What is at an address, next to one batch of the same calls. */
export const identify: Benchmark = {
  name: 'identify',
  async run(resources) {
    const anvil = await startAnvil({ port: 0, genesisTime: Math.floor(Date.now() / 1000) - 3600 });
    resources.defer(() => anvil.stop());
    const kinds = await deployProxyKinds(createNodeRpc(anvil.url));
    const rows: Row[] = [];
    for (const latencyMs of LATENCIES_MS) {
      for (const [name, what] of Object.entries(subjects)) {
        rows.push(await measure(anvil.url, kinds[name as keyof typeof subjects], { what, latencyMs }));
      }
    }
    return [
      {
        title: 'What is at an address',
        how: 'Through core, by a client that does not know the node yet; against its first batch, fetched and parsed.',
        columns: ['', 'round trips', 'p50', 'first batch', 'ratio'],
        rows,
      },
    ];
  },
};

async function measure(
  url: string,
  address: Address,
  { what, latencyMs }: { readonly what: string; readonly latencyMs: number },
): Promise<Row> {
  let bodies: string[] = [];
  const late = () => new Promise((resolve) => setTimeout(resolve, latencyMs));
  const fetch: FetchLike = async (target, init) => {
    bodies.push(init.body ?? '');
    if (latencyMs > 0) await late();
    return (await undiciFetch(target, init)) as unknown as Response;
  };
  const look = async () => {
    bodies = [];
    await (await openCalls(url, fetch)).identity(address);
  };
  await look();
  const [first = ''] = bodies;
  const { core, raw } = await timeSideBySide(
    {
      core: look,
      raw: async () => {
        if (latencyMs > 0) await late();
        await fetchAndParse(url, first);
      },
    },
    { warmUps: 3, rounds: 15 },
  );
  const ratio = core.p50 / raw.p50;
  const shown = latencyMs > 0 ? `${what}, ${latencyMs} ms latency` : what;
  return {
    cells: [
      ...[shown, String(bodies.length), milliseconds(core.p50), milliseconds(raw.p50)],
      `${ratio.toFixed(2)}×`,
    ],
    figures: { what: shown, roundTrips: bodies.length, p50Ms: core.p50, againstP50Ms: raw.p50, ratio },
    budget: atMost(bodies.length, ROUND_TRIPS, 'round trips', true),
  };
}

async function openCalls(url: string, fetch: FetchLike) {
  const kind = providers.find(({ name, offers }) => name === 'calls' && offers.identity);
  const deps = { fetch, clock: systemClock };
  const opened = await kind?.open({
    ...{ ...deps, url, chainId: 31337, key: undefined, throttle: kind.createThrottle(deps) },
    revoked: new AbortController().signal,
  });
  if (!opened?.identity) throw new Error('The calls tell no identity.');
  return opened.identity;
}
