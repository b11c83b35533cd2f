import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { viewIds } from '../../../src/manifest.ts';
import { showFailures, startWorkbench, type Workbench } from '../../e2e/support/workbench.ts';
import { fileAttacks } from './files.ts';
import { type HostileServer, startHostileServer } from './hostileServer.ts';
import { createHostProbe, type HostProbe, packageProbe } from './hostProbe.ts';

/** A workbench with the packaged extension and the probe, all of whose servers are one that means harm. */
export interface HostileEditor {
  readonly workbench: Workbench;
  /** Endpoint and data API of the active network. */
  readonly server: HostileServer;
  readonly probe: HostProbe;
}

const resources = new AsyncDisposableStack();
let starting: Promise<HostileEditor> | undefined;

/** For a suite: the one such editor of the run, with its editors, notifications and boxes closed after each test. */
export function useHostileEditor(): () => HostileEditor {
  let started: HostileEditor | undefined;
  const editor = () => {
    if (started === undefined) throw new Error('The editor has not been started.');
    return started;
  };
  before(async () => {
    starting ??= startHostileEditor();
    started = await starting;
    await started.workbench.openView('Chainside');
    // Rows that are out of sight are not there for a test.
    const host = await started.probe.newestHost();
    await host.run(`workbench.actions.treeView.${viewIds.addresses}.collapseAll`);
  });
  showFailures(() => editor().workbench);
  afterEach(async () => {
    const { server, workbench, probe } = editor();
    server.behaviour = () => undefined;
    await workbench.page.keyboard.press('Escape');
    const host = await probe.newestHost();
    await host.run('workbench.action.closeAllEditors');
    await host.run('notifications.clearAll');
  });
  return editor;
}

/** Ends the editor of the run, if any attack has started it. */
export function endHostileEditor(): Promise<void> {
  return resources.disposeAsync();
}

async function startHostileEditor(): Promise<HostileEditor> {
  const server = await startHostileServer();
  resources.defer(() => server.close());
  const probe = resources.use(await createHostProbe());
  const workbench = await startWorkbench({
    extensions: [await packageProbe()],
    env: probe.env,
    settings: {
      'chainside.network': 'hostile',
      // Tooltips are looked at here.
      'workbench.hover.delay': 300,
      'chainside.networks': {
        hostile: {
          ...{ name: 'Hostile', chainId: 31337, dataApiUrl: server.url },
          rpcUrl: `${server.url}/api/eth-rpc`,
        },
      },
    },
    fillFolder: async (folder) => {
      for (const { file, text } of fileAttacks) await writeFile(join(folder, file), text());
    },
  });
  resources.use(workbench);
  return { workbench, server, probe };
}

/** Sets the key of the data API, which takes it. */
export async function setDataApiKey({ workbench, server }: HostileEditor): Promise<void> {
  server.behaviour = ({ url }) =>
    url.startsWith('/v1/') ? { body: '{"data":{"items":[]},"error":false}' } : undefined;
  await workbench.runCommand('Chainside: Set Data API Key…');
  await workbench.answer(/^Key for http/, 'attack-key');
  await workbench.page.getByRole('treeitem', { name: 'Token data: key set' }).waitFor();
  server.behaviour = () => undefined;
}
