import assert from 'node:assert/strict';
import { SECRET_PLACEHOLDER, sanitizeText } from '../../../src/core/index.ts';
import { formatSettingError } from '../../../src/host/settings/settingErrors.ts';
import { type FoundryNetwork, parseSettings } from '../../../src/host/settings/settingTable.ts';
import type { SettingId } from '../../../src/manifest.ts';
import { hostileNames } from '../../fixtures/hostileNames.ts';
import { hostileTexts } from '../../fixtures/hostileTexts.ts';
import { l10n } from '../../support/english.ts';

const parse = (written: Partial<Record<SettingId, unknown>>) => parseSettings((setting) => written[setting]);

describe('Settings', () => {
  it('are the defaults where nothing is written', () => {
    const { settings, problems } = parse({});
    assert.deepEqual(problems, []);
    assert.deepEqual([settings.network.id, settings.isNetworkChosen], ['mainnet', false]);
    assert.deepEqual(
      settings.networks.map(({ id }) => id),
      ['mainnet', 'testnet', 'local'],
    );
    assert.equal(settings.quoteCurrency, 'USD');
    assert.equal(settings.keyIn, 'auto');
    assert.equal(settings.pollSeconds, 10);
    assert.equal(settings.statusBarEnabled, true);
  });

  it('have a network chosen only where one is written that there is', () => {
    const isChosen = (id: unknown) => parse({ 'chainside.network': id }).settings.isNetworkChosen;
    assert.deepEqual(['mainnet', 'local'].map(isChosen), [true, true]);
    assert.deepEqual([undefined, null, '', 7, 'nowhere'].map(isChosen), [false, false, false, false, false]);
  });

  it('take an endpoint of a file once it is found, and say why it is not used', () => {
    const id = 'foundry:harbour';
    const parseNamed = (named?: FoundryNetwork) =>
      parseSettings((setting) => (setting === 'chainside.network' ? id : undefined), named);
    const looked = parseNamed();
    assert.deepEqual([looked.wanted, looked.settings.isNetworkChosen, looked.problems], [id, false, []]);
    const network = {
      id,
      name: 'harbour',
      chainId: 5,
      rpcUrl: 'http://127.0.0.1:1',
      symbol: 'ETH',
      decimals: 18,
    };
    const { settings } = parseNamed({ id, network });
    assert.deepEqual([settings.network, settings.isNetworkChosen], [network, true]);
    const failed = parseNamed({ id, fault: { code: 'endpointVariables', names: ['HARBOUR_URL'] } });
    assert.equal(failed.settings.isNetworkChosen, false);
    const [problem] = failed.problems;
    assert.match(problem ? formatSettingError(problem.fault, l10n) : '', /not set: HARBOUR_URL$/);
    assert.equal(parse({ 'chainside.networks': { [id]: network } }).settings.networks.length, 3);
  });

  it('know the built-in networks by the ids of their chains', () => {
    const known = parse({}).settings.networks.map(({ id, chainId }) => [id, chainId]);
    assert.deepEqual(known, [
      ['mainnet', 11297108109],
      ['testnet', 11297108099],
      ['local', 31337],
    ]);
  });

  it('add networks and override built-in ones field by field', () => {
    const { settings, problems } = parse({
      'chainside.network': 'mine',
      'chainside.networks': {
        mine: { name: 'Mine', chainId: 5, rpcUrl: 'http://127.0.0.1:1' },
        mainnet: { rpcUrl: 'https://rpc.example' },
      },
    });
    assert.deepEqual(problems, []);
    assert.equal(settings.network.name, 'Mine');
    const mainnet = settings.networks.find(({ id }) => id === 'mainnet');
    assert.equal(mainnet?.rpcUrl, 'https://rpc.example');
    assert.equal(mainnet?.chainId, 11297108109);
  });

  it('have names, symbols and problems of networks as plain text', () => {
    for (const hostile of Object.values({ ...hostileNames, ...hostileTexts })) {
      const name = hostile.slice(0, 80);
      const mine = { name, symbol: hostile.slice(0, 12), chainId: 5, rpcUrl: 'http://127.0.0.1:1' };
      const { settings, problems } = parse({
        'chainside.network': hostile,
        'chainside.networks': { mine, [hostile]: mine },
      });
      const shown = settings.networks.flatMap((network) => [network.name, network.symbol]);
      for (const text of [...shown, ...problems.map(({ fault }) => formatSettingError(fault, l10n))]) {
        assert.equal(sanitizeText(text, 300), text.trim());
      }
      assert.ok(problems.some(({ setting }) => setting === 'chainside.network'));
    }
  });

  const unusable: readonly [SettingId, unknown][] = [
    ['chainside.network', 7],
    ['chainside.network', 'nowhere'],
    ['chainside.networks', 'mainnet'],
    ['chainside.networks', { mine: { name: 'Mine', chainId: 5, rpcUrl: 'ftp://example' } }],
    ['chainside.networks', { mine: { chainId: 5, rpcUrl: `https://${SECRET_PLACEHOLDER}.example` } }],
    ['chainside.networks', { mainnet: { chainId: '5' } }],
    ['chainside.dataApi.quoteCurrency', 'BTC'],
    ['chainside.dataApi.quoteCurrency', {}],
    ['chainside.dataApi.keyIn', 'cookie'],
    ['chainside.nft.ipfsGateway', 7],
    ['chainside.nft.ipfsGateway', 'http://ipfs.example.com'],
    ['chainside.nft.ipfsGateway', 'https://127.0.0.1'],
    ['chainside.poll.seconds', '10'],
    ['chainside.poll.seconds', 1],
    ['chainside.poll.seconds', Number.NaN],
    ['chainside.statusBar.enabled', 'yes'],
    ['chainside.hover.enabled', 'no'],
    ['chainside.codeLens.enabled', 1],
    ['chainside.inlayHints.enabled', 'on'],
  ];
  for (const [setting, value] of unusable) {
    it(`fall back alone and say so: ${setting} ${JSON.stringify(value)}`, () => {
      const { settings, problems } = parse({ [setting]: value });
      assert.deepEqual(settings, parse({}).settings);
      assert.deepEqual(new Set(problems.map((problem) => problem.setting)), new Set([setting]));
      const [problem] = problems;
      assert.ok(problem && /^(must|names|\()/.test(formatSettingError(problem.fault, l10n)));
    });
  }

  it('say where the secret of an endpoint goes, never what it is', () => {
    const rpcUrl = `https://n.example/${SECRET_PLACEHOLDER}`;
    const networkWith = (rpcAuth: unknown) => {
      const { settings, problems } = parse({
        'chainside.networks': { mine: { chainId: 5, rpcUrl, rpcAuth } },
      });
      return { network: settings.networks.find(({ id }) => id === 'mine'), problems };
    };
    assert.equal(networkWith(undefined).network?.rpcUrl, rpcUrl);
    assert.equal(networkWith('Bearer').network?.rpcAuth, 'bearer');
    assert.equal(networkWith('header:X-Api-Key').network?.rpcAuth, 'header:x-api-key');
    for (const wrong of ['header:host', 'basic', 'header:a b', { bearer: 'key' }, 7]) {
      const { network, problems } = networkWith(wrong);
      assert.equal(network?.rpcAuth, undefined);
      assert.match(problems.map(({ fault }) => formatSettingError(fault, l10n)).join(), /must be "bearer"/);
    }
  });

  it('take a gateway to IPFS with or without a slash at its end, and none', () => {
    const gateway = (written: string) => parse({ 'chainside.nft.ipfsGateway': written }).settings.ipfsGateway;
    assert.equal(gateway('https://ipfs.example.com/'), 'https://ipfs.example.com');
    assert.equal(gateway(''), undefined);
  });

  it('take a currency code in any case', () => {
    const { settings, problems } = parse({ 'chainside.dataApi.quoteCurrency': 'eur' });
    assert.deepEqual([settings.quoteCurrency, problems], ['EUR', []]);
  });
});
