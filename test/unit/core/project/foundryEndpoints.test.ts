import assert from 'node:assert/strict';
import {
  type FetchLike,
  parseDotenv,
  parseFoundryEndpoints,
  resolveEndpoint,
  resolveProjectEndpoint,
  systemClock,
  withEndpointSecret,
} from '../../../../src/core/index.ts';
import { isFullRun } from '../../../support/fullRun.ts';

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

  it('are used as they are written, whatever a variable at the start ends with, or not at all', async () => {
    const ends = [
      '',
      '/',
      '?',
      '#',
      '\\',
      '/?',
      '/#',
      '/?a=',
      '/?a',
      '/v2',
      '/v2/',
      '/v2?',
      '/v2?k=v',
      '/v2?k=v&k',
      '/api/eth-rpc',
      '/api/eth-rpc?',
    ];
    const odd = [
      ':8080',
      ':',
      '@',
      '.',
      '\t',
      ' ',
      '\n',
      '%2f',
      '%3f',
      '%40',
      '/\t',
      '/%',
      '/../',
      '/a b',
      '//',
      '/.',
      '/?\n',
      '/v2/%24',
    ];
    const rests = [
      '',
      '@evil.example/',
      '.evil.example/',
      ':8080',
      ':1@evil.example/',
      '/x',
      '//evil.example/',
      '\\evil.example',
      '?x=',
      '#',
      '%40evil.example',
      '\t@evil.example',
      ' x',
      '/../../',
      `/${variable('SECRET')}/..`,
      variable('U'),
      '&x=',
    ];
    const starts = [
      'https://good.example',
      'http://good.example:8080',
      'https://user@good.example',
      'https:',
    ];
    const secret = variable('SECRET');
    const all = starts.flatMap((start) =>
      [...ends, ...odd].flatMap((end) =>
        rests.flatMap((rest) =>
          [rest, rest + secret, secret + rest].map((below) => ({ base: start + end, below })),
        ),
      ),
    );
    let used = 0;
    for (const { base, below } of all.filter((_, at) => isFullRun || at % 41 === 0)) {
      const values = new Map([
        ['U', base],
        ['SECRET', 'x0123456789'],
      ]);
      const template = variable('U') + below;
      const resolved = resolveEndpoint(template, (name) => values.get(name));
      if (!('url' in resolved)) continue;
      used++;
      const whole = template.replace(/\$\{(\w+)\}/g, (_, name) => (values.get(name) ?? '').trim());
      const [meant, sent] = [new URL(whole), await sentTo(resolved.url, values)];
      const [got, wanted] = [sent, meant].map(({ origin, pathname, search }) => origin + pathname + search);
      assert.equal(got, wanted, JSON.stringify([template, base, resolved.url]));
      assert.equal(new URL(resolved.url).origin, new URL(base).origin);
      assert.equal(sent.username, '');
    }
    assert.ok(used > all.length / 250, `${used}`);
  });

  /** Where a request goes with these variables. */
  async function sentTo(rpcUrl: string, values: ReadonlyMap<string, string>): Promise<URL> {
    const sent: string[] = [];
    const fetch: FetchLike = async (url) => {
      sent.push(url);
      return new Response('');
    };
    const stored = { read: async () => undefined };
    const http = withEndpointSecret(
      { fetch, clock: systemClock },
      { rpcUrl },
      () => stored,
      (name) => values.get(name),
    );
    await http.fetch(rpcUrl, {
      method: 'POST',
      headers: {},
      signal: new AbortController().signal,
      redirect: 'manual',
    });
    return new URL(sent[0] ?? '');
  }

  it('go to the origin of a variable that ends with a question mark', () => {
    const values = new Map([
      ['U', 'https://good.example/?'],
      ['SECRET', '0123456789'],
    ]);
    const resolve = (template: string) => resolveEndpoint(template, (name) => values.get(name));
    for (const [rest, url] of [
      [`@evil.example/${variable('SECRET')}`, `https://good.example/?@evil.example/${env('SECRET')}`],
      [variable('SECRET'), `https://good.example/?${env('SECRET')}`],
    ]) {
      assert.deepEqual(resolve(`${variable('U')}${rest}`), { url, variables: ['U', 'SECRET'] });
    }
  });

  it('have up to 2,048 characters with their variables, and say which are too long', () => {
    const long = new Map([
      ['HALF', 'x'.repeat(1_000)],
      ['WHOLE', 'x'.repeat(2_049)],
    ]);
    const getValue = (name: string) => long.get(name);
    const twice = `https://rpc.example/${variable('HALF')}`;
    assert.ok('url' in resolveEndpoint(twice, getValue));
    assert.deepEqual(resolveEndpoint(`${twice}/$HALF/$HALF`, getValue), { tooLong: ['HALF'] });
    assert.deepEqual(resolveEndpoint('$WHOLE', getValue), { tooLong: ['WHOLE'] });
    const endpoint = {
      alias: 'x',
      template: `https://rpc.example/${variable('LOST')}`,
      fallback: 'http://127.0.0.1:1',
    };
    const { resolved } = resolveProjectEndpoint(endpoint, getValue, (name) => name === 'LOST');
    assert.deepEqual(resolved, { tooLong: ['LOST'] });
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
  Object.fromEntries(parseDotenv(text, (name) => environment[name]).values);

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

  it('are as long as a URL at most, and those that are made of longer ones are not set', () => {
    const doubling = Array.from({ length: 60 }, (_, at) => `A${at + 1}=$A${at}$A${at}`);
    const { values, isTooLong } = parseDotenv(
      [
        'A0=0123456789',
        ...doubling,
        'AFTER=$A3',
        `LONG=${'x'.repeat(2_049)}`,
        "RAW='$A60'",
        'OF_LONG=a$LONG',
      ].join('\n'),
      () => undefined,
    );
    assert.equal(values.get('A7')?.length, 1_280);
    for (const name of ['A8', 'A60', 'LONG', 'OF_LONG']) {
      assert.equal(values.get(name), undefined, name);
      assert.ok(isTooLong(name), name);
    }
    assert.deepEqual([values.get('AFTER')?.length, values.get('RAW'), isTooLong('A7')], [80, '$A60', false]);
  });

  it('take up to 64 Ki characters from one another in all', () => {
    const lines = Array.from({ length: 2_000 }, (_, at) => `B${at}=$A`);
    const { values, isTooLong } = parseDotenv(
      [`A=${'x'.repeat(1_023)}`, ...lines].join('\n'),
      () => undefined,
    );
    assert.deepEqual(
      [values.size, values.has('B63'), isTooLong('B63'), isTooLong('B64')],
      [65, true, false, true],
    );
  });

  it('are those of the first 256 Ki characters, and say so of the others', () => {
    const { values, isTooLong } = parseDotenv(`A=1\n#${'x'.repeat(256 * 1024)}\nB=2`, () => undefined);
    assert.deepEqual([values.get('A'), values.get('B'), isTooLong('B')], ['1', undefined, true]);
  });
});
