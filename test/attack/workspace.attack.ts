import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hold, removeFolder } from '../../scripts/support/script.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { showFailures, startWorkbench, type Workbench } from '../e2e/support/workbench.ts';
import { campaign } from './support/campaign.ts';
import { type HostileServer, startHostileServer } from './support/hostileServer.ts';
import { createHostProbe, type HostProbe, packageProbe } from './support/hostProbe.ts';

/** Files of each of the five kinds below. */
const FILES = campaign.short ? 200 : 10_000;
const FILES_OF_A_FOLDER = 250;
/** Files that import one another in a row. */
const IMPORT_CHAIN = 25;
const address = (nth: number) => `0x${nth.toString(16).padStart(40, 'b')}`;
const event = (name: string) => `{"type":"event","name":"${name}","inputs":[]}`;

/** Kinds of files by the path and text of each. */
const kinds: readonly ((nth: number, folder: string) => readonly [path: string, text: string])[] = [
  (nth, folder) => [
    `src/${folder}/C${nth}.sol`,
    `${nth % IMPORT_CHAIN ? `import "./C${nth - 1}.sol";\n` : ''}contract C${nth} { event E${nth}(uint256 a); address constant A = ${address(nth)}; }\n`,
  ],
  (nth, folder) => [`out/${folder}/C${nth}.json`, `{"abi":[${event(`E${nth}`)}]}`],
  (nth, folder) => [`deployments/n${folder}/C${nth}.json`, `{"address":"${address(nth)}","abi":[]}`],
  (nth, folder) => [`notes/${folder}/${nth}.md`, `Paid to ${address(nth)}.\n`],
  (nth, folder) => [
    `queries/${folder}/${nth}.chainlog.json`,
    `{"chainId":31337,"address":"${address(nth)}"}`,
  ],
];

/** Folders that lead to themselves, to each other, above the workspace, to nothing and to what is outside of it. */
const linksTo = (outside: string) => ({
  'src/self': '.',
  'src/above': '..',
  'src/root': '/',
  'lib/a': '../lib/b',
  'lib/b': '../lib/a',
  'out/sources': '../src',
  'notes/nothing': './missing',
  'node_modules/whole': '..',
  '.chainside/labels.json': join(outside, 'labels.json'),
  'src/Secret.sol': join(outside, 'Secret.sol'),
  'lib/outside': outside,
});

async function fillFolder(folder: string, outside: string): Promise<void> {
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await write('foundry.toml', `[labels]\n"${address(1)}" = "Harbormaster"\n`);
  await write('src/Lighthouse.sol', 'contract Lighthouse { event Lit(uint256 hour); }\n');
  for (let nth = 0; nth < FILES; nth++)
    for (const kind of kinds) await write(...kind(nth, `${Math.floor(nth / FILES_OF_A_FOLDER)}`));
  await writeFile(join(outside, 'Secret.sol'), 'contract Secret { event Stolen(); }\n');
  await writeFile(join(outside, 'labels.json'), `{"labels":[{"address":"${address(2)}","name":"Secret"}]}`);
  for (const [path, target] of Object.entries(linksTo(outside))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(target, join(folder, path));
  }
}

describe('a workspace of fifty thousand files, some of which lead in circles', () => {
  const resources = new AsyncDisposableStack();
  let workbench: Workbench;
  let probe: HostProbe;
  let server: HostileServer;
  before(async () => {
    server = await startHostileServer();
    resources.defer(() => server.close());
    probe = resources.use(await createHostProbe());
    const outside = await hold(resources, mkdtemp(join(tmpdir(), 'chainside-outside-')), removeFolder);
    workbench = await startWorkbench({
      ...{ extensions: [await packageProbe()], env: probe.env, workspaceTrust: true },
      fillFolder: (folder) => fillFolder(folder, outside),
      settings: {
        'security.workspace.trust.startupPrompt': 'never',
        'chainside.network': 'hostile',
        'chainside.networks': {
          hostile: { name: 'Hostile', chainId: 31337, rpcUrl: `${server.url}/api/eth-rpc` },
        },
      },
    });
    resources.use(workbench);
  });
  after(() => resources.disposeAsync());
  showFailures(() => workbench);

  const row = (name: RegExp) => workbench.page.getByRole('treeitem', { name }).first();
  const restricted = () => workbench.page.getByText('Trust this workspace to read contracts from its files.');

  function storedIndex(): string {
    const cwd = dirname(dirname(dirname(workbench.storage)));
    const [file] = globSync('**/chainside.chainside/contracts.ndjson', { cwd });
    return file === undefined ? '' : readFileSync(join(cwd, file), 'utf8');
  }

  it('is not read before it is trusted', async () => {
    await probe.watch(async () => {
      await workbench.openView('Chainside');
      await restricted().waitFor();
      await row(/^Network: Hostile, .*5,000/).waitFor();
    });
    assert.equal(await row(/^(?:C0|Lighthouse)\b/).count(), 0);
    assert.equal(storedIndex(), '');
  });

  it('is read once it is trusted, and nothing outside of it', async () => {
    const { page } = workbench;
    await probe.watch(async () => {
      await page.getByRole('button', { name: 'Manage Workspace Trust' }).first().click();
      await page.getByRole('button', { name: 'Trust', exact: true }).click();
      await row(/^C0\b/).waitFor({ timeout: 60_000 });
      await waitUntil('what was read is stored', async () => storedIndex() !== '');
    });
    await workbench.closeEditors();
    await workbench.screenshot('attack-workspace');
    assert.match(storedIndex(), /"Lighthouse"/);
    assert.doesNotMatch(storedIndex(), /Secret|Stolen/);
  });

  it('is known in a window that is opened again', async () => {
    await probe.watch(async () => {
      await workbench.reload();
      await workbench.openView('Chainside');
      await row(/^C0\b/).waitFor({ timeout: 60_000 });
    });
  });
});
