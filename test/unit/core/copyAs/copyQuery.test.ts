import assert from 'node:assert/strict';
import {
  copyQueryTargets,
  createQueryForLog,
  parseLogFilter,
  SECRET_PLACEHOLDER,
  toCopyBlocks,
} from '../../../../src/core/index.ts';
import { eventOf, logOfEvent } from '../../../support/eventLogs.ts';

const filter = parseLogFilter({ fromBlock: 5, toBlock: 9 });
const key = 'Zx81nBq0Lr5tYw93KdPmVa72';
const of = (id: string) => copyQueryTargets.find((target) => target.id === id)?.copy ?? assert.fail(id);

describe('handed queries', () => {
  it('have the blocks that were asked for', () => {
    const blocks = (
      fromBlock: string | number,
      toBlock: string | number,
      resolved?: readonly [bigint, bigint],
    ) =>
      toCopyBlocks({
        filter: parseLogFilter({ fromBlock, toBlock }),
        resolved: resolved && { fromBlock: resolved[0], toBlock: resolved[1] },
      });
    assert.deepEqual(blocks(5, 9), { from: 5n, to: 9n });
    assert.deepEqual(blocks(5, 9, [5n, 9n]), { from: 5n, to: 9n });
    assert.deepEqual(blocks('earliest', 'latest'), { from: 0n, to: 'latest' });
    assert.deepEqual(blocks('earliest', 'latest', [0n, 20n]), { from: 0n, to: 20n });
    assert.equal(blocks('latest-3', 'latest'), undefined);
    assert.deepEqual(blocks('latest-3', 'latest', [17n, 20n]), { from: 17n, to: 20n });
    assert.equal(blocks(5, '2026-11-01'), undefined);
    assert.deepEqual(blocks('-7d', '2026-11-01', [7n, 20n]), { from: 7n, to: 20n });
    // Of what is above the newest block nothing was found, and servers refuse it.
    assert.deepEqual(blocks(5, 99_999_999, [5n, 20n]), { from: 5n, to: 20n });
    assert.deepEqual(blocks(30, 40, [30n, 20n]), { from: 30n, to: 40n });
    assert.deepEqual(blocks(30, 'latest', [30n, 20n]), { from: 30n, to: 'latest' });
  });

  it('are refused everywhere while nobody knows their blocks', () => {
    const asked = {
      filter: parseLogFilter({ fromBlock: 'latest-3' }),
      network: { name: 'A', chainId: 1, rpcUrl: 'https://a.example' },
    };
    for (const { id, copy } of copyQueryTargets) assert.deepEqual(copy(asked), { error: 'blocks' }, id);
  });

  it('never have a secret in them', () => {
    const secrets = {
      'in the path': { rpcUrl: `https://a.example/v3/${SECRET_PLACEHOLDER}` },
      'in the query': { rpcUrl: `https://a.example/rpc?key=${SECRET_PLACEHOLDER}` },
      'of the environment': { rpcUrl: `https://a.example/v3/\${env:NODE_KEY}` },
      'typed into the path': { rpcUrl: `https://a.example/v3/${key}` },
      'typed into the query': { rpcUrl: `https://a.example/rpc?apikey=${key}` },
      'as a bearer token': { rpcUrl: 'https://a.example/rpc', rpcAuth: 'bearer' },
      'in a header': { rpcUrl: 'https://a.example/rpc', rpcAuth: 'header:x-api-key' },
      'of a portal': { rpcUrl: `https://a.example/datasets/base-mainnet?key=${key}` },
    } as const;
    for (const [name, secret] of Object.entries(secrets)) {
      for (const { id, copy } of copyQueryTargets) {
        const handed = copy({ filter, network: { name: 'Mine', chainId: 1, ...secret } });
        const isHeader = 'rpcAuth' in secret;
        if (id === 'cryo' && isHeader) {
          assert.deepEqual(handed, { error: 'header' });
          continue;
        }
        const text = 'text' in handed ? handed.text : assert.fail(`${id}, ${name}: ${handed.error}`);
        assert.ok(
          [key, SECRET_PLACEHOLDER, '%7Bkey', 'NODE_KEY'].every((part) => !text.includes(part)),
          text,
        );
        if (!/^(?:curl|cast|viem|ethers)$/.test(id)) continue;
        assert.match(
          text,
          isHeader ? /RPC_KEY: the key of Mine at https:\/\/a\.example\./ : /RPC_URL: /,
          name,
        );
        assert.match(text, isHeader ? /(?:\$|process\.env\.)RPC_KEY/ : /(?:\$|process\.env\.)RPC_URL/, name);
      }
    }
  });

  const textOf = (id: string, asked: Parameters<ReturnType<typeof of>>[0]) => JSON.stringify(of(id)(asked));

  it('send the secret of an endpoint in its header', () => {
    const network = { name: 'Mine', chainId: 1, rpcUrl: 'https://a.example/rpc' } as const;
    const text = (id: string, rpcAuth: 'bearer' | `header:${string}`) =>
      textOf(id, { filter, network: { ...network, rpcAuth } });
    assert.match(text('curl', 'bearer'), /-H 'authorization: Bearer '\\"\$RPC_KEY\\"/);
    assert.match(text('cast', 'header:x-api-key'), /--rpc-headers 'x-api-key: '\\"\$RPC_KEY\\"/);
    assert.match(text('viem', 'header:x-api-key'), /headers: \{ 'x-api-key': process\.env\.RPC_KEY \}/);
    assert.match(
      text('ethers', 'bearer'),
      /setHeader\('authorization', 'Bearer ' \+ process\.env\.RPC_KEY\)/,
    );
  });

  it('say where a server may read them otherwise, and where it cannot be asked', () => {
    const explorer = { name: 'Palm', chainId: 11297108109, rpcUrl: 'https://explorer.example/api/eth-rpc' };
    const lists = { ...filter, topics: [null, [`0x${'1'.repeat(64)}`]] } as const;
    assert.match(
      textOf('curl', { filter: lists, network: explorer }),
      /Palm is an explorer, which may interpret lists/,
    );
    assert.doesNotMatch(textOf('curl', { filter, network: explorer }), /explorer, which/);
    for (const id of ['sqd', 'hypersync', 'dune', 'bigquery']) {
      assert.deepEqual(of(id)({ filter, network: explorer }), { error: 'chain' });
    }
    const portal = { name: 'Base', chainId: 8453, rpcUrl: 'https://portal.example/datasets/base-mainnet' };
    assert.match(textOf('curl', { filter, network: portal }), /RPC_URL: a JSON-RPC endpoint of chain 8453/);
    assert.match(
      textOf('sqd', { filter, network: portal }),
      /https:\/\/portal\.example\/datasets\/base-mainnet\/stream/,
    );
  });

  it('count blocks as each tool does', () => {
    const network = { name: 'Ethereum', chainId: 1, rpcUrl: 'https://a.example' };
    const open = parseLogFilter({});
    for (const [id, asked, expected] of [
      ['cryo', filter, /--blocks 5:10 /],
      ['hypersync', filter, /\\"from_block\\":5,\\"to_block\\":10,/],
      ['sqd', filter, /\\"fromBlock\\":5,\\"toBlock\\":9,/],
      ['dune', filter, /block_number >= 5\\n {2}AND block_number <= 9/],
      ['cryo', open, /--blocks 0:latest /],
    ] as const)
      assert.match(textOf(id, { filter: asked, network }), expected);
    for (const id of ['hypersync', 'sqd']) {
      assert.doesNotMatch(textOf(id, { filter: open, network }), /to_?[bB]lock\\":/);
    }
  });

  it('stand for one log by its contract, topics and block', () => {
    const log = logOfEvent(eventOf('event Paid(address indexed by)'), [`0x${'ab'.repeat(20)}`], {
      block: 7n,
    });
    const { addresses, topics, fromBlock, toBlock } = createQueryForLog({ log });
    assert.deepEqual([addresses, topics.flat(), fromBlock, toBlock], [[log.address], log.topics, 7n, 7n]);
  });
});
