import assert from 'node:assert/strict';
import { commands, type InputBox, type QuickInputButton, window } from 'vscode';
import { activateExtension, selectNetwork, useNetworks, waitUntil } from './support/extension.ts';

describe('question for the key of a data API', () => {
  before(activateExtension);
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
