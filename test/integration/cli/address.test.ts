import assert from 'node:assert/strict';
import type { ProxyKinds } from '../../../localnet/chain/proxyKinds.ts';
import { toListVerdict } from '../../../src/cli/commands/address.ts';
import { type FetchLike, toChecksumAddress } from '../../../src/core/index.ts';
import { runCli } from '../../support/runCli.ts';
import { growingLocalnet, sharedProxyKinds } from '../../support/sharedLocalnet.ts';

describe('headless identify', () => {
  let url: string;
  let kinds: ProxyKinds;

  before(async () => {
    url = (await growingLocalnet()).anvilUrl;
    kinds = await sharedProxyKinds();
  });

  it('prints one line of what is there', async () => {
    const { code, stdout } = await runCli(['identify', toChecksumAddress(kinds.lying), '--rpc', url]);
    assert.equal(code, 0);
    const { created, sources, ...what } = JSON.parse(stdout);
    assert.deepEqual(what, {
      kind: 'contract',
      token: null,
      proxy: {
        type: 'eip1967',
        implementations: [{ address: kinds.logic, code: true }],
        conflict: [{ type: 'basic_implementation', address: kinds.secondLogic }],
      },
    });
    assert.match(created.block, /^\d+$/);
    assert.equal(created.deployer, kinds.deployer);
    assert.deepEqual([sources.length, sources[0].name, sources[0].origin], [1, 'calls', new URL(url).origin]);
  });

  it('prints null for what there is not, and what a vault holds', async () => {
    const account = JSON.parse((await runCli(['identify', kinds.deployer, '--rpc', url])).stdout);
    assert.deepEqual(
      [account.kind, account.token, account.proxy, account.created],
      ['account', null, null, null],
    );
    const { token } = JSON.parse((await runCli(['identify', kinds.vault, '--rpc', url])).stdout);
    assert.deepEqual(token, {
      ...{ standard: 'ERC-4626', name: 'Harbor Vault', symbol: 'vHUSD', decimals: 6, supply: '0' },
      asset: { address: kinds.asset, symbol: 'HUSD', decimals: 6 },
    });
  });

  it('takes nothing for an account while the node has no blocks yet', async () => {
    const syncing = { currentBlock: '0x0', highestBlock: '0x3e8' };
    const results: Readonly<Record<string, unknown>> = {
      ...{ eth_getCode: '0x', eth_blockNumber: '0x0', eth_syncing: syncing, eth_getBalance: '0x0' },
    };
    const respond = ({ id, method }: { readonly id: number; readonly method: string }) => ({
      ...{ jsonrpc: '2.0', id },
      ...(method in results
        ? { result: results[method] }
        : { error: { code: -32601, message: 'no method' } }),
    });
    const fetch: FetchLike = async (_url, { body }) => {
      const calls = JSON.parse(String(body));
      return Response.json(Array.isArray(calls) ? calls.map(respond) : respond(calls));
    };
    const supply = 'totalSupply() view returns (uint256)';
    for (const args of [
      ['identify', kinds.vault],
      ['read', kinds.vault, supply],
      ['state', 'roles', kinds.vault],
      ['block'],
    ]) {
      const { code, stdout } = await runCli([...args, '--rpc', 'https://node.example'], { fetch });
      assert.deepEqual([code, JSON.parse(stdout).error?.kind], [3, 'blockNotSeen'], args.join(' '));
    }
  });

  it('refuses what is no address, and no endpoint', async () => {
    const wrong = await runCli(['identify', '0x12', '--rpc', url]);
    assert.deepEqual([wrong.code, JSON.parse(wrong.stdout).error.kind], [2, 'badInput']);
    const unset = ['--rpc', url, '--etherscan-key-env', 'CHAINSIDE_TEST_UNSET'];
    const keyless = await runCli(['identify', kinds.vault, ...unset]);
    assert.equal(JSON.parse(keyless.stdout).error.field, 'etherscan-key-env');
    const nowhere = await runCli(['identify', kinds.vault]);
    assert.deepEqual([nowhere.code, JSON.parse(nowhere.stdout).error.field], [2, 'rpc']);
  });
});

describe('what a headless history is worth', () => {
  const unreadable = { code: 'unreadable' as const, count: 2 };

  it('says that there is more, also of a list that lacks something', () => {
    assert.deepEqual(toListVerdict({ reasons: [], isAtEnd: true }), { state: 'complete', reasons: [] });
    assert.deepEqual(toListVerdict({ reasons: [], isAtEnd: false }), { state: 'more', reasons: [] });
    const whole = toListVerdict({ reasons: [unreadable], isAtEnd: true });
    const begun = toListVerdict({ reasons: [unreadable], isAtEnd: false });
    assert.deepEqual([whole.state, begun.state, whole.reasons.length], ['partial', 'partial', 1]);
    assert.match(begun.reasons[1] ?? '', /^The list continues/);
  });
});
