import assert from 'node:assert/strict';
import { type CodeLens, commands, Uri, window, workspace } from 'vscode';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc, type NodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import { type Address, parseEventSignature, toChecksumAddress } from '../../../../src/core/index.ts';
import { DAY_SOURCE, type DeploymentDay, startDay } from '../../../support/deploymentDay.ts';
import { isFullRun } from '../../../support/fullRun.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../../support/host/settings.ts';
import { createWorkspaceFolder } from '../../../support/host/workspaceFolder.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const anvil: Anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
const STEPS = isFullRun ? 12 : 6;
const DAYS = isFullRun ? 20 : 2;
/** Contracts and one event of each, in the order of the source. */
const EVENTS = [
  ['Token', 'Minted(address,uint256)'],
  ['Inner', 'Pinged(uint256)'],
  ['Vault', 'Deposited(address,uint256)'],
  ['VaultV2', 'Deposited(address,uint256)'],
] as const;

describe('lenses on days of deployments', () => {
  useExtension();
  let folder: Uri;
  const node = createNodeRpc(anvil.url);
  const user = useDialogs();

  useNetworks(() => ({ day: { name: 'Day', chainId: 31337, rpcUrl: anvil.url, symbol: 'ETH' } }));
  beforeEach(async () => {
    folder = await createWorkspaceFolder('day');
  });
  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await workspace.fs.delete(folder, { recursive: true });
  });
  after(() => anvil.stop());

  const write = async (path: string, text: string) =>
    workspace.fs.writeFile(Uri.joinPath(folder, path), new TextEncoder().encode(text));

  /** The lenses with numbers of logs, by event. */
  async function readCounts(): Promise<readonly string[]> {
    const uri = Uri.joinPath(folder, DAY_SOURCE);
    const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
    const document = await workspace.openTextDocument(uri);
    return lenses.flatMap(({ range, command }) => {
      const [, event = ''] = /event (\w+)/.exec(document.lineAt(range.start.line).text) ?? [];
      const title = command?.title ?? '';
      return /logs?\b/.test(title) && EVENTS.some(([, one]) => one.startsWith(`${event}(`))
        ? [`${event}: ${title}`]
        : [];
    });
  }

  /** The lenses above the line with a text. */
  async function readTitles(text: string): Promise<readonly string[]> {
    const uri = Uri.joinPath(folder, DAY_SOURCE);
    const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
    const document = await workspace.openTextDocument(uri);
    return lenses.flatMap(({ range, command }) =>
      document.lineAt(range.start.line).text.startsWith(text) ? [command?.title ?? ''] : [],
    );
  }

  it('count logs of a contract that no file names once its address is watched', async () => {
    const day = await startDay(node, 1, write);
    await day.do('make');
    const [made] = [...day.truth].findLast(([, { name }]) => name === 'Inner') ?? [];
    assert.ok(made);
    const [from] = (await node.call('eth_accounts', [])) as readonly Address[];
    await node.call('eth_sendTransaction', [{ from, to: made, data: '0x5c36b186' }]);
    await node.call('evm_mine', []);
    await selectNetwork('day');
    await window.showTextDocument(Uri.joinPath(folder, DAY_SOURCE));
    await commands.executeCommand('chainside.watchAddress', made);
    await commands.executeCommand('chainside.refresh');
    await waitUntil(async () => (await readCounts()).includes('Pinged: 1 log · 2 deployments'));
  });

  it('count logs at an address while it is used as a deployment, whose code no build has', async () => {
    const root = workspace.workspaceFolders?.[0]?.uri ?? assert.fail();
    const labels = Uri.joinPath(root, '.chainside/labels.json');
    const day = await startDay(node, 2, write);
    await day.do('make');
    const [made, place] = [...day.truth].findLast(([, { name }]) => name === 'Inner') ?? assert.fail();
    while (place.isKnown()) await day.do('edit the source');
    const [from] = (await node.call('eth_accounts', [])) as readonly Address[];
    await node.call('eth_sendTransaction', [{ from, to: made, data: '0x5c36b186' }]);
    await node.call('evm_mine', []);
    await selectNetwork('day');
    await window.showTextDocument(Uri.joinPath(folder, DAY_SOURCE));
    await commands.executeCommand('chainside.refresh');
    const ofPinged = (lines: readonly string[]) => lines.filter((line) => line.startsWith('Pinged'));
    const use = async (choice: string) => {
      user.picks.push(choice);
      await commands.executeCommand('chainside.useAsDeployment', made);
      await commands.executeCommand('chainside.refresh');
    };
    await waitUntil(async () => ofPinged(await readCounts()).length > 0);
    const before = ofPinged(await readCounts());
    assert.deepEqual(before, ['Pinged: No logs']);
    try {
      await use('Inner');
      const entry = { address: toChecksumAddress(made), contract: 'Inner', chainId: 31337 };
      const written: unknown = JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(labels)));
      assert.deepEqual(written, { labels: [entry] });
      await waitUntil(async () => (await readCounts()).includes('Pinged: 1 log'));
      await waitUntil(async () => (await readTitles('contract Inner')).includes('Different code'));
      await use('Not a Deployment of Inner');
      await waitUntil(async () => ofPinged(await readCounts()).join() === before.join());
    } finally {
      await workspace.fs.delete(labels);
    }
  });

  for (let seed = 1; seed <= DAYS; seed++) {
    it(`have the logs at what is there and at proxies, on day ${seed}`, async () => {
      // Other tools keep only the last deployment of a name, so no file has the address of the others.
      const day = await startDay(node, 100 + seed, write, ['foundry']);
      await selectNetwork('day');
      await window.showTextDocument(Uri.joinPath(folder, DAY_SOURCE));
      const done: string[] = [];
      for (let step = 0; step <= STEPS; step++) {
        if (step > 0) done.push(await day.next());
        await commands.executeCommand('chainside.refresh');
        // The log of a factory leads to what it created.
        if (done.at(-1) === 'make') await commands.executeCommand('chainside.showTransaction', day.lastMade);
        const expected = await countLogs(day, node);
        let counts: readonly string[] = [];
        try {
          await waitUntil(async () => {
            counts = await readCounts();
            return counts.join() === expected.join();
          });
        } catch {
          assert.deepEqual(counts, expected, `day ${seed}: ${done.join(', ')}`);
        }
      }
    });
  }
});

/** What lenses are to show: the logs by `eth_getLogs` at the proxies that run a contract, or else at its own address. */
async function countLogs({ truth }: DeploymentDay, node: NodeRpc): Promise<readonly string[]> {
  const of = (name: string) => [...truth].filter((place) => place[1].name === name && place[1].isKnown());
  const lines: string[] = [];
  for (const [name, event] of EVENTS) {
    const own = of(name).map(([address]) => address);
    const proxies = of('VaultProxy').filter(([, { implementation }]) =>
      own.some((one) => one === implementation),
    );
    const isRun = (address: Address) => proxies.some(([, { implementation }]) => implementation === address);
    const places = [...proxies.map(([address]) => address), ...own.filter((address) => !isRun(address))];
    if (places.length === 0) continue;
    const { topic0 } = parseEventSignature(event);
    const filter = { address: places, topics: [topic0], fromBlock: '0x0' };
    const { length } = (await node.call('eth_getLogs', [filter])) as readonly unknown[];
    const count = length === 0 ? 'No logs' : length === 1 ? '1 log' : `${length} logs`;
    const [only, ...others] = places.length === proxies.length ? proxies : [];
    const through = others.length === 0 ? ' · through VaultProxy' : ` · through ${proxies.length} proxies`;
    const covered = only ? through : places.length > 1 ? ` · ${places.length} deployments` : '';
    lines.push(`${event.slice(0, event.indexOf('('))}: ${count}${covered}`);
  }
  return lines;
}
