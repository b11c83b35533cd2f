import assert from 'node:assert/strict';
import { commands, type Hover, MarkdownString, Position, Uri, window, workspace } from 'vscode';
import { transferEvents } from '../../../../src/core/index.ts';
import { stubDialogs } from '../../../support/host/dialogs.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../../support/host/settings.ts';
import { createWorkspaceFolder } from '../../../support/host/workspaceFolder.ts';
import { sharedLocalnet } from '../../../support/sharedLocalnet.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const SOURCE = `contract Tide {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Ebb(uint256 level);

    function pay(address to, uint256 value) external {
        emit Transfer(msg.sender, to, value);
    }
}
`;

const { rpcUrl, node, chain } = await sharedLocalnet();

describe('the events of a contract that is deployed', () => {
  useExtension();
  const { address } = chain.contracts.tide;
  let folder: Uri;

  useNetworks(() => ({
    counted: { name: 'Counted', chainId: chain.chainId, rpcUrl, symbol: 'ETH' },
  }));
  before(async () => {
    folder = await createWorkspaceFolder('counted');
    const created = { transactionType: 'CREATE', contractName: 'Tide', contractAddress: address };
    const receipt = { status: '0x1', blockNumber: '0x1', contractAddress: address };
    const run = {
      transactions: [created],
      receipts: [receipt],
      chain: chain.chainId,
      timestamp: 1_750_000_000,
    };
    await write('foundry.toml', '[profile.default]\nsrc = "src"\n');
    await write('src/Tide.sol', SOURCE);
    await write(`broadcast/Deploy.s.sol/${chain.chainId}/run-latest.json`, JSON.stringify(run));
    await selectNetwork('counted');
    await window.showTextDocument(source());
  });
  after(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await workspace.fs.delete(folder, { recursive: true });
  });

  const source = () => Uri.joinPath(folder, 'src/Tide.sol');
  async function write(path: string, text: string): Promise<void> {
    await workspace.fs.writeFile(Uri.joinPath(folder, path), new TextEncoder().encode(text));
  }

  it('are named in a hover on emit, which leads to their logs', async () => {
    const line = SOURCE.split('\n').findIndex((text) => text.includes('emit'));
    const words = async () => {
      const at = new Position(line, SOURCE.split('\n')[line]?.indexOf('emit') ?? 0);
      const hovers = await commands.executeCommand<Hover[]>('vscode.executeHoverProvider', source(), at);
      const contents = hovers.flatMap((hover) => hover.contents);
      return contents.map((each) => (each instanceof MarkdownString ? each.value : '')).join('\n');
    };
    await waitUntil(async () => /Query Logs of Tide on Counted\]\(command:chainside\./.test(await words()));
    assert.match(await words(), new RegExp(`topic0 ${transferEvents.transfer.topic0}`));
  });

  it('are counted from the palette, all of the open file, and lead to their logs', async () => {
    const filter = { address, topics: [transferEvents.transfer.topic0], fromBlock: '0x1', toBlock: 'latest' };
    const logs = (await node.call('eth_getLogs', [filter])) as readonly unknown[];
    assert.ok(logs.length > 1000);
    using person = stubDialogs();
    person.picks = [(items) => items[0]];
    await commands.executeCommand('chainside.countEvents');
    const [[transfer, fired] = [], [ebb, never] = []] =
      person.lists[0]?.items.map(({ label, description = '' }) => [label, description] as const) ?? [];
    assert.deepEqual([transfer, ebb], ['Transfer', 'Ebb']);
    const count = logs.length.toLocaleString('en');
    assert.match(fired ?? '', new RegExp(`^${count} logs, last \\d+ \\w+ ago$`));
    assert.equal(never, 'No logs');
    const label = () => window.tabGroups.activeTabGroup.activeTab?.label;
    await waitUntil(() => label() === 'Tide Transfer');
  });
});
