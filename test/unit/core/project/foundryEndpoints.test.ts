import assert from 'node:assert/strict';
import { parseFoundryEndpoints, resolveEndpoint } from '../../../../src/core/index.ts';

const variable = (name: string) => `\${${name}}`;

describe('Endpoints of a foundry.toml', () => {
  it('are read as texts and as tables, and what is neither is left out', () => {
    const text = [
      '[profile.default]\nsrc = "src"',
      '[rpc_endpoints]',
      `sepolia = "https://rpc.example/${variable('KEY')}"`,
      'local = { endpoint = "http://127.0.0.1:8545", retries = 3 }',
      'older = { url = "http://127.0.0.1:8546" }',
      'number = 5\nlist = ["http://127.0.0.1"]',
      '"a name with spaces" = "http://127.0.0.1"',
    ].join('\n');
    assert.deepEqual(parseFoundryEndpoints(text), [
      { alias: 'sepolia', template: `https://rpc.example/${variable('KEY')}` },
      { alias: 'local', template: 'http://127.0.0.1:8545' },
      { alias: 'older', template: 'http://127.0.0.1:8546' },
    ]);
    assert.deepEqual(parseFoundryEndpoints('rpc_endpoints = "all"'), []);
    assert.throws(() => parseFoundryEndpoints('[rpc_endpoints'), { kind: 'badInput' });
  });

  it('are whole with the variables of the environment, and say which are missing', () => {
    const environment = new Map([
      ['HOST', 'rpc.example'],
      ['URL', ' https://rpc.example/v2/x '],
      ['EMPTY', ''],
      ['SOCKET', '/run/node.ipc'],
    ]);
    const resolve = (template: string) => resolveEndpoint(template, (name) => environment.get(name));
    assert.deepEqual(resolve(`https://${variable('HOST')}/${variable(' HOST ')}`), {
      url: 'https://rpc.example/rpc.example',
    });
    assert.deepEqual(resolve(variable('URL')), { url: 'https://rpc.example/v2/x' });
    assert.deepEqual(resolve(`https://${variable('LOST')}/${variable('EMPTY')}/${variable('LOST')}`), {
      missing: ['LOST', 'EMPTY'],
    });
    assert.deepEqual(resolve(variable('SOCKET')), { error: 'notHttp' });
    assert.deepEqual(resolve('wss://rpc.example'), { error: 'notHttp' });
  });

  it('never hold the mark of a secret, which a workspace could have sent to a place of its choice', () => {
    const environment = new Map([['MARK', variable('key')]]);
    const resolve = (template: string) => resolveEndpoint(template, (name) => environment.get(name));
    for (const template of [
      ...[
        'https://rpc.example/%24%7Bkey%7D',
        'https://rpc.example/?to=%24%7BKEY%7D',
        'https://rpc.example/$%7bkey%7d',
      ],
      `https://rpc.example/${variable('MARK')}`,
    ]) {
      assert.deepEqual(resolve(template), { error: 'notHttp' });
    }
    assert.deepEqual(resolve(`https://rpc.example/${variable('key')}`), { missing: ['key'] });
  });
});
