import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openLogPanel } from '../e2e/support/logPanel.ts';
import { useWorkbench } from '../e2e/support/workbench.ts';
import { serverAttacks } from './support/behaviours.ts';
import { holdsBounds } from './support/bounds.ts';
import { chosen } from './support/campaign.ts';
import { fileAttacks } from './support/files.ts';
import { CONTRACT, type HostileServer, startHostileServer } from './support/hostileServer.ts';
import { createHostProbe, type HostProbe, packageProbe } from './support/hostProbe.ts';

describe('the packaged extension against those who mean harm', () => {
  let server: HostileServer;
  let probe: HostProbe;
  let probeVsix: string;
  before(async () => {
    server = await startHostileServer();
    probe = await createHostProbe();
    probeVsix = await packageProbe();
  });
  after(async () => {
    await server.close();
    await probe[Symbol.asyncDispose]();
  });
  const workbench = useWorkbench(() => ({
    extensions: [probeVsix],
    env: probe.env,
    settings: {
      'chainside.network': 'hostile',
      'chainside.networks': {
        hostile: { name: 'Hostile', chainId: 31337, rpcUrl: `${server.url}/api/eth-rpc` },
      },
    },
    fillFolder: async (folder) => {
      for (const { file, text } of fileAttacks) await writeFile(join(folder, file), text());
    },
  }));
  before(() => workbench().openView('Chainside'));
  afterEach(async () => {
    server.behaviour = () => undefined;
    await workbench().runCommand('View: Close All Editors');
  });

  for (const { name, behaviour, mayBeComplete } of chosen(serverAttacks)) {
    it(`ends a query of all logs, and says how, against ${name}`, async () => {
      const panel = await openLogPanel(workbench());
      await panel.field('Address').fill(CONTRACT);
      server.behaviour = behaviour();
      const course = await probe.watch(async () => {
        await panel.button('Run query').click();
        const ended = panel.status.filter({ hasText: ENDED }).or(panel.frame.getByRole('alert'));
        const more = panel.button('Load all');
        await ended.or(more).first().waitFor({ timeout: 60_000 });
        if (await more.isVisible()) {
          await more.click();
          await ended.first().waitFor({ timeout: 60_000 });
        }
      });
      const status = (await panel.status.textContent()) ?? '';
      if (!mayBeComplete) assert.doesNotMatch(status, /^Complete\./);
      assert.deepEqual(await panel.frame.getByRole('link').count(), 0);
      holdsBounds(`log panel: ${name}`, course);
    });
  }

  for (const { name, file } of chosen(fileAttacks)) {
    it(`stays awake while a file is open with ${name}`, async () => {
      const course = await probe.watch(async () => {
        await workbench().openFile(file);
        await workbench().page.waitForTimeout(1500);
        await workbench().runCommand('Show or Focus Hover');
        await workbench().page.waitForTimeout(500);
      });
      holdsBounds(`file: ${name}`, course);
    });
  }
});

const ENDED = /^(Complete|Not certain to be complete|Stopped by an error)\./;
