import assert from 'node:assert/strict';
import { createSettingReader, findSetting, parseSettings } from '../../../src/host/settings/settingTable.ts';
import type { SettingId } from '../../../src/manifest.ts';

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
    inspect: (setting: string) =>
      Object.fromEntries(order.map((level) => [level, valueAt(level, setting)]).filter(([, value]) => value)),
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
