import assert from 'node:assert/strict';
import { commands, type InputBox, type QuickInputButton, window } from 'vscode';
import type { Address } from '../../../../src/core/index.ts';
import { type AddressView, createAddressView } from '../../../support/host/addressView.ts';
import {
  balancesOf,
  type RecordedServer,
  startRecordedServer,
} from '../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../../support/host/settings.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

describe('question for the key of a data API', () => {
  useExtension();
  useNetworks(() => {
    const network = { chainId: 5, rpcUrl: 'http://127.0.0.1:1' };
    return {
      covalent: { name: 'By Covalent', ...network, dataApiUrl: 'https://api.covalenthq.com' },
      other: { name: 'By Another', ...network, dataApiUrl: 'https://data.example.com' },
    };
  });

  /** The words of the buttons that the question opens with; it is left at once. */
  async function buttonsOn(network: string): Promise<readonly (string | undefined)[]> {
    await selectNetwork(network);
    const { createInputBox } = window;
    let opened: readonly QuickInputButton[] | undefined;
    Object.assign(window, {
      createInputBox() {
        const box: InputBox = createInputBox();
        const show = () => {
          opened = box.buttons;
          box.show();
          box.hide();
        };
        return new Proxy(box, {
          get: (target, name) => {
            if (name === 'show') return show;
            const value = Reflect.get(target, name, target);
            return typeof value === 'function' ? value.bind(target) : value;
          },
          set: (target, name, value) => Reflect.set(target, name, value, target),
        });
      },
    });
    try {
      await commands.executeCommand('chainside.setApiKey');
      await waitUntil(() => opened !== undefined);
    } finally {
      Object.assign(window, { createInputBox });
    }
    return (opened ?? []).map(({ tooltip }) => tooltip);
  }

  it('leads to where the provider gives out keys, where that is known', async () => {
    assert.deepEqual(await buttonsOn('covalent'), ['Sign Up for a Key']);
    assert.deepEqual(await buttonsOn('other'), []);
  });
});

const HOLDER: Address = '0x7e57000000000000000000000000000000000002';

describe('the chain that the data API is asked for', () => {
  let server: RecordedServer;
  let view: AddressView;
  before(async () => {
    server = await startRecordedServer();
    server.answer = ({ url }) =>
      url.startsWith('/v1/') ? balancesOf(HOLDER, []) : { status: 503, body: '' };
  });
  after(() => server.close());
  // Only where requests go: the chain ids are those that are built in.
  useNetworks(() => {
    const here = { rpcUrl: server.url, dataApiUrl: server.url };
    return { mainnet: here, testnet: here, other: { ...here, name: 'Other', chainId: 77 } };
  });
  beforeEach(async () => {
    view = createAddressView();
    await view.keys.set(server.url, 'ckey_0123456789abcdef0123456789a');
  });
  afterEach(() => view.dispose());

  async function chainsAskedFor(): Promise<readonly (string | undefined)[]> {
    server.requests.length = 0;
    await view.balances.load(HOLDER, 'recent');
    const paths = server.requests.filter((request) => request.startsWith('/v1/'));
    assert.ok(paths.length > 0, 'The data API was not asked.');
    return [...new Set(paths.map((path) => /^\/v1\/([^/]+)\//.exec(path)?.[1]))];
  }

  it('is named in the path, and changes with the network that is selected', async () => {
    for (const [network, chainId] of [
      ['mainnet', '11297108109'],
      ['testnet', '11297108099'],
      ['other', '77'],
      ['mainnet', '11297108109'],
    ] as const) {
      await selectNetwork(network);
      assert.deepEqual(await chainsAskedFor(), [chainId], network);
    }
  });
});
