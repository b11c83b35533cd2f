import assert from 'node:assert/strict';
import { type DialectName, dialects } from '../../../../localnet/explorer/dialects.ts';
import { startExplorer } from '../../../../localnet/explorer/server.ts';
import { MemoryIndex } from '../../../../localnet/index/memoryIndex.ts';
import { type NodeProfileName, nodeProfiles } from '../../../../localnet/node/nodeProfiles.ts';
import { startNode } from '../../../../localnet/node/server.ts';
import { startPortal } from '../../../../localnet/portal/server.ts';
import {
  describeReasons,
  formatMessage,
  type Hex,
  type LogOrder,
  parseLogFilter,
} from '../../../../src/core/index.ts';
import { passesOrphans } from '../../../support/conformance.ts';
import { byTurns, isFullRun } from '../../../support/fullRun.ts';
import { anew, type StoppableServer, withServer } from '../../../support/injectFetch.ts';
import { toHex as hex } from '../../../support/logDataSets.ts';
import { createInjectClient, followQuery, getLogKey } from '../../../support/logReading.ts';

const ADDRESS = hex(0xa1, 20);
const TOPIC = hex(0x7001, 32);
const FIRST = 150;
const PATIENCE = { times: 3, ms: 0 };

/** A chain that servers are started on, and that goes on while they run. */
function createChain() {
  const index = new MemoryIndex();
  let made = 0;
  let blocks: { readonly hash: Hex; readonly keys: readonly string[] }[] = [];
  const mine = (...counts: readonly number[]) => {
    for (const count of counts) {
      const hash = hex(++made, 32);
      const logs = Array.from({ length: count }, (_, logIndex) => ({
        ...{ logIndex, address: ADDRESS, topics: [TOPIC], data: hex(made, 32) },
      }));
      index.addBlock({
        number: blocks.length,
        hash,
        transactions: count === 0 ? [] : [{ hash: hex(made + 1_000_000, 32), logs }],
      });
      blocks.push({ hash, keys: logs.map(({ logIndex }) => `${hash}:${logIndex}`) });
    }
  };
  return {
    index,
    mine,
    reorganise(depth: number, ...counts: readonly number[]) {
      for (const { hash } of blocks.slice(-depth).reverse()) index.orphan(hash);
      blocks = blocks.slice(0, -depth);
      mine(...counts);
    },
    keys: () => blocks.flatMap(({ keys }) => keys),
    get head() {
      return blocks.length - 1;
    },
  };
}

type Chain = ReturnType<typeof createChain>;
type Start = (chain: Chain) => Promise<StoppableServer>;

const servers: Readonly<Record<string, readonly [start: Start, doubts: boolean]>> = {
  ...Object.fromEntries(
    (Object.keys(dialects) as DialectName[]).map((dialect) => [
      `Blockscout ${dialect}`,
      [({ index }: Chain) => startExplorer({ index, dialect }), passesOrphans(dialect)] as const,
    ]),
  ),
  ...Object.fromEntries(
    (Object.keys(nodeProfiles) as NodeProfileName[]).map((profile) => [
      profile,
      [({ index }: Chain) => startNode({ index, profile }), false] as const,
    ]),
  ),
  'a portal': [({ index }: Chain) => startPortal({ index }), false],
};

/** What happens to the chain, one look after the other. */
const story: readonly ((chain: Chain) => void)[] = [
  (chain) => chain.mine(2),
  (chain) => chain.mine(0, 0, 3),
  (chain) => chain.reorganise(3, 1, 2, 0, 4),
  (chain) => chain.mine(...Array.from({ length: 260 }, (_, block) => block % 3)),
  (chain) => chain.reorganise(5, 0, 0, 1, 0, 0, 1),
  (chain) => chain.mine(isFullRun ? 1200 : 200),
  (chain) => chain.mine(0, 1),
];

for (const [nth, [name, [start, doubts]]] of byTurns([...Object.entries(servers).entries()], 7, 0)) {
  describe(`followed query on ${name}`, () => {
    for (const order of byTurns(['newestFirst', 'oldestFirst'] as const, 2, nth)) {
      it(`has the rows of the chain, ${order}`, () => follow(start, order, doubts));
    }
  });
}

async function follow(start: Start, order: LogOrder, mayDoubt: boolean): Promise<void> {
  const chain = createChain();
  chain.mine(...Array.from({ length: FIRST }, (_, block) => block % 4));
  await withServer(start(chain), async (server) => {
    const client = createInjectClient(server, anew);
    const filter = parseLogFilter({ address: ADDRESS, topics: [TOPIC], fromBlock: 1 });
    const answer = await followQuery(client, filter, { order, patience: PATIENCE });
    const isWhole = () => {
      const { state, toBlock } = answer.follower.verdict;
      return state === 'complete' && toBlock === BigInt(chain.head);
    };
    for (const happens of story) {
      happens(chain);
      // A look that a server does not take whole is made good with the next.
      for (let look = 0; look < 3 && (isFullRun || look === 0 || !isWhole()); look++)
        await answer.advance(BigInt(chain.head));
      const { state, toBlock, reasons } = answer.follower.verdict;
      const because = describeReasons(reasons).map(formatMessage).join('; ');
      if (!mayDoubt) assert.equal(state, 'complete', because);
      if (state !== 'complete') continue;
      assert.equal(toBlock, BigInt(chain.head));
      const [has, wants] = [answer.rows.map(getLogKey), chain.keys()];
      assert.equal(has.length, wants.length);
      assert.equal(has.join(), wants.join());
    }
  });
}
