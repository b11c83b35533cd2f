import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { SignatureServer } from '../../localnet/signatures/server.ts';
import type { SourcifyServer } from '../../localnet/sourcify/server.ts';
import { deployVerified, type VerifiedDeployment } from '../../localnet/verified/deployVerified.ts';
import { startVerificationServers } from '../support/verificationServers.ts';
import { type LogPanel, runLogQuery } from './support/logPanel.ts';
import { waitForText } from './support/panel.ts';
import { environment, useWorkbench } from './support/workbench.ts';

describe('verified contracts', () => {
  let verified: VerifiedDeployment;
  let sourcify: SourcifyServer;
  let signatures: SignatureServer;
  before(async () => {
    const { localnet } = environment();
    const { node, verified: registry, chain } = localnet;
    verified = await deployVerified(node, { registry, chainId: chain.chainId });
    await localnet.catchUp();
    ({ sourcify, signatures } = await startVerificationServers(localnet));
  });
  after(async () => {
    await signatures.stop();
    await sourcify.stop();
  });
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
        node: { name: 'Bare Node', chainId: 31337, rpcUrl: environment().localnet.anvilUrl },
      },
      'chainside.sources.sourcifyUrl': sourcify.url,
      'chainside.sources.signaturesUrl': signatures.url,
    },
  }));
  afterEach(() => workbench().closeEditors());

  /** The details of a row. */
  async function detailsOf(opened: LogPanel, row: number): Promise<Locator> {
    await opened.cell(row, 'block').click();
    await workbench().page.keyboard.press('Enter');
    const details = opened.frame.getByRole('region', { name: /^Details of log/ });
    await details.waitFor();
    return details;
  }
  const line = (text: string): Locator => workbench().page.locator('.view-line').filter({ hasText: text });

  it('decode rows that the workspace does not know, by the explorer of the network alone', async () => {
    const opened = await runLogQuery(workbench(), { Address: verified.harbor });
    await waitForText(opened.status, /^Complete · 2 logs/);
    await opened
      .cell(0, 'event')
      .filter({ hasText: /^Docked / })
      .waitFor();
    const details = await detailsOf(opened, 0);
    await details.getByText(/^Source: verified Harbor at 127\.0\.0\.1/).waitFor();
    assert.equal(
      await workbench()
        .notification(/decode logs with verified contracts/)
        .count(),
      0,
    );
    assert.deepEqual([sourcify.requestCount, signatures.requestCount], [0, 0]);
    await workbench().screenshot('verified-details');
    await details.getByRole('button', { name: /^Go to Event/ }).click();
    await workbench()
      .page.getByRole('tab', { name: /^Harbor\.sol/ })
      .waitFor();
    await line('event Docked(address indexed ship').waitFor();
    await workbench().screenshot('verified-event');
  });

  it('of Sourcify are asked for only after a question in plain words', async () => {
    await workbench().selectNetwork('Bare Node');
    const opened = await runLogQuery(workbench(), { Address: verified.gate });
    const question = workbench().notification(
      /Allow requests to 127\.0\.0\.1:\d+ to decode logs with verified contracts\? It receives the chain and the addresses/,
    );
    await question.filter({ hasText: new RegExp(verified.gate, 'i') }).waitFor();
    await workbench().screenshot('verified-consent');
    assert.deepEqual([sourcify.requestCount, signatures.requestCount], [0, 0]);
    await question.getByRole('button', { name: 'Allow' }).click();
    const passed = opened.frame.getByRole('gridcell').filter({ hasText: /^Passed / });
    await passed.first().waitFor();
    assert.ok(sourcify.requests.some(({ url }) => url.toLowerCase().includes(verified.gate)));
    await passed.first().click();
    await workbench().page.keyboard.press('Enter');
    const details = opened.frame.getByRole('region', { name: /^Details of log/ });
    await details.getByText(/^Source: verified Gate at 127\.0\.0\.1/).waitFor();
    await workbench().screenshot('verified-sourcify');
  });
});
