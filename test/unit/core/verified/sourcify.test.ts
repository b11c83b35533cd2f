import assert from 'node:assert/strict';
import {
  type AppError,
  type Provider,
  thirdPartyProviders,
  type VerifiedProvider,
} from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { type ScriptedAnswer, scriptedFetch } from '../../../support/fakeFetch.ts';
import { pick } from '../../../support/pick.ts';

const kind = thirdPartyProviders.find(({ name }) => name === 'sourcify') as Provider;
const address = `0x${'ab'.repeat(20)}` as const;
const logic = `0x${'cd'.repeat(20)}` as const;
const minimal = {
  match: 'exact_match',
  chainId: '11297108109',
  address: `0x${'AB'.repeat(20)}`,
  matchId: '7',
};
const unverified = { ...minimal, match: null, creationMatch: null, runtimeMatch: null, matchId: undefined };
const paid = { type: 'event', name: 'Paid', inputs: [{ name: 'by', type: 'address', indexed: true }] };

async function opened(answer: (path: string, url: URL) => ScriptedAnswer, url = 'https://s.example/server') {
  const { fetch, asked } = scriptedFetch(answer);
  const clock = createTestClock();
  const revoked = new AbortController();
  const ports = await kind.open({
    ...{ fetch, clock, url, chainId: 11_297_108_109, key: undefined, revoked: revoked.signal },
    throttle: kind.createThrottle({ clock }),
  });
  return { source: ports.verified as VerifiedProvider, asked, clock, revoked };
}

const refused = (status: number, customCode: string, headers = {}) =>
  Response.json({ customCode, message: 'words', errorId: 'x' }, { status, headers });

const failure = async (answer: () => ScriptedAnswer): Promise<AppError> => {
  const { source } = await opened(answer);
  return source.verifiedContract(address).then(
    () => assert.fail(),
    (error: AppError) => error,
  );
};

describe('Sourcify', () => {
  it('tells all that a decoder needs in one request', async () => {
    const { source, asked } = await opened(() => ({
      ...minimal,
      abi: [paid, { type: 'nonsense' }],
      compilation: { name: 'Shop\u202e', fullyQualifiedName: 'src/Shop.sol:Shop' },
      deployment: { blockNumber: '21721660', transactionHash: `0x${'1'.repeat(64)}` },
      proxyResolution: {
        ...{ isProxy: true, proxyType: 'EIP1967Proxy' },
        implementations: [{ address: logic, name: 'Logic' }, { address }, { address: logic }, 5],
      },
    }));
    const { readAt, source: label, ...contract } = (await source.verifiedContract(address)) ?? assert.fail();
    assert.deepEqual(contract, {
      ...{
        address,
        name: 'Shop<U+202E>',
        abi: ['event Paid(address indexed by)'],
        match: 'exact',
        matchId: '7',
      },
      created: { block: 21_721_660n, transaction: `0x${'1'.repeat(64)}` },
      proxy: { type: 'EIP1967Proxy', implementations: [{ address: logic, name: 'Logic' }] },
    });
    assert.equal(typeof readAt, 'number');
    assert.deepEqual(label, { name: 'sourcify', origin: 'https://s.example', takesKey: false });
    const { pathname, searchParams } = new URL(asked[0] ?? '', 'https://s.example');
    assert.equal(pathname, `/server/v2/contract/11297108109/${address}`);
    assert.deepEqual(searchParams.get('fields')?.split(','), [
      ...['abi', 'compilation.name', 'proxyResolution'],
      ...['deployment.blockNumber', 'deployment.transactionHash'],
    ]);
  });

  it('leaves out what the server does not tell or cannot find out', async () => {
    const bare = await opened(() => ({
      ...{ ...minimal, match: 'match', abi: [], compilation: null },
      deployment: { blockNumber: null, transactionHash: null },
      proxyResolution: { proxyResolutionError: { customCode: 'proxy_resolution_error' } },
    }));
    const { readAt: _, source: __, ...contract } = (await bare.source.verifiedContract(address)) ?? {};
    assert.deepEqual(contract, { address, name: undefined, abi: [], match: 'partial', matchId: '7' });
    assert.equal(await bare.source.proxyAt(address), undefined);
  });

  it('takes a miss for an answer, and asks about one address once', async () => {
    const { source, asked } = await opened(() => Response.json(unverified, { status: 404 }));
    const answers = [
      source.verifiedContract(address),
      source.verifiedContract(address),
      source.proxyAt(address),
    ];
    assert.deepEqual(await Promise.all(answers), [undefined, undefined, undefined]);
    assert.equal(asked.length, 1);
  });

  it('tells refusals apart', async () => {
    const kinds = await Promise.all(
      [
        () => refused(400, 'unsupported_chain'),
        () => refused(404, 'route_not_found'),
        () => refused(400, 'invalid_parameter'),
        () => refused(500, 'internal_error'),
        () => refused(429, 'too_many_requests', { 'retry-after': '30' }),
        () => new Response('<html>', { status: 502 }),
        () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
        () => new Response(null, { status: 302, headers: { location: 'https://evil.example/x' } }),
        () => new Response('not found', { status: 404 }),
        () => 'text',
        () => ({ ...minimal, address: logic }),
        () => ({ ...minimal, chainId: '1' }),
      ].map(async (answer) => (await failure(answer)).kind),
    );
    assert.deepEqual(kinds, [
      ...['notServed', 'notServed', 'badResponse', 'server', 'rateLimited', 'server', 'badResponse'],
      ...['redirected', 'notFound', 'badResponse', 'badResponse', 'badResponse'],
    ]);
  });

  it('says whose a failure is, and where it was asked', async () => {
    const error = await failure(() => refused(400, 'unsupported_chain'));
    assert.equal(error.details.provider?.origin, 'https://s.example');
    assert.equal(error.details.serverMessage, 'words');
  });

  it('is asked twice a second at most', async () => {
    const { source, clock } = await opened(() => Response.json(unverified, { status: 404 }));
    for (let n = 1; n <= 4; n++) {
      const other = `0x${String(n).padStart(40, '0')}` as const;
      assert.deepEqual(
        await source.verifiedContract(other).catch((error: AppError) => error.kind),
        'badResponse',
      );
    }
    assert.deepEqual(clock.waits, [1000]);
  });

  it('tells chains, but for those whose id no number holds', async () => {
    const on = (chainId: string, more = {}) => ({ ...minimal, chainId, ...more });
    const results = [on('1'), on('10'), on('1'), on('9007199254740993'), on('5', { match: null }), 7];
    const { source, asked } = await opened(() => ({ results }));
    assert.deepEqual((await source.verifiedOn(address)).chainIds, [1, 10]);
    assert.equal(asked[0], `/server/v2/contract/all-chains/${address}`);
    const nowhere = await opened(() => Response.json({ results: [] }, { status: 404 }));
    assert.deepEqual((await nowhere.source.verifiedOn(address)).chainIds, []);
  });

  it('gives sources with paths that lead nowhere else, within bounds', async () => {
    const { source } = await opened(() => ({
      ...minimal,
      sources: {
        '../../etc/passwd': { content: 'a' },
        'C:\\x\\y.sol': { content: 'b' },
        'src/\u0007.sol': { content: 'c' },
        'src/none.sol': { content: 5 },
        'etc/passwd': { content: 'second of its path' },
        'big.sol': { content: 'x'.repeat(8 * 1024 * 1024) },
      },
    }));
    const { files, left } = (await source.verifiedSources(address)) ?? assert.fail();
    assert.deepEqual(pick(files, 'path', 'text'), [
      ['etc/passwd', 'a'],
      ['C:/x/y.sol', 'b'],
      ['src/<U+0007>.sol', 'c'],
    ]);
    assert.equal(left, 2);
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`${n}.sol`, { content: '' }]));
    const large = await opened(() => ({ ...minimal, sources: many }));
    assert.deepEqual((await large.source.verifiedSources(address))?.left, 100);
  });

  it('sends nothing once it is not allowed any more', async () => {
    const { source, asked, revoked } = await opened(() => minimal);
    revoked.abort();
    await assert.rejects(source.verifiedContract(address), { kind: 'aborted' });
    assert.deepEqual(asked, []);
  });

  it('refuses an address of no use', async () => {
    await assert.rejects(
      opened(() => minimal, 'ftp://s.example'),
      { kind: 'badInput' },
    );
  });
});
