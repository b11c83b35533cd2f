import assert from 'node:assert/strict';
import { parseDotenv, parseFoundryEndpoints, resolveEndpoint } from '../../../../src/core/index.ts';

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

  const environment = new Map([
    ['HOST', 'rpc.example'],
    ['KEY', ' 0123456789abcdef '],
    ['ROOT', 'https://rpc.example'],
    ['URL', ' https://rpc.example/v2/0123456789abcdef?x=1 '],
    ['EXPLORER', 'https://explorer.example/api/eth-rpc?apikey=0123456789abcdef'],
    ['PORTAL', 'https://portal.example/datasets/ethereum-mainnet'],
    ['LOCAL', 'http://127.0.0.1:8545'],
    ['EMPTY', ''],
    ['SOCKET', '/run/node.ipc'],
  ]);
  const resolve = (template: string) => resolveEndpoint(template, (name) => environment.get(name));
  const env = (name: string) => variable(`env:${name}`);

  it('name the variables that they are made of, and hold no value in path and query', () => {
    for (const [template, url, ...variables] of [
      ['http://127.0.0.1:4', 'http://127.0.0.1:4'],
      [`https://rpc.example/v2/${variable('KEY')}`, `https://rpc.example/v2/${env('KEY')}`, 'KEY'],
      [`https://rpc.example/v2/$KEY/x`, `https://rpc.example/v2/${env('KEY')}/x`, 'KEY'],
      [
        `https://rpc.example/${variable(`${' '.repeat(300)}HOST\t`)}?k=${variable('KEY')}&k=$KEY`,
        `https://rpc.example/${env('HOST')}?k=${env('KEY')}&k=${env('KEY')}`,
        'HOST',
        'KEY',
      ],
      [variable('URL'), `https://rpc.example/${env('URL')}`, 'URL'],
      [variable('EXPLORER'), `https://explorer.example/api/eth-rpc?apikey=${env('EXPLORER')}`, 'EXPLORER'],
      [variable('PORTAL'), 'https://portal.example/datasets/ethereum-mainnet', 'PORTAL'],
      [variable('LOCAL'), 'http://127.0.0.1:8545', 'LOCAL'],
      [`${variable('ROOT')}/v3/${variable('KEY')}`, `https://rpc.example/v3/${env('KEY')}`, 'ROOT', 'KEY'],
    ] as const) {
      assert.deepEqual(resolve(template), { url, variables }, template);
    }
  });

  it('say which variables are missing, and which texts are no URL', () => {
    assert.deepEqual(resolve(`https://x.example/${variable('LOST')}/${variable('EMPTY')}/$LOST`), {
      missing: ['LOST', 'EMPTY'],
    });
    for (const template of [
      variable('SOCKET'),
      'wss://rpc.example',
      `wss://rpc.example/${variable('KEY')}`,
      '',
    ]) {
      assert.deepEqual(resolve(template), { error: 'notHttp' }, template);
    }
  });

  it('have no variable in host, port, user name, scheme or fragment, however it is written', () => {
    for (const template of [
      `https://${variable('HOST')}/v2`,
      `https://${variable('KEY')}.evil.example/`,
      `https://evil.example.${variable('HOST')}/`,
      `https://$HOST`,
      `https://evil.example:${variable('KEY')}/`,
      `https://${variable('KEY')}@evil.example/`,
      `https://x:${variable('KEY')}@evil.example/`,
      `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example.${variable(`${' '.repeat(200)}KEY`)}.evil.example/`,
      `https:${variable('HOST')}`,
      `https:/\t/${variable('HOST')}/`,
      `https://evil.example/#${variable('KEY')}`,
      `${variable('ROOT')}.evil.example/x`,
      `${variable('ROOT')}@evil.example/x`,
      `${variable('ROOT')}:1/x`,
      `${variable('LOCAL')}0/`,
      `${variable('ROOT')}${variable('KEY')}`,
    ]) {
      assert.deepEqual(resolve(template), { error: 'variableInOrigin' }, template);
    }
  });

  it('never hold the mark of a secret, which a workspace could have sent to a place of its choice', () => {
    const marks = new Map([['MARK', `https://rpc.example/${variable('key')}`]]);
    const resolve = (template: string) => resolveEndpoint(template, (name) => marks.get(name));
    for (const template of [
      ...[
        'https://rpc.example/%24%7Bkey%7D',
        'https://rpc.example/?to=%24%7BKEY%7D',
        'https://rpc.example/$%7bkey%7d',
      ],
      'https://rpc.example/%24%7Benv%3AHOME%7D',
      variable('MARK'),
    ]) {
      assert.deepEqual(resolve(template), { error: 'notHttp' });
    }
    assert.deepEqual(resolve(`https://rpc.example/${variable('key')}`), { missing: ['key'] });
  });
});

const dotenvOf = (text: string, environment: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(parseDotenv(text, (name) => environment[name]));

describe('The variables of a .env file', () => {
  it('are values as they are, in quotes, with spaces, after "export"', () => {
    const text = [
      'PLAIN=https://rpc.example/v2/abc',
      '  export SPACED = two words \t',
      `SINGLE='a # "b" $PLAIN'`,
      `DOUBLE="a # 'b'" # after`,
      'EMPTY=',
      'not a line',
      '1ST=no',
      'LAST=end',
    ];
    const values = {
      PLAIN: 'https://rpc.example/v2/abc',
      SPACED: 'two words',
      SINGLE: 'a # "b" $PLAIN',
      DOUBLE: "a # 'b'",
      EMPTY: '',
      LAST: 'end',
    };
    for (const lineEnd of ['\n', '\r\n']) assert.deepEqual(dotenvOf(text.join(lineEnd)), values);
  });

  it('end before a comment, and keep a sign in a word', () => {
    const text = '#NO=1\nA=b # c\nD=e#f\n # G=h\nI=#j';
    for (const lines of [text, text.replaceAll('\n', '\r\n')]) {
      assert.deepEqual(dotenvOf(lines), { A: 'b', D: 'e#f', I: '' });
    }
  });

  it('hold the first of two values, and those of other variables', () => {
    const text = `KEY=abc\nKEY=def\nURL=https://rpc.example/\${KEY}\nOTHER="$HOME/$KEY/$NONE"\nRAW='$KEY'`;
    const values = { KEY: 'abc', URL: 'https://rpc.example/abc', OTHER: '/abc/', RAW: '$KEY' };
    assert.deepEqual(dotenvOf(text), values);
    assert.equal(dotenvOf(text, { KEY: 'of the shell' }).URL, 'https://rpc.example/of the shell');
  });
});
