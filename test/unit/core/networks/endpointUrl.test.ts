import assert from 'node:assert/strict';
import {
  extractKey,
  isLoopbackUrl,
  mayHoldKey,
  parseEndpointUrl,
  SECRET_PLACEHOLDER,
} from '../../../../src/core/index.ts';
import { findSecretPlaceholder, insertSecret, parseRpcAuth } from '../../../../src/core/networks/network.ts';

describe('A typed URL', () => {
  const meant: readonly (readonly [string, string | undefined])[] = [
    ['localhost:8545', 'http://localhost:8545'],
    ['127.0.0.1:8545', 'http://127.0.0.1:8545'],
    ['[::1]:8545', 'http://[::1]:8545'],
    [' rpc.example.org ', 'https://rpc.example.org'],
    ['rpc.example.org:8080/v1', 'https://rpc.example.org:8080/v1'],
    ['https://rpc.example.org/', 'https://rpc.example.org/'],
    ['HTTP://rpc.example.org', 'HTTP://rpc.example.org'],
    ['ftp://rpc.example.org', undefined],
    ['ws://127.0.0.1:8545', undefined],
    ['https://user:secret@rpc.example.org', undefined],
    ['user:secret@rpc.example.org', undefined],
    ['two words', undefined],
    ['', undefined],
  ];
  for (const [text, url] of meant) {
    it(`is read as it is meant: “${text}”`, () => assert.equal(parseEndpointUrl(text), url));
  }

  it('is of this machine only by its host', () => {
    for (const url of [
      ...[
        'http://localhost',
        'http://a.localhost:1',
        'http://LOCALHOST.:8545',
        'http://127.1.2.3',
        'http://127.1',
      ],
      ...['http://[::1]:8545', 'http://[::ffff:127.0.0.1]:8545', 'http://[0:0:0:0:0:ffff:7fff:ffff]'],
      ...['http://0.0.0.0:8545', 'http://0:8545', 'http://[::]:8545', 'http://[::ffff:0.0.0.0]'],
    ]) {
      assert.ok(isLoopbackUrl(url), url);
    }
    for (const url of [
      'https://localhost.example',
      'https://example/127.0.0.1',
      'http://128.0.0.1',
      'http://127.0.0.1.example',
      'http://evillocalhost',
      'http://[::ffff:8.8.8.8]',
      'http://[::2]',
      'http://0.0.0.1',
      'http://0.0.0.0.example',
      'no url',
    ]) {
      assert.ok(!isLoopbackUrl(url), url);
    }
  });
});

const KEY = 'Zx81nBq0Lr5tYw93KdPmVa72';

describe('key in a URL', () => {
  for (const [what, url, key = KEY] of [
    ['Infura', `https://mainnet.infura.io/v3/${KEY}`],
    ['QuickNode', `https://a-b-c.quiknode.pro/${KEY}/`],
    ['Chainstack behind a word', `https://nd-1.p2pify.com/rpc/${KEY}`],
    ['behind the key a path', `https://x.example/${KEY}/ext/bc/C/rpc`],
    ['dRPC', `https://lb.drpc.org/ogrpc?network=base&dkey=${KEY}`],
    ['Blockscout', `https://x.example/api/eth-rpc?apikey=${KEY}`],
    ['a parameter of no telling name', `https://x.example/?id=5&q=${KEY}`],
    ['escaped', 'https://x.example/?auth=ab%2Fcd%2Bef12', 'ab/cd+ef12'],
    ['a port', `http://127.0.0.1:8545/${KEY}?x=1`],
  ] as const) {
    it(`is taken out, and put back the same: ${what}`, () => {
      const marked = url.replace(KEY, SECRET_PLACEHOLDER).replace('ab%2Fcd%2Bef12', SECRET_PLACEHOLDER);
      assert.ok(mayHoldKey(url));
      assert.deepEqual(extractKey(url), { url: marked, key });
      assert.equal(decodeURIComponent(insertSecret(marked, key)), decodeURIComponent(url));
      assert.ok(!mayHoldKey(marked));
      assert.equal(extractKey(marked), undefined);
    });
  }

  it('is none where nothing looks like one', () => {
    for (const url of [
      'https://explorer.palm.io/api/eth-rpc',
      'https://rpc.example/mainnet/archive',
      'https://rpc.example/?chain=ethereum-mainnet',
      'http://127.0.0.1:8545',
      'https://rpc.example/ext/bc/C/rpc',
      'https://rpc.example/v1/mainnet-archive-node',
      'https://rpc.example/v1?key=short',
    ]) {
      assert.equal(extractKey(url), undefined, url);
      assert.equal(mayHoldKey(url), url.includes('?'), url);
    }
  });
});

describe('mark of a secret', () => {
  it('is known however a URL writes it, and stands in path or query only', () => {
    assert.equal(findSecretPlaceholder(`https://n.example/${SECRET_PLACEHOLDER}`), 'pathOrQuery');
    assert.equal(findSecretPlaceholder('https://n.example/?a=%24%7Bkey%7D'), 'pathOrQuery');
    assert.equal(findSecretPlaceholder('https://n.example/$%7bKEY%7d/x'), 'pathOrQuery');
    assert.equal(findSecretPlaceholder(`https://${SECRET_PLACEHOLDER}.n.example/`), 'elsewhere');
    assert.equal(findSecretPlaceholder(`https://n.example/#${SECRET_PLACEHOLDER}`), 'elsewhere');
    assert.equal(
      findSecretPlaceholder(`https://${SECRET_PLACEHOLDER}.n.example/${SECRET_PLACEHOLDER}`),
      'elsewhere',
    );
    assert.equal(findSecretPlaceholder('https://n.example/key'), undefined);
  });
});

describe('place of a secret', () => {
  it('is a bearer token or a header that is free for one', () => {
    assert.equal(parseRpcAuth(' Bearer '), 'bearer');
    assert.equal(parseRpcAuth('header:X-Api-Key'), 'header:x-api-key');
    assert.equal(parseRpcAuth('header:authorization'), 'header:authorization');
    for (const none of [
      ...[
        '',
        'query',
        'header',
        'header:',
        'header:a b',
        'header:a\r\nhost: evil',
        'header:x:y',
        `header:${'x'.repeat(65)}`,
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
      assert.equal(parseRpcAuth(none), undefined, none);
    }
  });
});
