import assert from 'node:assert/strict';
import { AppError, type Network } from '../../../src/core/index.ts';
import { describeError, toSentence } from '../../../src/host/errors.ts';

const network = {
  ...{ id: 'far', name: 'Far', chainId: 5, symbol: 'ETH', decimals: 18 },
  rpcUrl: 'https://chain.example.test/key/in/path',
};
const words = (error: AppError) => describeError(error, { service: 'endpoint', network });

describe('words for an answer that is of no use', () => {
  const shown: readonly (readonly [AppError, string, string?])[] = [
    [new AppError('badResponse', 'no'), 'the response is not JSON-RPC', 'Check the path of the URL'],
    [new AppError('notFound', 'no'), 'not found (HTTP 404)', 'Check the path of the URL'],
    [new AppError('redirected', 'no'), 'redirects to another URL', 'Set that URL instead'],
    [new AppError('badLogs', 'no'), 'the result of eth_getLogs is not a list of logs'],
    [
      new AppError('badLogs', 'no', { field: 'topics' }),
      'an entry in the result of eth_getLogs is not a valid log (topics)',
    ],
  ];
  for (const [error, reason, hint] of shown) {
    it(`say of ${error.kind} ${error.details.field ?? ''} what is wrong in it, and lead to the endpoint`, () => {
      const described = words(error);
      const message = `https://chain.example.test: ${reason}`;
      assert.equal(described.message, hint === undefined ? message : `${message}. ${hint}.`);
      assert.deepEqual([described.reason, described.hint], [reason, hint]);
      assert.match(toSentence(described.message), /[^.]\.$/);
      assert.deepEqual(
        described.remedies.map(({ title, arguments: [setting] = [] }) => [title, setting]),
        [
          ['Open Settings', 'chainside.networks'],
          ['Show Output', undefined],
        ],
      );
    });
  }
});

describe('words for an endpoint of a config file', () => {
  it('lead to no setting, which does not have its URL', () => {
    const context = { service: 'endpoint', network: { ...network, id: 'foundry:far' } } as const;
    const { remedies } = describeError(new AppError('notFound', 'no'), context);
    assert.equal(remedies[0]?.title, 'Select Another Network…');
  });
});

describe('words for an error of Chainside itself', () => {
  it('blame no server, and lead to a report', () => {
    const described = describeError(new TypeError('x is undefined'), { service: 'endpoint', network });
    assert.equal(described.message, 'Something went wrong in Chainside.');
    assert.deepEqual(
      described.remedies.map(({ title }) => title),
      ['Report Issue…', 'Show Output'],
    );
  });
});

describe('words for a server that is not reached', () => {
  const failed = (code: string, rpcUrl: string) =>
    describeError(new AppError('network', 'no', { networkError: { at: 'connection', code } }), {
      ...{ service: 'endpoint', network: { ...network, rpcUrl } },
    });
  const told: readonly (readonly [string, string, string])[] = [
    ['ECONNREFUSED', 'http://127.0.0.1:8545', 'No node at 127.0.0.1:8545. Start anvil or hardhat node.'],
    ['ECONNRESET', 'http://localhost:8545', 'No node at localhost:8545. Start anvil or hardhat node.'],
    [
      'ENOTFOUND',
      'https://rpc.example.org/KEY',
      'Cannot reach rpc.example.org: DNS lookup failed. Check the URL and your connection.',
    ],
    [
      'EAI_AGAIN',
      'https://rpc.example.org',
      'Cannot reach rpc.example.org: DNS lookup failed. Check the URL and your connection.',
    ],
    [
      'ECONNREFUSED',
      'https://rpc.example.org:81',
      'Cannot reach rpc.example.org:81: connection refused. Check the port.',
    ],
    [
      'ETIMEDOUT',
      'https://rpc.example.org',
      'Cannot reach rpc.example.org: connection timed out. Check your connection.',
    ],
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'https://rpc.example.org',
      'Cannot reach rpc.example.org over https. Check the URL.',
    ],
    ['no connection', 'https://rpc.example.org', 'Cannot reach rpc.example.org. Check your connection.'],
  ];
  for (const [code, url, message] of told) {
    it(`say what to do, and no code: ${code} at ${url}`, () => {
      const described = failed(code, url);
      assert.equal(described.message, message);
      assert.equal(described.remedies[0]?.title, 'Select Another Network…');
      assert.doesNotMatch(`${described.message} ${described.reason} ${described.advice}`, /E[A-Z]{4}|KEY/);
    });
  }

  it('lead to the choice while no network is chosen', () => {
    const { message, remedies } = words(new AppError('notChosen', 'no'));
    assert.deepEqual(
      [message, remedies.map(({ title }) => title)],
      ['No network is chosen', ['Select Network…']],
    );
  });
});

describe('words for a server that a browser does not reach', () => {
  const failed = (at: 'crossOrigin' | 'localNotChosen' | 'pagePolicy', facts: Partial<Network>) =>
    describeError(new AppError('network', 'no', { networkError: { at } }), {
      ...{ service: 'endpoint', network: { ...network, ...facts } },
    });
  const titles = ({ remedies }: ReturnType<typeof describeError>) => remedies.map(({ title }) => title);

  it('name both causes, and offer other public endpoints of the chain first', () => {
    const described = failed('crossOrigin', { rpcUrl: 'https://rpc.example.org/KEY', chainId: 100 });
    assert.equal(
      described.message,
      'No response from rpc.example.org, or it does not allow web pages (CORS). Use another endpoint, or VS Code on the desktop.',
    );
    assert.deepEqual(titles(described), ['Try Public Endpoints…', 'Select Another Network…', 'Show Output']);
    assert.deepEqual(described.remedies[0]?.arguments, [{ publicOf: 100 }]);
    assert.equal(described.advice, undefined);
    const ofUnknownChain = failed('crossOrigin', { rpcUrl: 'https://rpc.example.org' });
    assert.deepEqual(titles(ofUnknownChain), ['Select Another Network…', 'Show Output']);
  });

  it('explain a key in a header, which the server must allow too', () => {
    const described = failed('crossOrigin', { rpcUrl: 'https://rpc.example.org', rpcAuth: 'bearer' });
    assert.match(described.advice ?? '', /^The key is sent in a header/);
  });

  it('say what a node on this machine needs', () => {
    const local = failed('crossOrigin', { rpcUrl: 'http://localhost:8545' });
    assert.equal(
      local.message,
      'No node at localhost:8545, or it does not allow web pages (CORS). Start anvil or hardhat node.',
    );
    assert.match(local.advice ?? '', /--http\.corsdomain/);
    const waiting = failed('localNotChosen', { rpcUrl: 'http://localhost:8545' });
    assert.match(waiting.message, /^Not connected to localhost:8545 on this machine\. Refresh to connect\./);
    assert.deepEqual(
      waiting.remedies.map(({ title, command }) => [title, command]),
      [['Connect', 'chainside.refresh']],
    );
  });

  it('say which URLs can never work, and what to write instead', () => {
    const ipv6 = failed('pagePolicy', { rpcUrl: 'http://[::1]:8545' });
    assert.equal(
      ipv6.message,
      'In a browser, http works only with localhost and 127.0.0.1, not with [::1]:8545. Enter 127.0.0.1 instead.',
    );
    assert.deepEqual(titles(ipv6), ['Edit Network…', 'Select Another Network…', 'Show Output']);
    assert.deepEqual(ipv6.remedies[0]?.arguments, [network.id]);
    const lan = failed('pagePolicy', { rpcUrl: 'http://192.168.1.7:8545' });
    assert.match(
      lan.message,
      /not with 192\.168\.1\.7:8545\. Use an https URL, or VS Code on the desktop\.$/,
    );
  });
});

describe('words for a refusal of a source', () => {
  const label = { name: 'elsewhere', origin: 'https://facts.example.test' };
  const refused = (takesKey: boolean) =>
    describeError(new AppError('forbidden', 'no', { status: 403, provider: { ...label, takesKey } }), {
      ...{ service: 'source', network },
    });

  it('name the server that was asked, and speak of a key where it takes one', () => {
    assert.equal(refused(true).message, `${label.origin}: the key has no access to this data`);
    assert.match(refused(true).advice ?? '', /^The plan of this key/);
    assert.equal(refused(true).remedies[0]?.command, 'chainside.setApiKey');
    assert.equal(refused(false).message, `${label.origin}: forbids this request (HTTP 403)`);
    assert.equal(refused(false).advice, undefined);
    assert.notEqual(refused(false).remedies[0]?.command, 'chainside.setApiKey');
  });
});

describe('words for an endpoint that wants a key', () => {
  const of = (kind: 'needsKey' | 'unauthorized' | 'forbidden' | 'creditsUsedUp', more: object = {}) =>
    describeError(new AppError(kind, 'no'), { service: 'endpoint', network: { ...network, ...more } });
  const titles = ({ remedies }: ReturnType<typeof describeError>) => remedies.map(({ title }) => title);

  it('say that nothing is sent without it, and lead to setting it', () => {
    const missing = of('needsKey', { rpcAuth: 'bearer' });
    assert.equal(missing.reason, 'this endpoint needs a key');
    assert.deepEqual(titles(missing), ['Set API Key for Endpoint…', 'Select Another Network…']);
  });

  it('tell a key that is refused from one whose credits are used up', () => {
    assert.equal(of('unauthorized', { rpcAuth: 'bearer' }).reason, 'does not accept the key');
    const spent = of('creditsUsedUp', { rpcAuth: 'bearer' });
    assert.equal(spent.reason, 'the credits of the key are used up');
    assert.match(spent.advice ?? '', /until the credits of the key renew/);
    assert.deepEqual(titles(spent), ['Set API Key for Endpoint…', 'Show Output']);
  });

  it('say of a public explorer what has changed, and offer the gateway and other endpoints of the chain', () => {
    for (const kind of ['unauthorized', 'forbidden', 'creditsUsedUp'] as const) {
      const closed = of(kind, { rpcUrl: 'https://gnosis.blockscout.com/api/eth-rpc', chainId: 100 });
      assert.match(closed.reason, /^this explorer/);
      assert.match(closed.advice ?? '', /may require a key now/);
      assert.deepEqual(titles(closed), ['Use Blockscout’s Gateway…', 'Try Public Endpoints…', 'Show Output']);
      assert.deepEqual(closed.remedies[0]?.arguments, [{ gatewayOf: 100 }]);
    }
    const own = of('unauthorized', { rpcUrl: 'https://explorer.palm.io/api/eth-rpc', chainId: 11297108109 });
    assert.equal(own.reason, 'this explorer now requires a key (HTTP 401)');
    assert.deepEqual(
      titles(own),
      ['Set API Key for Endpoint…', 'Show Output'],
      'no gateway is to what others run',
    );
    // Of chain 25 a portal alone is well known, which is tried as the others are.
    const streamed = of('unauthorized', { rpcUrl: 'https://explorer.palm.io/api/eth-rpc', chainId: 25 });
    assert.deepEqual(titles(streamed), ['Set API Key for Endpoint…', 'Try Public Endpoints…', 'Show Output']);
    const local = of('unauthorized', { rpcUrl: 'http://127.0.0.1:1/api/eth-rpc' });
    assert.equal(local.reason, 'needs a key (HTTP 401)');
  });
});
