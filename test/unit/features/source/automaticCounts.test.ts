import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { EventEmitter, type LogOutputChannel, type TextDocument } from 'vscode';
import { type Address, AppError } from '../../../../src/core/index.ts';
import { createAutomaticCounts } from '../../../../src/features/source/automaticCounts.ts';
import type {
  CountedEvent,
  EventCount,
  EventCountCache,
} from '../../../../src/features/source/countEvents.ts';
import type { Session } from '../../../../src/host/session/session.ts';
import { deploymentFacts } from '../../../support/projectFacts.ts';
import { verdictOf } from '../../../support/stubs.ts';

const vault: Address = `0x${'11'.repeat(20)}`;
const deployment = {
  ...deploymentFacts({ chainId: '31337', address: vault, block: 1n, contract: 'Vault' }),
  file: 'a.json',
};
const paid: CountedEvent = {
  ...{ name: 'Paid', declaration: 'event Paid()', deployments: [deployment] },
  topic0: () => `0x${'aa'.repeat(32)}`,
};

/** Automatic counts of one document, at a block that a test changes. */
function openCounts(rpcUrl: string) {
  const changes = new EventEmitter<void>();
  const world = {
    block: 10n,
    isRead: true,
    queries: 0,
    shownAgain: 0,
    fails: false,
    /** What the next response waits for. */
    pending: Promise.resolve(),
    failures: [] as string[],
    events: [paid] as readonly CountedEvent[],
  };
  const network = { rpcUrl, chainId: 31337 };
  const openLogQuery = () => {
    world.queries++;
    if (world.fails) throw new AppError('network', 'The node is off.');
    const { pending } = world;
    const verdict = verdictOf({ toBlock: world.block });
    return {
      verdict,
      rest: async function* () {
        await pending;
        yield { logs: [], verdict };
      },
    };
  };
  const connection = { client: { openLogQuery }, network, signal: new AbortController().signal };
  const put = new Map<string, EventCount>();
  const session = { isChosen: true, network, connection };
  const automatic = createAutomaticCounts(
    {
      session: session as unknown as Session,
      head: {
        get state() {
          return world.isRead ? { head: { block: world.block } } : {};
        },
        async read() {
          world.isRead = true;
        },
        onDidChange: changes.event,
      },
      counts: {
        put: (_: unknown, counted: ReadonlyMap<string, EventCount>) =>
          counted.forEach((count, key) => void put.set(key, count)),
      } as unknown as EventCountCache,
      log: { debug: (text: string) => world.failures.push(text) } as unknown as LogOutputChannel,
      eventsIn: async () => world.events,
    },
    () => world.shownAgain++,
  );
  const document = {} as TextDocument;
  return { automatic, world, put, changes, session, count: () => automatic.count(document) };
}

describe('Automatic counts', () => {
  it('count the events of a document once at each block', async () => {
    const { count, world, put, changes, automatic } = openCounts('http://127.0.0.1:8545');
    world.isRead = false;
    await count();
    await count();
    assert.equal(world.queries, 1);
    assert.equal(put.get(paid.declaration)?.toBlock, 10n);
    world.block = 11n;
    changes.fire();
    changes.fire();
    assert.equal(world.shownAgain, 1);
    await count();
    assert.equal(put.get(paid.declaration)?.toBlock, 11n);
    // What was deployed meanwhile is counted at the same block too.
    world.events = [paid, { ...paid, declaration: 'event Opened()', topic0: () => `0x${'bb'.repeat(32)}` }];
    await count();
    assert.deepEqual([world.queries, world.failures], [3, []]);
    automatic.dispose();
    world.block = 12n;
    changes.fire();
    assert.equal(world.shownAgain, 1);
  });

  it('keep the count of the newer block if that of an older one ends later', async () => {
    const { count, world, put } = openCounts('http://127.0.0.1:8545');
    let answer: () => void = () => undefined;
    world.pending = new Promise((resolve) => {
      answer = resolve;
    });
    const older = count();
    await setImmediate();
    assert.equal(world.queries, 1);
    world.pending = Promise.resolve();
    world.block = 11n;
    await count();
    answer();
    await older;
    assert.deepEqual([world.queries, put.get(paid.declaration)?.toBlock], [2, 11n]);
  });

  it('count again after a failure, and on a connection that is made anew', async () => {
    const { count, world, session, put } = openCounts('http://127.0.0.1:8545');
    world.fails = true;
    await count();
    assert.deepEqual([world.failures.length, put.size], [1, 0]);
    world.fails = false;
    await count();
    assert.equal(world.queries, 2);
    // The counts of the old connection are gone.
    session.connection = { ...session.connection };
    await count();
    await count();
    assert.deepEqual([world.queries, world.failures.length], [3, 1]);
  });

  it('send nothing to a server elsewhere, nor to a long chain that may be a fork', async () => {
    const remote = openCounts('https://rpc.example');
    await remote.count();
    const fork = openCounts('http://127.0.0.1:8545');
    fork.world.block = 20_000_000n;
    fork.changes.fire();
    await fork.count();
    assert.deepEqual([remote.world.queries, fork.world.queries, fork.world.shownAgain], [0, 0, 0]);
  });
});
