import assert from 'node:assert/strict';
import { waitUntil } from '../../../../scripts/support/workbench/waitUntil.ts';
import {
  type AbiEvent,
  type Address,
  type CopyQuery,
  type CopyResult,
  copyQueryTargets,
  encodeTopic,
  type Hex,
  type Log,
  parseLogFilter,
  toAbiWord,
} from '../../../../src/core/index.ts';
import { emitterCode } from '../../../support/copyAs/forgeProject.ts';
import { handoverTools } from '../../../support/copyAs/tools.ts';
import { eventOf, logOfEvent } from '../../../support/eventLogs.ts';
import { byTurns, isFullRun } from '../../../support/fullRun.ts';
import { openQuery, type QueryJson, readAll } from '../../../support/logReading.ts';
import { type GrowingLocalnet, growingLocalnet } from '../../../support/sharedLocalnet.ts';

const TRANSFER = eventOf('event Transfer(address indexed from, address indexed to, uint256 value)');
const GRADED = eventOf(
  'event Graded(uint8 indexed grade, int16 indexed shift, bytes4 indexed tag, string why)',
);
const NOTED = eventOf(
  'event Noted(string indexed note, (address token, uint256 amount) order, bool indexed)',
);
const emitter: Address = `0x${'e1'.repeat(20)}`;

describe('what queries are handed to', function handovers() {
  // In a full run the tools come from npm the first time.
  this.timeout(300_000);
  let localnet: GrowingLocalnet;
  let tools: Awaited<ReturnType<typeof handoverTools>>;
  let head = 0;

  before(async () => {
    [localnet, tools] = await Promise.all([growingLocalnet(), handoverTools()]);
    await localnet.mineWhile(async () => {
      const { node, chain } = localnet;
      const text = (value: string) => encodeTopic({ kind: 'string', text: 'string' }, value);
      const logs = [
        logOfEvent(GRADED, [7n, 2n ** 256n - 3n, word('0xabcdef01'), 'a "quoted" \\ line\n']),
        logOfEvent(GRADED, [9n, 5n, word('0xffffffff'), '']),
        logOfEvent(NOTED, ['hello', [emitter, 5n], 1n]),
      ];
      assert.equal(logs[2]?.topics[1], text('hello'));
      for (const log of logs) {
        await node.call('anvil_setCode', [emitter, emitterCode(log)]);
        const from = chain.accounts.alice;
        const hash = await node.call('eth_sendTransaction', [{ from, to: emitter, gas: '0x30d40' }]);
        const receipt = () => node.call('eth_getTransactionReceipt', [hash]);
        // Until then it would run the code of the next log.
        await waitUntil('the log is mined', async () => (await receipt()) !== null);
      }
    });
    head = Number(await localnet.node.call('eth_blockNumber', []));
  });

  interface Case {
    readonly query: QueryJson;
    readonly event?: AbiEvent;
  }

  /** Every way in which a filter may be written; addresses stand when the chain does. */
  function cases(): Readonly<Record<string, Case>> {
    const { contracts, accounts } = localnet.chain;
    const [token, other, nft] = [contracts.tide, contracts.usd, contracts.badge].map(
      ({ address }) => address,
    );
    const { topic0 } = TRANSFER;
    const alice = toAbiWord(accounts.alice.toLowerCase() as Hex);
    const bob = toAbiWord(accounts.bob.toLowerCase() as Hex);
    return {
      'one event of one contract': { query: { address: token ?? '', topics: [topic0] }, event: TRANSFER },
      'an argument behind one that is any': {
        query: { address: token ?? '', topics: [topic0, null, alice] },
        event: TRANSFER,
      },
      'either of two values': { query: { topics: [topic0, [alice, bob]] }, event: TRANSFER },
      'several contracts, of which one has the event in another form': {
        query: { address: [token ?? '', other ?? '', nft ?? ''], topics: [topic0], toBlock: 60 },
        event: TRANSFER,
      },
      'a part of the blocks': { query: { address: token ?? '', fromBlock: 20, toBlock: 40 } },
      'numbers of a few bits, below zero too': {
        query: {
          topics: [GRADED.topic0, [toAbiWord(7n), toAbiWord(9n)], `0x${'f'.repeat(63)}d`, word('0xabcdef01')],
        },
        event: GRADED,
      },
      'a value by its hash': {
        query: { topics: [NOTED.topic0, encodeTopic({ kind: 'string', text: 'string' }, 'hello')] },
        event: NOTED,
      },
      'a topic without an event': { query: { topics: [null, null, alice] } },
      'either of two events': { query: { topics: [[topic0, GRADED.topic0]], toBlock: 30 } },
      // Block 20, however many blocks other files have added.
      'blocks from the end': { query: { address: token ?? '', fromBlock: `latest-${head - 20}` } },
      nothing: { query: { address: emitter, topics: [TRANSFER.topic0] }, event: TRANSFER },
    };
  }

  async function asked({
    query,
    event,
  }: Case): Promise<{ readonly handed: CopyQuery; readonly rows: readonly Log[] }> {
    const { logs, verdict } = await readAll(openQuery(localnet.anvilUrl, query));
    assert.equal(verdict.state, 'complete');
    const network = { name: 'Local Node', chainId: 31337, rpcUrl: localnet.anvilUrl };
    return { handed: { filter: parseLogFilter(query), resolved: verdict, event, network }, rows: logs };
  }

  /** Prints rows through the text for a tool; each as what is compared. */
  const ways: Readonly<
    Record<string, (text: string, env?: NodeJS.ProcessEnv) => Promise<readonly unknown[]>>
  > = {
    curl: async (text, env) => JSON.parse(await tools.shell(text, env)).result,
    cast: async (text, env) => JSON.parse(await tools.shell(text, env)),
    viem: (text, env) => tools.node(text, env),
    ethers: (text, env) => tools.node(text, env),
    // Of a portal, a line for each block.
    async sqd(text) {
      const lines = (await tools.shell(text)).trimEnd().split('\n');
      return lines
        .map((line) => JSON.parse(line))
        .flatMap(({ header, logs = [] }) =>
          logs.map((log: GivenRow) => ({ ...log, blockNumber: header.number })),
        );
    },
  };

  /** The others come from npm. */
  const tried = isFullRun ? Object.keys(ways) : ['curl', 'viem', 'sqd'];
  for (const [turn, id] of tried.entries()) {
    it(`finds the same rows by ${id}`, async () => {
      const hand = copyQueryTargets.find((target) => target.id === id)?.copy ?? assert.fail(id);
      const reads = byTurns(Object.entries(cases()), 4, turn).map(async ([name, one]) => {
        const { handed, rows } = await asked(one);
        const { rpcUrl } = id === 'sqd' ? localnet.portal : handed.network;
        const text = textOf(hand({ ...handed, network: { ...handed.network, rpcUrl } }));
        const given = (await ways[id]?.(text)) ?? assert.fail(id);
        assert.deepEqual(given.map(rowOf), rows.map(rowOf), `${name}:\n${text}`);
        assert.equal(rows.length === 0, name === 'nothing', name);
        return rows.length;
      });
      const found = (await Promise.all(reads)).reduce((sum, count) => sum + count, 0);
      assert.ok(found > 300, `${found} rows`);
    });
  }

  it('says arguments by name where viem has words for them, and prints what logs say', async () => {
    const { viem, ethers } = Object.fromEntries(copyQueryTargets.map(({ id, copy }) => [id, copy]));
    for (const [name, isNamed] of [
      ['one event of one contract', true],
      ['an argument behind one that is any', true],
      ['either of two values', true],
      ['a value by its hash', false],
    ] as const) {
      const { handed } = await asked(cases()[name] ?? assert.fail(name));
      const text = textOf(viem?.(handed) ?? assert.fail());
      assert.equal(text.includes('client.getLogs('), isNamed, text);
    }
    const { handed } = await asked(cases()['numbers of a few bits, below zero too'] ?? assert.fail());
    const [byViem] = await tools.node(textOf(viem?.(handed) ?? assert.fail()));
    assert.deepEqual((byViem as { args: unknown }).args, {
      ...{ grade: 7, shift: -3, tag: '0xabcdef01', why: 'a "quoted" \\ line\n' },
    });
    if (!isFullRun) return;
    const [byEthers] = await tools.node(textOf(ethers?.(handed) ?? assert.fail()));
    assert.deepEqual((byEthers as { args: unknown }).args, ['7', '-3', '0xabcdef01', 'a "quoted" \\ line\n']);
  });

  it('is asked through a URL that only the environment has', async () => {
    const { handed, rows } = await asked({
      query: { address: localnet.chain.contracts.tide.address, toBlock: 30 },
    });
    const secret = 's3cr3t-0f-the-endpoint';
    const network = { ...handed.network, rpcUrl: `https://node.example/v3/${secret}0123456789` };
    for (const id of tried.filter((each) => each !== 'sqd')) {
      const hand = copyQueryTargets.find((target) => target.id === id)?.copy ?? assert.fail(id);
      const text = textOf(hand({ ...handed, network }));
      assert.ok(!text.includes(secret), text);
      const env = { RPC_URL: localnet.anvilUrl };
      assert.equal((await ways[id]?.(text, env))?.length, rows.length);
    }
  });
});

interface GivenRow {
  readonly address: string;
  readonly blockNumber: string | number | bigint;
  readonly logIndex?: string | number;
  readonly index?: number;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash: string;
}

function rowOf(given: unknown): string {
  const row = given as GivenRow;
  const place = [BigInt(row.blockNumber), BigInt(row.logIndex ?? row.index ?? assert.fail())];
  return [...place, row.address.toLowerCase(), row.transactionHash, ...row.topics, row.data].join(' ');
}

function textOf(handed: CopyResult): string {
  return 'text' in handed ? handed.text : assert.fail(handed.error);
}

/** Bytes at the start of a word. */
function word(hex: Hex): Hex {
  return `0x${hex.slice(2).padEnd(64, '0')}`;
}
