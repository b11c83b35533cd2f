import assert from 'node:assert/strict';
import { SECRET_PLACEHOLDER, sanitizeText } from '../../../../src/core/index.ts';
import { formatSettingError } from '../../../../src/host/settings/settingErrors.ts';
import {
  createSettingReader,
  findSetting,
  parseSettings,
  type ResolvedNetworks,
} from '../../../../src/host/settings/settingTable.ts';
import type { SettingId } from '../../../../src/manifest.ts';
import { hostileNames } from '../../../fixtures/hostileNames.ts';
import { hostileTexts } from '../../../fixtures/hostileTexts.ts';
import { readSection } from '../../../support/settingSection.ts';
import { l10n } from '../../../support/stubs.ts';

const parse = (written: Partial<Record<SettingId, unknown>>) => parseSettings((setting) => written[setting]);

describe('Settings', () => {
  it('are the defaults where nothing is written', () => {
    const { settings, invalidSettings } = parse({});
    assert.deepEqual(invalidSettings, []);
    assert.equal(settings.isNetworkChosen, false);
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
    const parseNamed = (resolved?: ResolvedNetworks) =>
      parseSettings((setting) => (setting === 'chainside.network' ? id : undefined), { resolved });
    const looked = parseNamed();
    assert.deepEqual(
      [looked.unresolvedId, looked.settings.isNetworkChosen, looked.invalidSettings],
      [id, false, []],
    );
    const network = {
      id,
      name: 'harbour',
      chainId: 5,
      rpcUrl: 'http://127.0.0.1:1',
      symbol: 'ETH',
      decimals: 18,
    };
    const { settings } = parseNamed({ networks: [network] });
    assert.deepEqual([settings.network, settings.isNetworkChosen], [network, true]);
    const failed = parseNamed({
      networks: [],
      error: { code: 'endpointVariables', id, names: ['HARBOUR_URL'] },
    });
    assert.equal(failed.settings.isNetworkChosen, false);
    const [problem] = failed.invalidSettings;
    assert.match(
      problem ? formatSettingError(problem.error, l10n) : '',
      /^needs HARBOUR_URL in \.env or the environment$/,
    );
    assert.equal(parse({ 'chainside.networks': { [id]: network } }).settings.networks.length, 3);
  });

  it('are those of the user, except the network: that is the one chosen in the workspace, if it is there', () => {
    const here = { name: 'Here', chainId: 7, rpcUrl: 'http://127.0.0.1:7' };
    const choose = (chosenId: string | undefined, written = 'testnet') => {
      const { settings, invalidSettings } = parseSettings(
        (setting) => (setting === 'chainside.network' ? written : undefined),
        { chosenId, chosen: { here } },
      );
      return [settings.isNetworkChosen && settings.network.id, invalidSettings.length];
    };
    assert.deepEqual(choose(undefined), ['testnet', 0]);
    assert.deepEqual(choose('local'), ['local', 0]);
    assert.deepEqual(choose('here'), ['here', 0]);
    assert.deepEqual(choose('removed'), ['testnet', 0]);
    assert.deepEqual(choose('removed', ''), [false, 0]);
    assert.deepEqual(choose('local', 'nowhere'), ['local', 0]);
    // An endpoint of the workspace that cannot be used is not replaced by another network.
    assert.deepEqual(choose('foundry:gone'), [false, 0]);
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
    const { settings, invalidSettings } = parse({
      'chainside.network': 'mine',
      'chainside.networks': {
        mine: { name: 'Mine', chainId: 5, rpcUrl: 'http://127.0.0.1:1' },
        mainnet: { rpcUrl: 'https://rpc.example' },
      },
    });
    assert.deepEqual(invalidSettings, []);
    assert.equal(settings.network.name, 'Mine');
    const mainnet = settings.networks.find(({ id }) => id === 'mainnet');
    assert.equal(mainnet?.rpcUrl, 'https://rpc.example');
    assert.equal(mainnet?.chainId, 11297108109);
  });

  it('have names, symbols and problems of networks as plain text', () => {
    for (const hostile of Object.values({ ...hostileNames, ...hostileTexts })) {
      const name = hostile.slice(0, 80);
      const mine = { name, symbol: hostile.slice(0, 12), chainId: 5, rpcUrl: 'http://127.0.0.1:1' };
      const { settings, invalidSettings } = parse({
        'chainside.network': hostile,
        'chainside.networks': { mine, [hostile]: mine },
      });
      const shown = settings.networks.flatMap((network) => [network.name, network.symbol]);
      for (const text of [...shown, ...invalidSettings.map(({ error }) => formatSettingError(error, l10n))]) {
        assert.equal(sanitizeText(text, 300), text.trim());
      }
      const isReported = invalidSettings.some(({ setting }) => setting === 'chainside.network');
      assert.equal(isReported, hostile !== '');
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
    ['chainside.sources.sourcify', 'yes'],
  ];
  for (const [setting, value] of unusable) {
    it(`fall back alone and say so: ${setting} ${JSON.stringify(value)}`, () => {
      const { settings, invalidSettings } = parse({ [setting]: value });
      assert.deepEqual(settings, parse({}).settings);
      assert.deepEqual(new Set(invalidSettings.map((problem) => problem.setting)), new Set([setting]));
      const [problem] = invalidSettings;
      assert.ok(problem && /^(must|refers to|\()/.test(formatSettingError(problem.error, l10n)));
    });
  }

  it('say where the secret of an endpoint goes, never what it is', () => {
    const rpcUrl = `https://n.example/${SECRET_PLACEHOLDER}`;
    const networkWith = (rpcAuth: unknown) => {
      const { settings, invalidSettings } = parse({
        'chainside.networks': { mine: { chainId: 5, rpcUrl, rpcAuth } },
      });
      return { network: settings.networks.find(({ id }) => id === 'mine'), invalidSettings };
    };
    assert.equal(networkWith(undefined).network?.rpcUrl, rpcUrl);
    assert.equal(networkWith('Bearer').network?.rpcAuth, 'bearer');
    assert.equal(networkWith('header:X-Api-Key').network?.rpcAuth, 'header:x-api-key');
    for (const wrong of ['header:host', 'basic', 'header:a b', { bearer: 'key' }, 7]) {
      const { network, invalidSettings } = networkWith(wrong);
      assert.equal(network?.rpcAuth, undefined);
      assert.match(
        invalidSettings.map(({ error }) => formatSettingError(error, l10n)).join(),
        /must be "bearer"/,
      );
    }
  });

  it('take a gateway to IPFS with or without a slash at its end, and none', () => {
    const gateway = (written: string) => parse({ 'chainside.nft.ipfsGateway': written }).settings.ipfsGateway;
    assert.equal(gateway('https://ipfs.example.com/'), 'https://ipfs.example.com');
    assert.equal(gateway(''), undefined);
  });

  it('take a currency code in any case', () => {
    const { settings, invalidSettings } = parse({ 'chainside.dataApi.quoteCurrency': 'eur' });
    assert.deepEqual([settings.quoteCurrency, invalidSettings], ['EUR', []]);
  });
});

type Level = 'defaultValue' | 'globalValue' | 'workspaceValue' | 'workspaceFolderValue';
type Values = Readonly<Record<string, unknown>>;

/** A configuration as the editor puts it together: the nearest level wins, objects are merged over all of them. */
function configuration(levels: Partial<Record<Level, Values>>) {
  const order = ['defaultValue', 'globalValue', 'workspaceValue', 'workspaceFolderValue'] as const;
  const valueAt = (level: Level, setting: string) => levels[level]?.[setting];
  return {
    get(setting: string) {
      const values = order.map((level) => valueAt(level, setting)).filter((value) => value !== undefined);
      const merged = values.every((value) => typeof value === 'object');
      return merged && values.length > 0 ? Object.assign({}, ...values) : values.at(-1);
    },
    inspect: (section: string) =>
      Object.fromEntries(order.map((level) => [level, readSection(levels[level] ?? {}, section)])),
  };
}

function read(levels: Partial<Record<Level, Values>>, isTrusted = true) {
  return parseSettings(createSettingReader(configuration(levels), isTrusted)).settings;
}

const evil = { name: 'Evil', chainId: 5, rpcUrl: 'https://evil.example', dataApiUrl: 'https://evil.example' };
const foreign: Values = {
  'chainside.network': 'evil',
  'chainside.networks': { evil, mainnet: { rpcUrl: 'https://evil.example' } },
  'chainside.dataApi.keyIn': 'query',
  'chainside.nft.ipfsGateway': 'https://evil.example.com',
};

describe('Settings that decide where requests and the key go', () => {
  it('are not those that another extension gives as defaults', () => {
    assert.deepEqual(read({ defaultValue: foreign }), read({}));
    assert.equal(read({}).network.rpcUrl, 'https://explorer.palm.io/api/eth-rpc');
  });

  it('are those of the user alone, with no entry of another in between', () => {
    const mine = { name: 'Mine', chainId: 6, rpcUrl: 'https://mine.example' };
    const settings = read({
      defaultValue: foreign,
      globalValue: {
        'chainside.network': 'mine',
        'chainside.networks': { mine },
        'chainside.dataApi.keyIn': 'header',
        'chainside.nft.ipfsGateway': 'https://ipfs.example.com',
      },
    });
    assert.equal(settings.network.rpcUrl, 'https://mine.example');
    assert.deepEqual(
      settings.networks.map(({ id, rpcUrl }) => [id, new URL(rpcUrl).host]),
      [
        ['mainnet', 'explorer.palm.io'],
        ['testnet', 'explorer.palm-uat.xyz'],
        ['local', '127.0.0.1:8545'],
        ['mine', 'mine.example'],
      ],
    );
    assert.equal(settings.keyIn, 'header');
    assert.equal(settings.ipfsGateway, 'https://ipfs.example.com');
  });

  for (const level of ['workspaceValue', 'workspaceFolderValue'] as const) {
    it(`are not those of a workspace, of which a trusted one may choose a network that there is: ${level}`, () => {
      assert.deepEqual(read({ [level]: foreign }, false), read({}));
      assert.deepEqual(read({ [level]: foreign }).networks, read({}).networks);
      assert.equal(read({ [level]: foreign }).keyIn, 'auto');
      assert.equal(read({ [level]: foreign }).ipfsGateway, undefined);
      const chosen = {
        globalValue: { 'chainside.network': 'mainnet' },
        [level]: { 'chainside.network': 'testnet' },
      };
      assert.equal(read(chosen, true).network.id, 'testnet');
      assert.equal(read(chosen, false).network.id, 'mainnet');
    });
  }

  it('leaves other settings to whoever may give them', () => {
    const setting: SettingId = 'chainside.poll.seconds';
    assert.equal(read({ defaultValue: { [setting]: 30 } }).pollSeconds, 30);
    assert.equal(read({ globalValue: { [setting]: 40 }, workspaceValue: { [setting]: 50 } }).pollSeconds, 50);
    assert.equal(read({}).pollSeconds, findSetting(setting)?.fallback);
  });
});
