import assert from 'node:assert/strict';
import {
  createChainClient,
  fetchState,
  formatMessage,
  systemClock,
  type Verdict,
} from '../../../../src/core/index.ts';
import type { StateClient, StateProofOptions } from '../../../../src/core/state/fetchState.ts';
import { createAnyNode } from '../../../support/anyNode.ts';
import { createTestClock } from '../../../support/clocks.ts';

const TOKEN = `0x${'11'.repeat(20)}` as const;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** ERC-2309. */
const CONSECUTIVE_TRANSFER = '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d';
const HOLDER = 0xa11ce;
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;

describe('state where a lagging replica answers the log query', () => {
  it('is not reached, and nothing is said against the contract', async () => {
    const logs = [50, 999].map((block, place) => ({
      ...{ block, place, address: TOKEN, data: word(7) },
      topics: [TRANSFER, word(0), word(HOLDER)],
    }));
    const open = (head: number) => {
      const node = createAnyNode(
        { head, logs },
        {
          ...{ name: 'Geth/v1.17.0', batches: true, index: 'block' },
          code: () => '0x6001',
          call: (data, { block }) => {
            const supply = 7 * logs.filter((log) => log.block <= block).length;
            if (data.startsWith('0x18160ddd')) return word(supply);
            if (data.startsWith('0x70a08231')) return word(data.endsWith('a11ce') ? supply : 0);
            return undefined;
          },
        },
      );
      return createChainClient({ fetch: node, clock: createTestClock(), url: 'https://node.example' });
    };
    const query = { kind: 'holders', address: TOKEN, owner: undefined, block: 1000n } as const;
    const read = async (logHead: number, prove?: StateProofOptions, lacks = 0n) => {
      const { openLogQuery } = open(logHead);
      const cut = (verdict: Verdict) => ({ ...verdict, readThrough: verdict.toBlock - lacks });
      const client: StateClient = {
        ...open(1000),
        openLogQuery: (filter) => ({
          ...openLogQuery(filter),
          async *rest(options) {
            for await (const { logs, verdict } of openLogQuery(filter).rest(options))
              yield { logs, verdict: cut(verdict) };
          },
        }),
      };
      const { verdict } = await fetchState(query, { client, clock: systemClock }, { prove });
      return { ...verdict, reasons: verdict.reasons.map(formatMessage) };
    };
    assert.equal((await read(1000)).state, 'complete');
    const { state, reasons, compared } = await read(997);
    assert.deepEqual([state, reasons.length, compared.compared], ['unreached', 1, 0]);
    assert.match(reasons[0] ?? '', /^The range ends after the latest block, 997,/);
    assert.equal((await read(997, { isToDecide: true })).proof, undefined, 'it would decide nothing');
    const { proof } = await read(1000, {}, 128n);
    assert.deepEqual([proof?.level, proof?.blocks, proof?.requests], ['impossible', 0, 0]);
    assert.match(proof?.reasons.map(formatMessage).join() ?? '', /does not have all blocks of its range/);
  });
});

describe('holders of a token', () => {
  it('are confirmed where someone sent tokens to an address without a key', async () => {
    const NOBODY = `0x${'5e'.repeat(20)}`;
    const holders = [`0x${HOLDER.toString(16).padStart(40, '0')}`, NOBODY];
    const logs = holders.map((holder, place) => ({
      ...{ block: 50, place, address: TOKEN, data: word(7) },
      topics: [TRANSFER, word(0), `0x${holder.slice(2).padStart(64, '0')}`],
    }));
    const node = createAnyNode(
      { head: 1000, logs },
      {
        ...{ name: 'Geth/v1.17.0', batches: true, index: 'block' },
        code: () => '0x6001',
        call: (data) => {
          if (data.startsWith('0x18160ddd')) return word(14);
          const isHolder = holders.some((holder) => data.endsWith(holder.slice(2)));
          return data.startsWith('0x70a08231') ? word(isHolder ? 7 : 0) : undefined;
        },
      },
    );
    const client = createChainClient({ fetch: node, clock: createTestClock(), url: 'https://node.example' });
    const query = { kind: 'holders', address: TOKEN, owner: undefined, block: 1000n } as const;
    const { verdict, rows } = await fetchState(query, { client, clock: systemClock });
    assert.deepEqual([verdict.confirmed, rows.length, verdict.reasons], [true, 2, []]);
  });
});

describe('holders of a token that names more token IDs than are listed', () => {
  it('end with an error, however few logs name them', async () => {
    const range = (last: number) => ({
      ...{ block: 5, place: 0, address: TOKEN, data: word(last) },
      topics: [CONSECUTIVE_TRANSFER, word(0), word(0), word(HOLDER)],
    });
    const query = { kind: 'holders', address: TOKEN, owner: undefined, block: 10n } as const;
    const read = (logs: readonly ReturnType<typeof range>[]) => {
      const answers = { batches: true, index: 'block', code: () => '0x6001' } as const;
      const node = createAnyNode({ head: 10, logs }, { ...answers, name: 'Geth/v1.17.0' });
      const client = createChainClient({
        fetch: node,
        clock: createTestClock(),
        url: 'https://node.example',
      });
      return fetchState(query, { client, clock: systemClock });
    };
    assert.equal((await read([range(40)])).rows.length, 41);
    const tooHeavy = {
      kind: 'tooHeavy',
      message: /^There are more than 1,?000,?000 rows.* Choose an earlier block\.$/,
    };
    await assert.rejects(read([range(1_000_000)]), tooHeavy);
    const again = Array.from({ length: 30 }, (_, place) => ({ ...range(40_000), place }));
    await assert.rejects(read(again), tooHeavy);
  });
});
