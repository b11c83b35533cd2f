import assert from 'node:assert/strict';
import {
  getExplorerLink,
  isOnBothNetworks,
  isSecureUrl,
  orderChainNetworks,
} from '../../../../src/host/session/networks.ts';
import { anyNetwork } from '../../../support/stubs.ts';

const LOOPBACK = ['localhost', 'node.localhost', '127.0.0.1', '127.9.9.9', '[::1]'];
const ELSEWHERE = ['example.com', 'localhost.example.com', '128.0.0.1', '192.168.0.1', 'notlocalhost'];

import { hostileTexts } from '../../../fixtures/hostileTexts.ts';

describe('A link to the explorer website', () => {
  it('goes to the page of what it is about', () => {
    for (const base of [
      'https://explorer.example',
      'https://explorer.example/',
      'https://explorer.example//',
    ]) {
      assert.equal(getExplorerLink(base, 'block', 7n), 'https://explorer.example/block/7');
    }
    assert.equal(
      getExplorerLink('http://127.0.0.1:4000/sub/', 'transaction', '0xab'),
      'http://127.0.0.1:4000/sub/tx/0xab',
    );
  });

  it('is none where the setting is no page of the web', () => {
    for (const url of [
      undefined,
      '',
      'x',
      'javascript:alert(1)',
      'command:a',
      'file:///etc',
      'https://u:p@x.example',
    ]) {
      assert.equal(getExplorerLink(url, 'block', 7n), undefined);
    }
  });

  it('has neither spaces nor controls, whatever stands in the setting', () => {
    for (const [what, text] of Object.entries(hostileTexts)) {
      assert.equal(getExplorerLink(text, 'block', 7n), undefined, what);
      const link = getExplorerLink(`https://x.example/${text}`, 'block', 7n) ?? '';
      assert.match(link, /^https:\/\/x\.example[!-~]*\/block\/7$/, what);
    }
  });

  it('takes no longer for a million slashes', () => {
    const link = getExplorerLink(`https://x.example/${'/'.repeat(1_000_000)}x`, 'block', 7n);
    assert.ok(link?.endsWith('/x/block/7'));
  });
});

describe('an endpoint', () => {
  it('can be given a key where it is encrypted, or is on this machine by any of its names', () => {
    for (const host of LOOPBACK) assert.equal(isSecureUrl(`http://${host}:8545`), true, host);
    for (const host of ELSEWHERE) {
      assert.equal(isSecureUrl(`http://${host}:8545`), false, host);
      assert.equal(isSecureUrl(`https://${host}`), true, host);
    }
  });

  it('of this machine is another chain than one elsewhere, whatever both call themselves', () => {
    const at = (host: string) => ({ ...anyNetwork(1), rpcUrl: `http://${host}:8545` });
    for (const host of LOOPBACK) assert.equal(isOnBothNetworks(at(host), at('node.example')), false, host);
    assert.equal(isOnBothNetworks(at('localhost'), at('node.localhost')), true);
    assert.equal(isOnBothNetworks(at('one.example'), at('two.example')), true);
  });

  it('of a development chain is one chain, whose ID says nothing of another port', () => {
    const at = (rpcUrl: string, chainId: number) => ({ ...anyNetwork(chainId), rpcUrl });
    for (const chainId of [31337, 1337, 1]) {
      const here = at('http://127.0.0.1:8545', chainId);
      assert.equal(isOnBothNetworks(here, at('http://localhost:8545/', chainId)), true);
      assert.equal(isOnBothNetworks(here, at('http://127.0.0.1:9545', chainId)), false);
      assert.equal(isOnBothNetworks(here, at('https://dev.example', chainId)), false);
    }
    assert.equal(isOnBothNetworks(at('https://one.example', 31337), at('https://two.example', 31337)), false);
  });

  it('of the project goes first, then of this machine for a development chain only', () => {
    const named = (id: string, rpcUrl: string, chainId: number) => ({ ...anyNetwork(chainId), id, rpcUrl });
    const order = (chainId: number) =>
      orderChainNetworks([
        named('fork', 'http://127.0.0.1:8545', chainId),
        named('far', 'https://node.example', chainId),
        named('foundry:own', 'https://own.example', chainId),
      ]).map(({ id }) => id);
    assert.deepEqual(order(31337), ['foundry:own', 'fork', 'far']);
    assert.deepEqual(order(1), ['foundry:own', 'far', 'fork']);
  });
});
