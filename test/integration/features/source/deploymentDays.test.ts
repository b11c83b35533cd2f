import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { type CodeLens, commands, Uri, window, workspace } from 'vscode';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc, type NodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import {
  type Address,
  type Hex,
  parseEventSignature,
  toChecksumAddress,
} from '../../../../src/core/index.ts';
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
/** Public variables of each, as the source declares them, with their selectors. */
const VARIABLES = [
  ['Token', 'uint256 public total', '0x2ddbd13a'],
  ['Inner', 'uint256 public count', '0x06661abd'],
  ['Vault', 'address public immutable token', '0xfc0c546a'],
  ['Vault', 'uint256 public sum', '0x853255cc'],
  ['VaultV2', 'address public immutable token', '0xfc0c546a'],
  ['VaultV2', 'uint256 public sum', '0x853255cc'],
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

  /** The titles of lenses, each with the line that it is above. */
  async function readTitles(): Promise<readonly { readonly line: string; readonly title: string }[]> {
    const uri = Uri.joinPath(folder, DAY_SOURCE);
    const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
    const document = await workspace.openTextDocument(uri);
    return lenses.map(({ range, command }) => ({
      line: document.lineAt(range.start.line).text,
      title: command?.title ?? '',
    }));
  }

  /** Numbers of logs by event, and values by variable. */
  async function readLenses(): Promise<readonly string[]> {
    return (await readTitles()).flatMap(({ line, title }) => {
      const [, event = ''] = /event (\w+)/.exec(line) ?? [];
      if (/logs?\b/.test(title) && EVENTS.some(([, one]) => one.startsWith(`${event}(`)))
        return [`${event}: ${title}`];
      const [, variable] = /^ *(.+ public .+);/.exec(line) ?? [];
      return variable !== undefined && title.startsWith('= ') ? [`${variable}: ${title}`] : [];
    });
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
    await waitUntil(async () => (await readLenses()).includes('Pinged: 1 log · 2 deployments'));
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
    const hasNone = async () => ofPinged(await readLenses()).join() === 'Pinged: No logs';
    await waitUntil(hasNone);
    try {
      await use('Inner');
      const entry = { address: toChecksumAddress(made), contract: 'Inner', chainId: 31337 };
      const written: unknown = JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(labels)));
      assert.deepEqual(written, { labels: [entry] });
      await waitUntil(async () => (await readLenses()).includes('Pinged: 1 log · 2 deployments'));
      const different = { line: 'contract Inner {', title: 'Different code · newest of 2' };
      await waitUntil(async () => (await readTitles()).some((each) => isDeepStrictEqual(each, different)));
      // No file has a deployment of this one.
      const isDifferent = async () =>
        (await readTitles()).some((each) =>
          isDeepStrictEqual(each, { line: 'contract VaultV2 {', title: 'Different code' }),
        );
      assert.equal(await isDifferent(), false);
      await use('VaultV2');
      await waitUntil(hasNone);
      await waitUntil(isDifferent);
      await use('Not a Deployment of VaultV2');
      await waitUntil(async () => !(await isDifferent()));
      await use('Inner');
      await waitUntil(async () => (await readLenses()).includes('Pinged: 1 log · 2 deployments'));
      await use('Not a Deployment of Inner');
      await waitUntil(hasNone);
    } finally {
      await workspace.fs.delete(labels);
    }
  });

  for (let seed = 1; seed <= DAYS; seed++) {
    it(`have the logs and values of what is there and of proxies, on day ${seed}`, async () => {
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
        const expected = [...(await countLogs(day, node)), ...(await readValues(day, node))].sort();
        let lenses: readonly string[] = [];
        try {
          await waitUntil(async () => {
            lenses = (await readLenses()).toSorted();
            return lenses.join() === expected.join();
          });
        } catch {
          assert.deepEqual(lenses, expected, `day ${seed}: ${done.join(', ')}`);
        }
      }
    });
  }
});

/** Where a contract runs: the proxies that run it, and its own addresses that none runs; in the order of deployment. */
function findRunning({ truth }: DeploymentDay, name: string) {
  const known = [...truth].filter(([, place]) => place.isKnown());
  const isProxyOf = (address: Address) => (place: (typeof known)[number]) =>
    place[1].name === 'VaultProxy' && place[1].implementation === address;
  const own = known.filter((place) => place[1].name === name);
  const proxies = known.filter((place) => own.some(([address]) => isProxyOf(address)(place)));
  const direct = own.filter(([address]) => !proxies.some(isProxyOf(address)));
  return { proxies, places: known.filter((place) => proxies.includes(place) || direct.includes(place)) };
}

/** What lenses are to show: the logs by `eth_getLogs` at the proxies that run a contract, or else at its own address. */
async function countLogs(day: DeploymentDay, node: NodeRpc): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [name, event] of EVENTS) {
    const { proxies, places } = findRunning(day, name);
    if (places.length === 0) continue;
    const { topic0 } = parseEventSignature(event);
    const filter = { address: places.map(([address]) => address), topics: [topic0], fromBlock: '0x0' };
    const { length } = (await node.call('eth_getLogs', [filter])) as readonly unknown[];
    const count = length === 0 ? 'No logs' : length === 1 ? '1 log' : `${length} logs`;
    const through = proxies.length === 1 ? ' · through VaultProxy' : ` · through ${proxies.length} proxies`;
    const several = places.length > 1 ? ` · ${places.length} deployments` : '';
    lines.push(
      `${event.slice(0, event.indexOf('('))}: ${count}${places.length === proxies.length ? through : several}`,
    );
  }
  return lines;
}

/** The value at the only one of the newest run, by `eth_call`. */
async function readValues(day: DeploymentDay, node: NodeRpc): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [name, variable, data] of VARIABLES) {
    const { places } = findRunning(day, name);
    const runs = places.flatMap(([, { run }]) => run ?? []);
    const newest = runs.length === 0 ? places : places.filter(([, { run }]) => run === Math.max(...runs));
    const [[to] = [], ...others] = newest;
    if (to === undefined || others.length > 0) continue;
    const word = (await node.call('eth_call', [{ to, data }, 'latest'])) as Hex;
    const value = variable.startsWith('address')
      ? toChecksumAddress(`0x${word.slice(26)}`)
      : String(BigInt(word));
    const all = places.length > 1 ? ` · newest of ${places.length}` : '';
    lines.push(`${variable}: = ${value}${all}`);
  }
  return lines;
}
