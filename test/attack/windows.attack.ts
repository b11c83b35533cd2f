import type { Page } from 'playwright-core';
import * as driver from '../../scripts/support/workbench/driver.ts';
import { campaign } from './support/campaign.ts';
import { useHostileEditor } from './support/hostileEditor.ts';
import type { ProbedHost } from './support/hostProbe.ts';

const watched = campaign.short ? 10 : 30;
const times = campaign.short ? 40 : 200;
const addressOf = (index: number) => `0x${(index + 1).toString(16).padStart(40, 'b')}`;

describe('windows that come, go and are used at once', () => {
  const editor = useHostileEditor();

  async function openWindow(): Promise<{ readonly page: Page; readonly host: ProbedHost }> {
    const { workbench, probe } = editor();
    const page = await workbench.page.context().newPage();
    const host = await probe.hostOpenedBy(async () => {
      await page.goto(workbench.page.url());
      await driver.workbenchReady(page);
      await driver.openView(page, 'Chainside');
    });
    return { page, host };
  }

  const watchedRow = (page: Page, count: number) =>
    page.getByRole('treeitem', { name: new RegExp(`^Watched, ${count}$`) });

  it('have all addresses that either has watched, now and after they are loaded again', async () => {
    const { workbench, probe } = editor();
    const first = { page: workbench.page, host: await probe.newestHost() };
    const second = await openWindow();
    await probe.watch(async () => {
      const pairs = Array.from({ length: watched / 2 }, (_, index) => index * 2);
      for (const index of pairs) {
        // At once, so that each writes while the other does.
        await Promise.all([
          first.host.run('chainside.watchAddress', addressOf(index)),
          second.host.run('chainside.watchAddress', addressOf(index + 1)),
        ]);
      }
      for (const { page } of [first, second]) await watchedRow(page, watched).waitFor();
    });
    await second.page.close();
    await workbench.reload();
    await workbench.openView('Chainside');
    await watchedRow(workbench.page, watched).waitFor();
  });

  it('bear hundreds of commands without a pause', async () => {
    const { workbench, probe } = editor();
    const host = await probe.newestHost();
    await probe.watch(async () => {
      await Promise.all(
        Array.from({ length: times }, (_, index) =>
          host.run(
            `chainside.${index % 2 ? 'unwatch' : 'watch'}Address`,
            addressOf(100 + ((index >> 1) % 20)),
          ),
        ),
      );
      await watchedRow(workbench.page, watched).waitFor();
    });
    for (let index = 0; index < watched; index++)
      await host.run('chainside.unwatchAddress', addressOf(index));
    await workbench.page.getByRole('treeitem', { name: /^Watched, / }).waitFor({ state: 'detached' });
  });
});
