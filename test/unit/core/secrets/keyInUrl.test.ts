import assert from 'node:assert/strict';
import { keyInUrl, mayHoldKey, SECRET_MARK } from '../../../../src/core/index.ts';
import { readRpcAuth, secretMarkIn, withSecretInUrl } from '../../../../src/core/networks/rpcAuth.ts';

const KEY = 'Zx81nBq0Lr5tYw93KdPmVa72';

describe('key in a URL', () => {
  const urls: readonly (readonly [what: string, url: string, marked: string, key?: string])[] = [
    ['Infura', `https://mainnet.infura.io/v3/${KEY}`, `https://mainnet.infura.io/v3/${SECRET_MARK}`],
    [
      'Alchemy',
      `https://eth-mainnet.g.alchemy.com/v2/${KEY}`,
      `https://eth-mainnet.g.alchemy.com/v2/${SECRET_MARK}`,
    ],
    ['QuickNode', `https://a-b-c.quiknode.pro/${KEY}/`, `https://a-b-c.quiknode.pro/${SECRET_MARK}/`],
    [
      'Chainstack behind a word',
      `https://nd-1.p2pify.com/rpc/${KEY}`,
      `https://nd-1.p2pify.com/rpc/${SECRET_MARK}`,
    ],
    [
      'behind the key a path',
      `https://x.example/${KEY}/ext/bc/C/rpc`,
      `https://x.example/${SECRET_MARK}/ext/bc/C/rpc`,
    ],
    [
      'dRPC',
      `https://lb.drpc.org/ogrpc?network=base&dkey=${KEY}`,
      `https://lb.drpc.org/ogrpc?network=base&dkey=${SECRET_MARK}`,
    ],
    [
      'Blockscout',
      `https://x.example/api/eth-rpc?apikey=${KEY}`,
      `https://x.example/api/eth-rpc?apikey=${SECRET_MARK}`,
    ],
    [
      'a parameter of no telling name',
      `https://x.example/?id=5&q=${KEY}`,
      `https://x.example/?id=5&q=${SECRET_MARK}`,
    ],
    [
      'escaped',
      'https://x.example/?auth=ab%2Fcd%2Bef12',
      `https://x.example/?auth=${SECRET_MARK}`,
      'ab/cd+ef12',
    ],
    ['a port', `http://127.0.0.1:8545/${KEY}?x=1`, `http://127.0.0.1:8545/${SECRET_MARK}?x=1`],
  ];
  for (const [what, url, marked, key = KEY] of urls) {
    it(`is taken out, and put back the same: ${what}`, () => {
      assert.ok(mayHoldKey(url));
      assert.deepEqual(keyInUrl(url), { url: marked, key });
      assert.equal(decodeURIComponent(withSecretInUrl(marked, key)), decodeURIComponent(url));
      assert.ok(!mayHoldKey(marked));
      assert.equal(keyInUrl(marked), undefined);
    });
  }

  it('is none where nothing looks like one', () => {
    for (const url of [
      'https://explorer.palm.io/api/eth-rpc',
      'https://rpc.example/mainnet/archive',
      'https://rpc.example/?chain=ethereum-mainnet',
      'http://127.0.0.1:8545',
      'https://rpc.example/v1?key=short',
    ]) {
      assert.equal(keyInUrl(url), undefined, url);
    }
  });
});

describe('mark of a secret', () => {
  it('is known however a URL writes it, and stands in path or query only', () => {
    assert.equal(secretMarkIn(`https://n.example/${SECRET_MARK}`), 'pathOrQuery');
    assert.equal(secretMarkIn('https://n.example/?a=%24%7Bkey%7D'), 'pathOrQuery');
    assert.equal(secretMarkIn('https://n.example/$%7bKEY%7d/x'), 'pathOrQuery');
    assert.equal(secretMarkIn(`https://${SECRET_MARK}.n.example/`), 'elsewhere');
    assert.equal(secretMarkIn(`https://n.example/#${SECRET_MARK}`), 'elsewhere');
    assert.equal(secretMarkIn(`https://${SECRET_MARK}.n.example/${SECRET_MARK}`), 'elsewhere');
    assert.equal(secretMarkIn('https://n.example/key'), undefined);
  });
});

describe('place of a secret', () => {
  it('is a bearer token or a header that is free for one', () => {
    assert.equal(readRpcAuth(' Bearer '), 'bearer');
    assert.equal(readRpcAuth('header:X-Api-Key'), 'header:x-api-key');
    assert.equal(readRpcAuth('header:authorization'), 'header:authorization');
    for (const none of [
      ...[
        '',
        'query',
        'header',
        'header:',
        'header:a b',
        'header:a\r\nhost: evil',
        'header:x:y',
        'header:ключ',
      ],
      ...[
        'header:host',
        'header:Content-Type',
        'header:content-length',
        'header:accept',
        'header:connection',
      ],
      ...['header:transfer-encoding', 'header:proxy-authorization', `header:${'x'.repeat(65)}`],
    ]) {
      assert.equal(readRpcAuth(none), undefined, none);
    }
  });
});
