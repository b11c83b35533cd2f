import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Address, type Hex, type Log, toAbiWord, toQuantity } from '../../../../../src/core/index.ts';
import { loadedArrangement } from '../../../../../src/features/logs/results/rowView.ts';
import { eventOf, logOfEvent } from '../../../../support/eventLogs.ts';
import { useAddressView } from '../../../../support/host/addressView.ts';
import { openPanel } from '../../../../support/host/openPanel.ts';
import { NodeError, useNode } from '../../../../support/host/recordedServer.ts';
import { useNetworks, waitUntil } from '../../../../support/host/settings.ts';
import type { RpcRequest } from '../../../../support/loopbackServer.ts';
import { contractFacts, deploymentFacts } from '../../../../support/projectFacts.ts';
import { wireLog } from '../../../../support/stubs.ts';

const CHAIN = 7_700_079;
const PROXY: Address = `0x${'ba'.repeat(20)}`;
const FIRST: Address = `0x${'b1'.repeat(20)}`;
const SECOND: Address = `0x${'b2'.repeat(20)}`;
const WHO: Address = `0x${'77'.repeat(20)}`;
/** Of the same signature, so of the same topic0; each reads the other's logs wrongly or not at all. */
const V1 = 'event Settled(address indexed by, address indexed to, uint256 amount)';
const V2 = 'event Settled(address indexed to, address indexed by, uint256 amount)';
const upgraded = eventOf('event Upgraded(address indexed implementation)');

const settledAt = (block: bigint): Log =>
  logOfEvent(eventOf(V1), [WHO, SECOND, 5n], { address: PROXY, block });
const chain: readonly Log[] = [
  logOfEvent(upgraded, [FIRST], { address: PROXY, block: 3n }),
  settledAt(4n),
  logOfEvent(upgraded, [SECOND], { address: PROXY, block: 8n }),
  settledAt(9n),
];

/** Rows of the panel, which has the newest first: of the second version and of the first. */
const NEWER = 0;
const OLDER = 2;

interface NodeFilter {
  readonly topics?: readonly (Hex | readonly Hex[] | null)[];
  readonly fromBlock: string;
  readonly toBlock: string;
}

describe('logs of a contract that was upgraded', () => {
  /** Filters by which upgrades were asked for. */
  let asked: NodeFilter[];
  let fails: boolean;
  let opened: Awaited<ReturnType<typeof openPanel>>;

  const server = useNode(resultOf);
  useNetworks(() => ({ upgraded: { name: 'Upgraded', chainId: CHAIN, rpcUrl: server.url } }));
  const view = useAddressView('upgraded');

  beforeEach(async () => {
    asked = [];
    fails = false;
    know();
    opened = await openPanel(view);
  });
  afterEach(() => opened.dispose());

  function resultOf({ method, params: [first] }: RpcRequest): unknown {
    if (method !== 'eth_getLogs') return '0x20';
    const filter = first as NodeFilter;
    const topics = [filter.topics?.[0] ?? []].flat();
    if (topics.includes(upgraded.topic0)) {
      asked.push(filter);
      if (fails) return new NodeError(-32603, 'no upgrades today');
    }
    const [from, to] = [filter.fromBlock, filter.toBlock].map((tag) => (tag === 'latest' ? 32 : Number(tag)));
    const found = chain.filter(
      ({ blockNumber, topics: [topic0] }) =>
        blockNumber >= (from ?? 0) &&
        blockNumber <= (to ?? 0) &&
        (topics.length === 0 || topics.some((one) => one === topic0)),
    );
    return found.map(wire);
  }

  /** The workspace has both versions and where they were deployed. */
  function know(): void {
    const contracts = Object.entries({ TillV1: V1, TillV2: V2 }).map(([name, event]) =>
      contractFacts(name, { source: `src/${name}.sol`, abi: [event, 'function settle(uint256 amount)'] }),
    );
    view.contracts.put('src/Till.sol', { contracts });
    const deployments = Object.entries({ TillV1: FIRST, TillV2: SECOND }).map(([contract, address]) =>
      deploymentFacts({ contract, chainId: String(CHAIN), address, block: 1n }),
    );
    view.contracts.put('broadcast/run-latest.json', { deployments });
  }

  /** The arguments that the details of a row show, and the version that they are read by. */
  function told(row: number) {
    const { meaning } = opened.look(row);
    const args =
      'values' in meaning ? meaning.values.map(({ name, copy }) => [name, copy.toLowerCase()]) : [];
    const version = 'version' in meaning ? meaning.version : undefined;
    return { version, args: Object.fromEntries(args) };
  }

  it('are decoded by the version in force once the upgrades have been read, which a look at them begins', async () => {
    fails = true;
    await opened.run(PROXY);
    const first = opened.look(OLDER).meaning;
    assert.ok('may' in first);
    assert.match(first.reason, /The upgrades of the contract have not been read/);
    assert.equal(first.may.length, 2);
    await waitUntil(() => asked.length > 0);
    fails = false;
    await waitUntil(() => told(OLDER).version !== undefined);
    assert.match(told(OLDER).version ?? '', /^Implementation: TillV1 at 0x[Bb1]{40}, active since block 3$/);
    assert.deepEqual(told(OLDER).args, { by: WHO, to: SECOND, amount: '5' });
    assert.match(told(NEWER).version ?? '', /^Implementation: TillV2 at 0x[Bb2]{40}, active since block 8$/);
    assert.deepEqual(told(NEWER).args, { to: WHO, by: SECOND, amount: '5' });
    const before = asked.length;
    told(OLDER);
    told(NEWER);
    await opened.meaning.fetchVersions(chain, askedOf());
    assert.equal(asked.length, before);
  });

  it('are decoded so in an export of rows that are shown raw, for which nothing is read before', async () => {
    opened.panel.restore({ arrangement: { ...loadedArrangement, raw: true } });
    await opened.run(PROXY);
    told(OLDER);
    assert.deepEqual(asked, []);
    const { decoding } = opened.panel.actions.exportable ?? assert.fail('Nothing can be exported.');
    const whoBy = (log: Log) => {
      const decoded = decoding?.decode(log);
      return decoded && 'event' in decoded ? decoded.code?.address : undefined;
    };
    assert.equal(whoBy(settledAt(4n)), undefined);
    await decoding?.prepare(chain);
    assert.deepEqual([whoBy(settledAt(4n)), whoBy(settledAt(9n))], [FIRST, SECOND]);
    assert.ok(asked.length > 0);
  });

  it('are asked of nobody for a contract of which no event is known', async () => {
    view.contracts.put('src/Till.sol', undefined);
    await opened.run(PROXY);
    told(OLDER);
    assert.equal(await opened.meaning.fetchVersions([settledAt(4n)], askedOf()), false);
    assert.deepEqual(asked, []);
  });

  it('stay raw where the upgrades cannot be read, and are decoded once they can', async () => {
    fails = true;
    await opened.run(PROXY);
    assert.equal(await opened.meaning.fetchVersions(chain, askedOf()), false);
    assert.ok('may' in opened.look(OLDER).meaning);
    fails = false;
    await waitUntil(async () => {
      await opened.meaning.fetchVersions(chain, askedOf());
      return told(OLDER).version !== undefined;
    });
    assert.match(told(OLDER).version ?? '', /TillV1/);
  });

  it('are no longer asked about once the panel is closed', async () => {
    let reading: AbortSignal | undefined;
    async function* rest({ signal }: { readonly signal: AbortSignal }) {
      reading = signal;
      await once(signal, 'abort');
      yield* [];
    }
    const client = { openLogQuery: () => ({ rest }) } as never;
    const { prefetchVersions } = opened.meaning;
    opened.meaning.prefetchVersions = (logs, asked, options) =>
      prefetchVersions(logs, { ...asked, client }, options);
    await opened.run(PROXY);
    opened.look(OLDER);
    await waitUntil(() => reading !== undefined);
    assert.equal(reading?.aborted, false);
    opened.panel.dispose();
    assert.equal(reading?.aborted, true);
  });

  const askedOf = () => ({ network: view.session.network, client: view.session.client });
});

function wire({ blockNumber, logIndex, address, data, topics }: Log): object {
  const transactionHash = toAbiWord(blockNumber * 1000n);
  return wireLog(Number(blockNumber), {
    address,
    data,
    topics,
    logIndex: toQuantity(logIndex),
    transactionHash,
  });
}
