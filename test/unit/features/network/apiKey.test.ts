import assert from 'node:assert/strict';
import { window } from 'vscode';
import { builtInNetworks, type Network } from '../../../../src/core/index.ts';
import { forgetApiKey, setApiKey } from '../../../../src/features/network/apiKey.ts';
import { createHttp } from '../../../../src/host/session/http.ts';
import { createKeyStore } from '../../../../src/host/session/secrets.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import {
  balancesOf,
  errorResponseOf,
  type StubResponse,
  useRecordedServer,
} from '../../../support/host/recordedServer.ts';
import { failingSecrets, memorySecrets } from '../../../support/memory.ts';
import { anyNetwork } from '../../../support/stubs.ts';

const KEY = 'ckey_0123456789abcdef0123456789a';
const WRONG = 'ckey_nobodys';

describe('the key of a data API', () => {
  const log = window.createOutputChannel('API key under test', { log: true });
  const dataApi = useRecordedServer();
  const words = useDialogs();
  let keys: ReturnType<typeof createKeyStore>;

  after(() => log.dispose());
  beforeEach(() => {
    keys = createKeyStore(memorySecrets());
    dataApi.requests.length = 0;
    dataApi.answer = () => balancesOf(KEY, []);
  });

  function services(more: Partial<Network> = {}) {
    const network = anyNetwork(5, { name: 'Served', dataApiUrl: dataApi.url, ...more });
    const elsewhere = anyNetwork(5, { id: 'elsewhere', dataApiUrl: 'http://127.0.0.1:4' });
    const http = createHttp(() => undefined);
    return {
      ...{ http, log, keys, secrets: { get: async () => undefined } },
      session: { isChosen: true, network, httpFor: () => http },
      settings: { current: { keyIn: 'auto', networks: [...builtInNetworks, network, elsewhere] } },
    } as never as Parameters<typeof setApiKey>[0];
  }
  const stored = async () => (await keys.get(dataApi.url))?.key;
  const refused = (shown: RegExp) => assert.match(words.shown.join('\n'), shown);

  it('is refused at the field when it is wrong, or none at all', async () => {
    dataApi.answer = ({ authorization }) => ({
      status: 401,
      body: { error: true, error_message: authorization ? 'Unregistered key' : 'No key', error_code: 401 },
    });
    words.types = [WRONG, 'two words'];
    await setApiKey(services());
    refused(/does not accept this key: it is wrong or inactive/);
    refused(/^Not an API key: use up to 512 letters/m);
    assert.equal(await stored(), undefined);
    assert.equal(dataApi.requests.length, 2, 'the words are sent to nobody');
    const urls = dataApi.requests.map((request) => request.split('\n')[0] ?? '');
    assert.deepEqual(
      urls.map((url) => url.includes(`key=${WRONG}`)),
      [false, true],
    );
  });

  const doubtful: Readonly<Record<string, readonly [StubResponse, RegExp]>> = {
    'that is used up': [errorResponseOf(402), /its credits are used up\. Press Enter to retry/],
    'that is not entitled': [errorResponseOf(403), /no access to token balances\. Press Enter/],
    'of a server without the chain': [
      errorResponseOf(404),
      /does not support Served, so the key could not be/,
    ],
    'that could not be tried': [{ body: '<html>' }, /^The key could not be tested\. .*Press Enter to retry/m],
  };
  for (const [which, [answer, says]] of Object.entries(doubtful)) {
    it(`is told from one ${which}, and not saved by itself`, async () => {
      dataApi.answer = ({ authorization }) => (authorization ? answer : errorResponseOf(401));
      words.types = [KEY];
      await setApiKey(services());
      refused(says);
      assert.ok(words.shown.includes('Save Anyway'), words.shown.join('\n'));
      assert.equal(await stored(), undefined);
    });
  }

  it('is saved when it is right, for its origin only', async () => {
    words.types = [KEY];
    await setApiKey(services());
    assert.equal(await stored(), KEY);
    refused(new RegExp(`^The key for ${dataApi.url} is saved\\.$`, 'm'));
    assert.doesNotMatch(words.shown.join('\n'), new RegExp(KEY));
  });

  it('goes in the URL to a server that looks for it there only, and the user is told', async () => {
    dataApi.answer = ({ url }) => (url.includes(`key=${KEY}`) ? balancesOf(KEY, []) : errorResponseOf(401));
    words.types = [KEY];
    await setApiKey(services());
    assert.deepEqual(await keys.get(dataApi.url), { key: KEY, place: 'query' });
    refused(/sends it in the URL of each request\. Proxies and logs can record it/);
  });

  it('is forgotten after a question', async () => {
    await keys.set(dataApi.url, KEY);
    await forgetApiKey(services());
    assert.equal(await stored(), KEY);
    assert.ok(words.shown.includes(`Forget the key for ${dataApi.url}?`));
    words.choose = (labels) => labels.indexOf('Forget');
    await forgetApiKey(services());
    assert.equal(await stored(), undefined);
    await forgetApiKey(services());
    assert.ok(words.shown.includes(`No key is stored for ${dataApi.url}.`));
  });

  for (const [how, createStorage] of Object.entries(failingSecrets)) {
    it(`is never said to be saved where the secret storage ${how}`, async () => {
      keys = createKeyStore(createStorage());
      words.types = [KEY];
      await setApiKey(services());
      refused(
        /cannot be kept here: the secret storage of this editor fails\. On Linux, .*keyring.*--password-store/,
      );
      assert.doesNotMatch(words.shown.join('\n'), / is saved/);
      await forgetApiKey(services());
      assert.ok(words.shown.includes(`No key is stored for ${dataApi.url}.`));
    });
  }

  it('is asked for with where the provider gives out keys, where that is known', async () => {
    for (const [dataApiUrl, isKnown] of [
      ['https://api.covalenthq.com', true],
      ['https://data.example.com', false],
    ] as const) {
      words.shown.length = 0;
      await setApiKey(services({ dataApiUrl }));
      assert.equal(words.shown.includes('Sign Up for a Key'), isKnown, dataApiUrl);
    }
  });

  it('is not asked for where no data API is', async () => {
    words.types = [KEY];
    await setApiKey(services({ name: 'Bare', dataApiUrl: undefined }));
    assert.ok(words.shown.includes('Bare has no data API, so there is no key to set.'));
    assert.deepEqual([words.types, dataApi.requests], [[KEY], []]);
  });
});
