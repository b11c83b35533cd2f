import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { environment } from './support/environment.ts';
import { isReadable } from './support/themeLook.ts';
import { useWorkbench } from './support/workbench.ts';

const HALF = `0x${(5n * 10n ** 17n).toString(16)}`;

describe('Watched balances', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.poll.seconds': 2,
        'chainside.networks': {
          explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl, symbol: 'ETH' },
        },
      },
    };
  });
  const row = (name: RegExp): Locator => workbench().page.getByRole('treeitem', { name });
  const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
  /** The calls of each request for balances since the last look. */
  function asked(): readonly number[] {
    const requests = environment().localnet.explorer.requests.map(({ body }) => body);
    return requests
      .filter((body) => body.includes('eth_getBalance'))
      .map((body) => [JSON.parse(body)].flat().length);
  }

  async function watch(address: string): Promise<void> {
    await workbench().runCommand('Chainside: Watch Address');
    await workbench().answer(/^Address of an account/, address);
    await row(new RegExp(`^${short(address)}`)).waitFor();
  }

  /** Half an ether from the deployer to Alice, in a block of its own. */
  async function pay(): Promise<void> {
    const { node, chain, catchUp } = environment().localnet;
    const { deployer: from, alice: to } = chain.accounts;
    await node.call('eth_sendTransaction', [{ from, to, value: HALF }]);
    await node.call('evm_mine', []);
    await catchUp();
  }

  before(() => workbench().openView('Chainside'));

  it('change within a block of a transfer, by one request, with what has come', async () => {
    const { alice, bob } = environment().localnet.chain.accounts;
    await watch(alice);
    await watch(bob);
    await row(new RegExp(`^${short(alice)}, [\\d,.]+ ETH$`)).waitFor();
    await row(new RegExp(`^${short(bob)}, [\\d,.]+ ETH$`)).waitFor();
    // What a block before this changes is not to be counted.
    await workbench()
      .page.locator('.statusbar-item', { hasText: /^\s*Test Explorer \d/ })
      .waitFor();
    environment().localnet.explorer.forgetRequests();
    await pay();
    await row(new RegExp(`^${short(alice)}, [\\d,.]+ ETH, up by 0\\.5$`)).waitFor();
    await workbench().screenshot('watched-change');
    assert.deepEqual(asked(), [2]);
    await row(new RegExp(`^${short(alice)}, [\\d,.]+ ETH$`)).waitFor();
  });

  it('are asked for by nobody while the view is hidden, and are right when it is back', async () => {
    const { explorer, node, chain } = environment().localnet;
    await workbench().runCommand('View: Show Explorer');
    await row(/ETH/).first().waitFor({ state: 'hidden' });
    explorer.forgetRequests();
    await pay();
    const block = BigInt((await node.call('eth_blockNumber', [])) as string);
    const status = workbench().page.locator('.statusbar-item', { hasText: `Test Explorer ${block}` });
    await status.waitFor();
    assert.deepEqual(asked(), []);
    await workbench().openView('Chainside');
    await row(new RegExp(`^${short(chain.accounts.alice)}, [\\d,.]+ ETH, up by 0\\.5$`)).waitFor();
    assert.deepEqual(asked(), [2]);
  });

  it('stay, with their age, while they cannot be read, and come back by themselves', async () => {
    const { explorer, chain } = environment().localnet;
    const alice = short(chain.accounts.alice);
    explorer.setIntercept(() => ({ kind: 'respond', status: 503, body: 'down' }));
    try {
      await row(new RegExp(`^${alice}, [\\d,.]+ ETH, last read \\d+ s ago$`)).waitFor();
      await workbench().screenshot('watched-stale');
      for (const theme of Object.keys(themes) as Theme[]) {
        await workbench().setTheme(theme);
        await isReadable(workbench().page, theme);
      }
    } finally {
      explorer.setIntercept(undefined);
    }
    await row(new RegExp(`^${alice}, [\\d,.]+ ETH$`)).waitFor();
    await waitUntil('no row is old', async () => (await row(/last read/).count()) === 0);
  });
});
