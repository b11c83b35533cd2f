import assert from 'node:assert/strict';
import { isLoopbackUrl, mayHoldKey, parseEndpointUrl } from '../../../../src/core/index.ts';

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
    for (const url of ['http://localhost', 'http://a.localhost:1', 'http://127.1.2.3', 'http://[::1]:8545']) {
      assert.ok(isLoopbackUrl(url), url);
    }
    for (const url of [
      'https://localhost.example',
      'https://example/127.0.0.1',
      'http://128.0.0.1',
      'no url',
    ]) {
      assert.ok(!isLoopbackUrl(url), url);
    }
  });

  it('seems to hold a key where a part of it looks like one', () => {
    const key = 'Zx81nBq0Lr5tYw93KdPmVa72';
    for (const rest of [`/v2/${key}`, `/?apikey=${key}`, `/${key}/`]) {
      assert.ok(mayHoldKey(`https://rpc.example${rest}`), rest);
    }
    for (const rest of ['', '/', '/api/eth-rpc', '/ext/bc/C/rpc', '/v1/mainnet-archive-node']) {
      assert.ok(!mayHoldKey(`https://rpc.example${rest}`), rest);
    }
  });
});
