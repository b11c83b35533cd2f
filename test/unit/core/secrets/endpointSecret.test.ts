import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { fetchFromExplorer } from '../../../../src/core/http/fetchJson.ts';
import {
  type AppError,
  asAppError,
  type Clock,
  createChainClient,
  type FetchLike,
  type HttpExchange,
  parseLogFilter,
  type RpcAuth,
  SECRET_PLACEHOLDER,
  type StoredSecret,
  systemClock,
  withEndpointSecret,
} from '../../../../src/core/index.ts';
import { explorerApiUrl, toVariablePlaceholder } from '../../../../src/core/networks/network.ts';
import { createRpcClient } from '../../../../src/core/rpc/rpcClient.ts';
import { createTestClock } from '../../../support/clocks.ts';

const SECRET = 'sk/Live?0123456789abcdef%&+=';
const ESCAPED = encodeURIComponent(SECRET);
const MARKED = `https://node.example/v3/${SECRET_PLACEHOLDER}`;

const BARE = 'https://node.example/rpc';

const HASH = `0x${'1'.repeat(64)}`;
const TEXT = { 'content-type': 'text/plain' };

type Sent = { readonly url: string; readonly headers: Record<string, string> };
type Answer = (sent: Sent) => Response | Promise<Response>;

const resulting = (result: unknown) => Response.json({ jsonrpc: '2.0', id: 1, result });
const failing = (error: object) => Response.json({ jsonrpc: '2.0', id: 1, error });

function start(
  rpcUrl: string,
  {
    rpcAuth,
    secret = SECRET,
    hasSecret = true,
    answer = () => resulting('0x7'),
    until,
    clock = systemClock,
    variables = {},
  }: {
    readonly clock?: Clock;
    readonly variables?: Readonly<Record<string, string>>;
    readonly rpcAuth?: RpcAuth;
    readonly secret?: string;
    readonly hasSecret?: boolean;
    readonly answer?: Answer;
    readonly until?: AbortSignal;
  } = {},
) {
  const sent: Sent[] = [];
  const exchanges: HttpExchange[] = [];
  const fetch: FetchLike = async (url, { headers }) => {
    sent.push({ url, headers });
    return answer({ url, headers });
  };
  const kept: StoredSecret = { read: async () => (hasSecret ? secret : undefined), until };
  const plain = { fetch, clock, onExchange: (one: HttpExchange) => exchanges.push(one) };
  const http = withEndpointSecret(
    plain,
    { rpcUrl, rpcAuth },
    () => kept,
    (name) => variables[name],
  );
  const rpc = createRpcClient({ ...http, url: rpcUrl });
  return { http, sent, exchanges, rpc, ask: () => rpc.call('eth_blockNumber', [], { retries: 0 }) };
}

async function failureOf(work: Promise<unknown>): Promise<AppError> {
  try {
    await work;
  } catch (error) {
    return asAppError(error);
  }
  throw new Error('It did not fail.');
}

/** Nowhere in what there is of an error, its causes and what hangs on them, however deep. */
function assertTellsNothing(value: unknown): void {
  const text = inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
  for (const form of [SECRET, ESCAPED, SECRET.slice(0, 15), btoa(SECRET).slice(4, 24)]) {
    assert.ok(!text.includes(form), `${form} stands in ${text.slice(0, 2000)}`);
  }
}

describe('secret of an endpoint', () => {
  it('goes where the network says: in the URL escaped, as a bearer token, in a header', async () => {
    for (const [rpcUrl, rpcAuth, url, headers] of [
      [MARKED, undefined, `https://node.example/v3/${ESCAPED}`, [undefined, undefined]],
      [
        `https://node.example/rpc?chain=1&dkey=${SECRET_PLACEHOLDER}`,
        undefined,
        `https://node.example/rpc?chain=1&dkey=${ESCAPED}`,
        [undefined, undefined],
      ],
      [BARE, 'bearer', BARE, [`Bearer ${SECRET}`, undefined]],
      [BARE, 'header:x-api-key', BARE, [undefined, SECRET]],
    ] as const) {
      const { ask, sent } = start(rpcUrl, { ...(rpcAuth && { rpcAuth }) });
      await ask();
      const { authorization, 'x-api-key': key } = sent[0]?.headers ?? {};
      assert.deepEqual([sent.length, sent[0]?.url, authorization, key], [1, url, ...headers]);
    }
  });

  it('does not lead to another place of the server, whatever it is made of', async () => {
    for (const secret of ['../../admin', '?a=b#c', '%2e%2e%2fadmin', '..\\..\\x', '@evil.example/']) {
      const { ask, sent } = start(MARKED, { secret });
      await ask();
      const url = new URL(sent[0]?.url ?? '');
      assert.equal(url.origin, 'https://node.example');
      assert.equal(url.pathname, `/v3/${encodeURIComponent(secret)}`);
    }
    for (const secret of ['.', '..', 'two words', 'line\nbreak', 'ключ', 'x'.repeat(513), ' ']) {
      const { ask, sent } = start(MARKED, { secret });
      const { kind, message } = await failureOf(ask());
      assert.equal(kind, 'badInput');
      assert.ok(secret.length < 3 || !message.includes(secret));
      assert.equal(sent.length, 0);
    }
  });

  it('goes along to REST beside the JSON-RPC, where the query stays', async () => {
    const rpcUrl = `https://explorer.example/api/eth-rpc?apikey=${SECRET_PLACEHOLDER}`;
    const { http, sent } = start(rpcUrl, { answer: () => Response.json({}) });
    const url = explorerApiUrl(rpcUrl, '/api', { module: 'block', action: 'eth_block_number' });
    assert.ok(url);
    await fetchFromExplorer(http, url, { maxBytes: 1000 });
    assert.equal(new URL(sent[0]?.url ?? '').searchParams.get('apikey'), SECRET);
    assert.equal(new URL(sent[0]?.url ?? '').searchParams.get('module'), 'block');
  });

  it('goes to the very origin only: another scheme, host or port gets none', async () => {
    for (const [rpcAuth, rpcUrl] of [
      ['bearer', BARE],
      ['header:x-api-key', BARE],
      [undefined, MARKED],
    ] as const) {
      for (const elsewhere of [
        'http://node.example/rpc',
        'https://node.example:8443/rpc',
        'https://evil.example/rpc',
        'https://node.example.evil.example/rpc',
        `https://evil.example/v3/${SECRET_PLACEHOLDER}`,
        'https://evil.example/?to=https://node.example/',
      ]) {
        const { http, sent } = start(rpcUrl, { ...(rpcAuth && { rpcAuth }) });
        await createRpcClient({ ...http, url: elsewhere }).call('eth_blockNumber', []);
        assertTellsNothing(sent);
        assert.equal(sent.length, 1);
      }
    }
  });

  it('is sent by nobody who lacks it: the request is not made, and nothing is logged', async () => {
    const { ask, sent, exchanges } = start(MARKED, { hasSecret: false });
    const error = await failureOf(ask());
    assert.equal(error.kind, 'needsKey');
    assert.match(error.message, /^https:\/\/node\.example requires a key/);
    assert.deepEqual([sent, exchanges], [[], []]);
  });

  it('that cannot be read is missing, with the reason as its cause, and is read again', async () => {
    let reads = 0;
    const kept = {
      read: async () => {
        if (++reads === 1) throw new Error('The keyring is locked.');
        return SECRET;
      },
    };
    const fetch: FetchLike = async () => Response.json({ jsonrpc: '2.0', id: reads, result: '0x7' });
    const http = withEndpointSecret({ fetch, clock: systemClock }, { rpcUrl: MARKED }, () => kept);
    const rpc = createRpcClient({ ...http, url: MARKED });
    const error = await failureOf(rpc.call('eth_blockNumber', []));
    assert.equal(error.kind, 'needsKey');
    assert.match(String(error.cause), /locked/);
    assert.equal(await rpc.call('eth_blockNumber', []), '0x7');
  });

  it('stands in no error of a server that repeats what it was sent', async () => {
    const echoes: readonly ((sent: Sent) => Response)[] = [
      ({ url }) => Response.json({ error: { message: `no project at ${url}` } }, { status: 401 }),
      ({ url }) => Response.json(`Bad request ${decodeURIComponent(url)}`, { status: 400 }),
      ({ url }) => failing({ code: -32001, message: url, data: { url } }),
      ({ url }) => failing({ code: -32001, message: btoa(SECRET), data: [url] }),
      ({ url }) => new Response(`<html>${url}</html>`, { status: 502 }),
      ({ url }) => new Response(`{"jsonrpc" ${url}`),
      ({ url }) => failing({ code: 1, message: 'x'.repeat(90_000), data: url }),
      ({ headers }) => Response.json({ message: JSON.stringify(headers) }, { status: 403 }),
    ];
    for (const rpcAuth of [undefined, 'bearer', 'header:x-api-key'] as const) {
      const rpcUrl = rpcAuth ? BARE : MARKED;
      for (const answer of echoes) {
        const { ask, exchanges } = start(rpcUrl, { answer, ...(rpcAuth && { rpcAuth }) });
        assertTellsNothing(await failureOf(ask()));
        assertTellsNothing(exchanges);
      }
    }
  });

  it('stands in no response that repeats it, nor in its data', async () => {
    const data = `0x${Buffer.from(SECRET).toString('hex')}`;
    for (const [repeat, expected] of [
      [({ url }) => `geth at ${url}`, 'geth at https://node.example/v3/(key)'],
      [({ url }) => decodeURIComponent(url), 'https://node.example/v3/(key)'],
      [({ url }) => encodeURIComponent(url), 'https%3A%2F%2Fnode.example%2Fv3%2F(key)'],
      [() => data, `0x${'2a'.repeat(SECRET.length)}`],
      [() => '0x736b', '0x736b'],
      [() => 'geth 1.16', 'geth 1.16'],
    ] satisfies readonly (readonly [(sent: Sent) => string, string])[]) {
      const answer: Answer = (sent) => resulting(repeat(sent));
      assert.equal(await start(MARKED, { answer }).ask(), expected);
    }
  });

  it('leaves words of a URL in data, where a name of a contract may have them', async () => {
    const key = '0123456789abcdef';
    const hexOf = (text: string) => Buffer.from(text).toString('hex');
    const { ask } = start(`https://node.example/${toVariablePlaceholder('PROJECT')}`, {
      variables: { PROJECT: `optimism/${key}` },
      answer: () => resulting(`0x${hexOf('Optimism')}${hexOf(key)}`),
    });
    assert.equal(await ask(), `0x${hexOf('Optimism')}${'2a'.repeat(key.length)}`);
  });

  it('stands in no refusal of a call in a batch, and in none of an explorer', async () => {
    const { rpc } = start(MARKED, {
      answer: ({ url }) =>
        Response.json([{ jsonrpc: '2.0', id: 1, error: { code: -32000, message: `at ${url}` } }]),
    });
    const outcomes = await rpc.callBatch([{ method: 'eth_call', params: [] }]);
    assert.match(inspect(outcomes), /at https:\/\/node\.example\/v3\/\(key\)/);
    assertTellsNothing(outcomes);

    const rpcUrl = `https://explorer.example/api/eth-rpc?apikey=${SECRET_PLACEHOLDER}`;
    const explorer = start(rpcUrl, { answer: ({ url }) => new Response(`nothing at ${url}`) });
    const url = explorerApiUrl(rpcUrl, '/api/v2/stats');
    assert.ok(url);
    assertTellsNothing(await failureOf(fetchFromExplorer(explorer.http, url, { maxBytes: 1000 })));
  });

  it('stands in no error of a portal that repeats what it was sent', async () => {
    const rpcUrl = `https://portal.example/datasets/one?key=${SECRET_PLACEHOLDER}`;
    const filter = parseLogFilter({ fromBlock: 0, toBlock: 1 });
    for (const answer of [
      ({ url }) => Response.json({ error: { message: `no key ${url}` } }, { status: 403 }),
      ({ url }) => new Response(`the query ${url} is none`, { status: 400, headers: TEXT }),
      ({ url }) => new Response(`{"header" ${url}`),
    ] satisfies readonly Answer[]) {
      const askAll: Answer = (sent) =>
        sent.url.includes('/head') ? Response.json({ number: 16, hash: HASH }) : answer(sent);
      for (const onlyRows of [false, true]) {
        const { http, exchanges } = start(rpcUrl, {
          ...{ answer: onlyRows ? askAll : answer, clock: createTestClock() },
        });
        const client = createChainClient({ ...http, url: rpcUrl });
        const work = onlyRows
          ? client.openLogQuery(filter).nextPage()
          : client.getBlockNumber({ retries: 0 });
        assertTellsNothing(await failureOf(work));
        assertTellsNothing(exchanges);
      }
    }
  });

  it('stands in no cause of a library that quotes the address, nor in a redirect', async () => {
    const quoting = ({ url }: Sent) => {
      throw Object.assign(new TypeError(`fetch failed for ${url}`), {
        cause: Object.assign(new Error(`connect ECONNREFUSED ${url}`), { code: 'ECONNREFUSED', input: url }),
      });
    };
    const error = await failureOf(start(MARKED, { answer: quoting }).ask());
    assert.equal(error.kind, 'network');
    assertTellsNothing(error);

    const targets = [
      `https://evil.example/${ESCAPED}`,
      `https://${SECRET.replace(/\W/g, '')}.evil.example/`,
      `/x/${ESCAPED}`,
    ];
    for (const location of targets) {
      const { ask, sent } = start(MARKED, {
        secret: location.includes(ESCAPED) ? SECRET : SECRET.replace(/\W/g, ''),
        answer: () => new Response(null, { status: 307, headers: { location } }),
      });
      const refused = await failureOf(ask());
      assert.equal(refused.kind, 'redirected');
      assert.equal(sent.length, 1, 'nothing follows the redirect');
      assertTellsNothing(refused);
      assert.ok(!refused.message.toLowerCase().includes(SECRET.replace(/\W/g, '').toLowerCase()));
    }
  });

  it('that is replaced cancels what is on its way, and the next request goes with the new one', async () => {
    const sent: string[] = [];
    let hang = true;
    const fetch: FetchLike = (url, { signal }) => {
      sent.push(url);
      if (!hang) return Promise.resolve(Response.json({ jsonrpc: '2.0', id: 2, result: '0x8' }));
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const replaced = new AbortController();
    let kept: StoredSecret = { read: async () => 'first-secret', until: replaced.signal };
    const http = withEndpointSecret({ fetch, clock: systemClock }, { rpcUrl: MARKED }, () => kept);
    const rpc = createRpcClient({ ...http, url: MARKED });
    const waiting = failureOf(rpc.call('eth_blockNumber', []));
    while (sent.length === 0) await new Promise(setImmediate);
    hang = false;
    kept = { read: async () => 'second-secret' };
    replaced.abort();
    assert.equal((await waiting).kind, 'aborted');
    assert.equal(await rpc.call('eth_blockNumber', []), '0x8');
    assert.deepEqual(
      sent.map((url) => url.split('/').at(-1)),
      ['first-secret', 'second-secret'],
    );
  });

  it('that is replaced before it is read is not sent', async () => {
    const replaced = new AbortController();
    const { ask, sent } = start(MARKED, { until: replaced.signal });
    const asked = failureOf(ask());
    replaced.abort();
    assert.equal((await asked).kind, 'aborted');
    assert.equal(sent.length, 0);
  });

  it('is no part of an endpoint that takes none: nothing is read and nothing added', async () => {
    const fetch: FetchLike = async () => Response.json({});
    const plain = { fetch, clock: systemClock };
    const never = () => assert.fail('A secret is read.');
    assert.equal(withEndpointSecret(plain, { rpcUrl: 'https://node.example/rpc' }, never), plain);
  });
});

describe('a variable of the environment in a URL', () => {
  const variables = {
    NODE_KEY: SECRET,
    NODE_URL: `https://node.example/v2/${SECRET.slice(8, 24)}`,
    PATH_PART: 'v2/abc?x=1',
    TO: '@evil.example/x',
  };
  const marked = (name: string) => `https://node.example/\${env:${name}}`;

  it('is sent as a part of the URL, and as what a whole URL has there', async () => {
    for (const [name, url] of [
      ['PATH_PART', 'https://node.example/v2/abc?x=1'],
      ['NODE_URL', variables.NODE_URL],
    ] as const) {
      const { ask, sent } = start(marked(name), { variables });
      await ask();
      assert.deepEqual(
        sent.map((one) => one.url),
        [url],
      );
    }
  });

  it('goes to no other origin, and nowhere when it is not set', async () => {
    const away = start(marked('TO'), { variables });
    await away.ask();
    assert.equal(new URL(away.sent[0]?.url ?? '').origin, 'https://node.example');
    const unset = start(marked('LOST'), { variables });
    assert.equal((await failureOf(unset.ask())).kind, 'needsKey');
    assert.deepEqual(unset.sent, []);
  });

  it('stands in no error and no response, whole or in part', async () => {
    for (const name of ['NODE_KEY', 'NODE_URL']) {
      for (const answer of [
        ({ url }) => new Response(`nothing at ${new URL(url).pathname}`, { status: 404 }),
        ({ url }) => failing({ code: 1, message: decodeURIComponent(url) }),
        ({ url }) => failing({ code: 1, message: url.split('/').at(-1) }),
      ] satisfies readonly Answer[]) {
        const error = await failureOf(start(marked(name), { answer, variables }).ask());
        const text = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true });
        for (const part of [SECRET, ESCAPED, SECRET.slice(8, 24)]) assert.ok(!text.includes(part), text);
      }
      const echo: Answer = ({ url }) => resulting(`at ${url}`);
      const result = await start(marked(name), { answer: echo, variables }).rpc.call(
        'web3_clientVersion',
        [],
      );
      assert.match(String(result), /^at https:\/\/node\.example\/(?:\(key\)|v2\/\(key\))+$/);
    }
  });
});
