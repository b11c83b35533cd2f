import assert from 'node:assert/strict';
import {
  explorerApiUrl,
  getGatewayChain,
  getGatewayUrl,
  SECRET_PLACEHOLDER,
} from '../../../../src/core/index.ts';

describe('routes of an explorer', () => {
  const routes: readonly (readonly [rpcUrl: string, path: string, url: string | undefined])[] = [
    ['https://e.example/api/eth-rpc', '/api/v2/stats', 'https://e.example/api/v2/stats'],
    ['https://e.example/x/api/v1/eth_rpc/', '/api', 'https://e.example/x/api?module=block'],
    ['https://api.blockscout.com/10/json-rpc', '/api/v2/stats', 'https://api.blockscout.com/10/api/v2/stats'],
    ['https://g.example/base/11155111/json-rpc/', '/api', 'https://g.example/base/11155111/api?module=block'],
    ['https://e.example/10/json-rpc?apikey=k', '/api', 'https://e.example/10/api?apikey=k&module=block'],
    ['https://e.example/json-rpc', '/api', undefined],
    ['https://e.example/0/json-rpc', '/api', undefined],
    ['https://e.example/99999999999999999/json-rpc', '/api', undefined],
    ['https://e.example/10/json-rpc/more', '/api', undefined],
    ['https://node.example/v3/10', '/api', undefined],
  ];
  for (const [rpcUrl, path, url] of routes) {
    it(`are beside ${rpcUrl}: ${url ?? 'none'}`, () => {
      const query = path === '/api' ? { module: 'block', action: undefined } : {};
      assert.equal(explorerApiUrl(rpcUrl, path, query)?.href, url);
    });
  }

  it('keep the mark of a secret where it is', () => {
    const url = explorerApiUrl(`https://e.example/api/eth-rpc?apikey=${SECRET_PLACEHOLDER}`, '/api', {
      module: 'block',
    });
    assert.equal(decodeURIComponent(url?.search ?? ''), `?apikey=${SECRET_PLACEHOLDER}&module=block`);
  });

  it('of a gateway are those of its chain', () => {
    assert.equal(getGatewayChain(getGatewayUrl(11297108109)), 11297108109);
    assert.equal(getGatewayChain('https://e.example/api/eth-rpc'), undefined);
  });
});
