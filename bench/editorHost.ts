import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleForHost, copyExtension } from '../scripts/support/hostTests/bundle.ts';
import { runInExtensionHost } from '../scripts/support/hostTests/extensionHost.ts';
import { fromRoot } from '../scripts/support/paths.ts';
import { hold, removeFolder } from '../scripts/support/script.ts';
import { launchBrowser } from '../scripts/support/workbench/browser.ts';
import { installWorkbench } from '../scripts/support/workbench/install.ts';
import { startWorkbenchServer } from '../scripts/support/workbench/server.ts';
import { workbenchVersions } from '../scripts/support/workbench/versions.ts';
import { type ActivationMeasures, type HostMeasures, type Surface, surfaces } from './host/measures.ts';
import { atMost, type Benchmark } from './support/benchmark.ts';
import { type CountedReply, type CountedRequest, startCountingServer } from './support/countingServer.ts';
import { type Sample, sampleOf } from './support/stats.ts';
import { milliseconds, timingSection } from './support/timings.ts';

const HOSTS = 5;
/** In as many hosts more, only activation is measured: it varies with all else that a window starts. */
const ACTIVATION_HOSTS = 15;
const LATENCY_MS = 50;
const ACTIVATE_MS = 30;
const LOAD_RATIO = 2.5;
const FIRST_USE_MS = 30;
const CACHED_MS = 10;
const BEYOND_ROUND_TRIP_MS = 20;
const SCREEN_MS = 16;
const LENSES_MS = 8;
const SEARCH_MS = 1000;
const AWAKE_MS = 25;
const mark = '[bench] ';

/** Activation and hover of the production build, in the extension host of a real VS Code. */
export const editorHost: Benchmark = {
  name: 'editor',
  isSlow: true,
  async run(resources) {
    const { hosts, activations } = await measureInHosts(resources);
    const sample = (read: (host: ActivationMeasures) => number) => sampleOf(activations.map(read));
    const activate = sample(({ activation }) => activation.activate);
    const load = sample(({ activation }) => activation.load);
    const peer = (sampled: Sample) => ({ what: 'merge-conflict, of VS Code', sample: sampled });
    const peerLoad = sample((host) => host.peer.load);
    const hovers = (read: (hover: HostMeasures['hover']) => readonly number[]) =>
      sampleOf(hosts.flatMap(({ hover }) => read(hover)));
    const cached = hovers((hover) => hover.cached);
    const uncached = hovers((hover) => hover.uncached);
    const roundTrip = hovers((hover) => hover.roundTrip);
    const own = hovers((hover) => hover.beside);
    const beside = { what: 'the command beside an address', sample: own };
    const { vscode } = workbenchVersions.newest;
    return [
      timingSection(
        `Activation in VS Code ${vscode}`,
        `The production build in ${activations.length} extension hosts, one after another; each activates it once.`,
        [
          {
            what: 'activate()',
            sample: activate,
            budget: atMost(activate.p50, ACTIVATE_MS, 'ms', false),
          },
          {
            ...{ what: 'load the bundle', sample: load, against: peer(peerLoad) },
            budget: atMost(load.p50, Math.round(peerLoad.p50 * LOAD_RATIO), 'ms', false),
          },
        ],
      ),
      timingSection(
        `First use in VS Code ${vscode}`,
        'Each surface is used in a new extension host, then again. Its first use loads what it is made of, which is what\n' +
          'has a budget; the rest of the difference is what VS Code, too, does for the first time.',
        surfaces.map((surface) => firstUse(surface, hosts)),
      ),
      timingSection(
        `Hover on an address in VS Code ${vscode}`,
        `vscode.executeHoverProvider, the way to the window and back included. The endpoint takes ${LATENCY_MS} ms to answer.\n` +
          'The budgets are above what VS Code takes for the command beside an address.',
        [
          {
            what: 'balance cached',
            sample: cached,
            against: beside,
            budget: atMost(cached.p50, Math.round(own.p50 + CACHED_MS), 'ms', false),
          },
          {
            ...{ what: 'not cached', sample: uncached },
            against: { what: 'eth_getBalance by fetch', sample: roundTrip },
            budget: atMost(
              uncached.p50,
              Math.round(own.p50 + roundTrip.p50 + BEYOND_ROUND_TRIP_MS),
              'ms',
              false,
            ),
          },
        ],
      ),
      timingSection(
        `In a source of 10,000 lines in VS Code ${vscode}`,
        'What the editor asks for as one scrolls and types; all lenses of the file at once. The budgets are above what\n' +
          'VS Code takes for the same command in an empty file, or for as many lenses of a provider that does no work.',
        inSource(hosts),
      ),
      timingSection(
        `Addresses of the workspace in VS Code ${vscode}`,
        'The search in OpenZeppelin’s contracts, and Node reading and looking through the same files.',
        places(hosts),
      ),
    ];
  },
};

const inEmptyFile = { against: 'in an empty file', mostMs: SCREEN_MS };
const inSourceUses = {
  lens: { what: 'lenses of 500 events and errors', against: 'as many without Chainside', mostMs: LENSES_MS },
  hover: { what: 'hover on emit', ...inEmptyFile },
  completion: { what: 'completion of an address', ...inEmptyFile },
  inlay: { what: 'names of addresses on a screen', ...inEmptyFile },
};

function inSource(hosts: readonly HostMeasures[]) {
  const uses = (Object.keys(inSourceUses) as (keyof typeof inSourceUses)[]).map((use) => {
    const long = sampleOf(hosts.flatMap((host) => host.inSource[use].long));
    const beside = sampleOf(hosts.flatMap((host) => host.inSource[use].beside));
    const { what, against, mostMs } = inSourceUses[use];
    return {
      ...{ what, sample: long, against: { what: against, sample: beside } },
      budget: atMost(long.p50, Math.round(beside.p50 + mostMs), 'ms', false),
    };
  });
  const typing = sampleOf(hosts.flatMap((host) => host.inSource.typing));
  const budget = atMost(typing.p50, SCREEN_MS, 'ms', false);
  return [...uses, { what: 'longest wait as lenses are made anew', sample: typing, budget }];
}

function places(hosts: readonly HostMeasures[]) {
  const of = (what: keyof HostMeasures['places']) => sampleOf(hosts.flatMap((host) => host.places[what]));
  const [search, delay] = [of('search'), of('delay')];
  return [
    {
      ...{ what: 'search', sample: search, against: { what: 'read by Node', sample: of('floor') } },
      budget: atMost(search.p50, SEARCH_MS, 'ms', false),
    },
    { what: 'p99 of what else waited', sample: delay, budget: atMost(delay.p50, AWAKE_MS, 'ms', false) },
  ];
}

const uses: Readonly<Record<Surface, string>> = {
  command: 'copy a value',
  request: 'latest block, by the API',
  lens: 'lenses of 20 events',
  hover: 'hover on an address',
  tree: 'address in its view',
  logs: 'log panel',
  nfts: 'NFT panel',
};

function firstUse(surface: Surface, hosts: readonly HostMeasures[]) {
  const first = sampleOf(hosts.map((host) => host.firstUse[surface].first));
  const later = sampleOf(hosts.flatMap((host) => host.firstUse[surface].later));
  const loading = sampleOf(hosts.map((host) => host.firstUse[surface].loading));
  const { words, ...budget } = atMost(loading.p50, FIRST_USE_MS, 'ms', false);
  return {
    ...{ what: uses[surface], sample: first, against: { what: 'the same later', sample: later } },
    budget: { ...budget, words: `loading ${milliseconds(loading.p50)} ${words}` },
  };
}

interface Measured {
  readonly hosts: readonly HostMeasures[];
  /** Those of {@link hosts}, and more. */
  readonly activations: readonly ActivationMeasures[];
}

async function measureInHosts(resources: AsyncDisposableStack): Promise<Measured> {
  const extension = await copyExtension('bench/host');
  const bundle = (name: string) =>
    bundleForHost(`bench/host/${name}.cjs`, { entryPoints: [`bench/host/${name}.ts`] });
  const [runner, activationRunner] = [await bundle('run'), await bundle('activation')];
  const workbench = await installWorkbench(workbenchVersions.newest);
  const origin = await startCountingServer({ latencyMs: LATENCY_MS, answer: answerBalance });
  const network = { name: 'Bench', chainId: 31337, rpcUrl: origin, symbol: 'ETH' };
  const workspace = await hold(resources, mkdtemp(join(tmpdir(), 'chainside-bench-')), removeFolder);
  const server = await hold(
    resources,
    startWorkbenchServer(workbench, {
      acceptPayload: true,
      settings: { 'chainside.networks': { bench: network }, 'chainside.network': 'bench' },
      env: {
        CHAINSIDE_REPORT_MARK: mark,
        CHAINSIDE_BENCH_RPC: origin,
        CHAINSIDE_BENCH_CONTRACTS: fromRoot('node_modules/@openzeppelin/contracts'),
      },
    }),
    async (started) => started[Symbol.asyncDispose](),
  );
  const browser = await hold(resources, launchBrowser(), (started) => started.close());

  async function measureIn<Measures>(program: string, count: number): Promise<readonly Measures[]> {
    const measures: Measures[] = [];
    for (let host = 0; host < count; host++) {
      const lines: string[] = [];
      const onLog = (line: string) => lines.push(line);
      const code = await runInExtensionHost({
        extension,
        server,
        browser,
        workspace,
        runner: program,
        onLog,
      });
      const report = lines.find((line) => line.startsWith(mark));
      if (report === undefined) {
        throw new Error(
          `The extension host ended with ${code} and no measures:\n${lines.slice(-20).join('\n')}`,
        );
      }
      measures.push(JSON.parse(report.slice(mark.length)));
    }
    return measures;
  }
  const hosts = await measureIn<HostMeasures>(runner, HOSTS);
  const more = await measureIn<ActivationMeasures>(activationRunner, ACTIVATION_HOSTS);
  return { hosts, activations: [...hosts, ...more] };
}

function answerBalance({ body }: CountedRequest): CountedReply {
  const { id, method } = JSON.parse(body) as { readonly id: number; readonly method: string };
  const result = method === 'eth_blockNumber' ? '0x10' : '0xde0b6b3a7640000';
  return { status: 200, type: 'application/json', body: [JSON.stringify({ jsonrpc: '2.0', id, result })] };
}
