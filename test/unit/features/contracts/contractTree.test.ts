import assert from 'node:assert/strict';
import { commands, Disposable, EventEmitter, type TreeItem, Uri, window, workspace } from 'vscode';
import type { Address, AddressCheck } from '../../../../src/core/index.ts';
import type { ContractNode, ContractsNode } from '../../../../src/features/contracts/contractNodes.ts';
import {
  type ContractsDeps,
  exportAddresses,
  openContracts,
  queryContractLogs,
} from '../../../../src/features/contracts/contracts.ts';
import { ContractTree } from '../../../../src/features/contracts/contractTree.ts';
import {
  createHiddenDeployments,
  type HiddenDeployments,
} from '../../../../src/features/contracts/hiddenDeployments.ts';
import { parseRowArgument } from '../../../../src/host/rowArguments.ts';
import { toTreeItem } from '../../../../src/host/ui/tree.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { useAddressView } from '../../../support/host/addressView.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { memoryMemento } from '../../../support/host/memoryFiles.ts';
import { useNotedCommands } from '../../../support/host/notedCommands.ts';
import { useNode } from '../../../support/host/recordedServer.ts';
import { useNetworks } from '../../../support/host/settings.ts';
import { codeComparison, contractFacts, deploymentFacts, toAddress } from '../../../support/projectFacts.ts';

const VAULT: Address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const OTHER: Address = `0x${'22'.repeat(20)}`;
const CHAIN = 31337;

type Parts = Pick<ContractsDeps, 'clock' | 'meaning' | 'workspaceState'> & { hidden: HiddenDeployments };

describe('Contracts view', () => {
  let tree: ContractTree;
  const person = useDialogs();
  const node = useNode(({ method }) => (method === 'eth_getCode' ? '0x' : '0x0'));
  useNetworks(() => ({
    here: { name: 'Here', chainId: CHAIN, rpcUrl: node.url, symbol: 'ETH' },
    there: { name: 'There', chainId: 5, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH' },
  }));
  const base = useAddressView('here');
  let view: typeof base & Parts;

  beforeEach(() => {
    const workspaceState = memoryMemento();
    const meaning = async () => ({ fetchImplementations: async () => [] });
    const hidden = createHiddenDeployments(workspaceState);
    view = { ...base, clock: createTestClock(), hidden, workspaceState, meaning };
    tree = new ContractTree(view);
    const abi = ['function pay()', 'event Paid(address indexed by, uint256 amount)'];
    const vault = contractFacts('Vault', { source: 'src/Vault.sol', line: 12, abi });
    view.contracts.put('src/Vault.sol', { contracts: [vault] });
    const source = 'src/interfaces/IVault.sol';
    view.contracts.put('out/IVault.json', { contracts: [contractFacts('IVault', { source, abi })] });
    const [contract, here] = ['Vault', { address: VAULT, block: 1234n, commit: 'abcdef0123456' }];
    view.contracts.put('broadcast/run-latest.json', {
      deployments: [
        deploymentFacts({ contract, chainId: '5', address: OTHER }),
        deploymentFacts({ contract, chainId: String(CHAIN), ...here }),
        deploymentFacts({ contract, chainId: '999', address: OTHER }),
      ],
    });
  });
  afterEach(async () => {
    tree.dispose();
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  const item = (node: ContractsNode): TreeItem => toTreeItem(tree.getTreeItem(node));
  const said = (nodes: readonly ContractsNode[]) =>
    nodes.map((node) => item(node).accessibilityInformation?.label);

  async function vaultRow(): Promise<ContractNode> {
    const [row] = await tree.getChildren();
    return row?.kind === 'contract' ? row : assert.fail('no contract');
  }

  it('shows each contract with its deployments by chain, and what is seldom looked for folded away', async () => {
    const roots = await tree.getChildren();
    assert.deepEqual(said(roots), ['Vault, 3 deployments · src/Vault.sol', 'More, 1']);
    const vault = await vaultRow();
    const deployments = await tree.getChildren(vault);
    assert.deepEqual(said(deployments), [
      'Here, block 1,234 · 0x5FbD…0aa3 · abcdef01',
      'There, 0x2222…2222',
      'chain 999, 0x2222…2222',
    ]);
    assert.deepEqual(
      [vault, ...deployments].map((node) => item(node).contextValue),
      [
        'deployed source events',
        'deployment source events',
        'deployment source events otherChain',
        'deployment source events otherChain',
      ],
    );
    const [here, there] = deployments.map((node) => String(item(node).tooltip).split('\n'));
    assert.ok(here?.includes('0x5FbDB2315678afecb367f032d93F642f64180aa3'));
    assert.ok(there?.includes('Deployed on There, not on Here'));
    assert.deepEqual(said(await tree.getChildren(roots[1])), ['IVault, src/interfaces/IVault.sol']);
    assert.equal(new Set([...roots, ...deployments].map((node) => item(node).id)).size, 5);
  });

  it('offers what there is of NFTs on a deployment known to have them, on the active network alone', async () => {
    const token = { standard: 'ERC-721', name: undefined, symbol: undefined, decimals: undefined } as const;
    const nfts = new ContractTree({
      ...view,
      identities: {
        ...{ get: () => ({ kind: 'contract', token: { ...token, supply: undefined } }) as const },
        ...{ loadListed: async () => undefined, onDidChange: view.identities.onDidChange },
      },
    });
    try {
      const [vault] = await nfts.getChildren();
      const rows = (await nfts.getChildren(vault)).map((node) => toTreeItem(nfts.getTreeItem(node)));
      assert.deepEqual(
        rows.map(({ contextValue }) => contextValue?.split(' ').includes('nftContract')),
        [true, false, false],
      );
    } finally {
      nfts.dispose();
    }
  });

  it('redraws deployments alone once their code is compared: a menu that is open keeps its row', async () => {
    const compared = new EventEmitter<void>();
    const verdicts = { ...view.verdicts, onDidChange: compared.event };
    const own = new ContractTree({ ...view, verdicts });
    try {
      const [vault] = await own.getChildren();
      const [here] = await own.getChildren(vault);
      const changed: unknown[] = [];
      own.onDidChangeTreeData((row) => changed.push(row));
      compared.fire();
      assert.deepEqual(changed, [here]);
    } finally {
      own.dispose();
    }
  });

  it('has the verdict on the code last, which a narrow side bar cuts first, and in the tooltip', async () => {
    const compared = codeComparison({ address: VAULT });
    const verdicts = { ...view.verdicts, get: () => compared, listTargets: () => [compared] };
    const own = new ContractTree({ ...view, verdicts });
    try {
      const [vault] = await own.getChildren();
      const [here = assert.fail()] = await own.getChildren(vault);
      const { description, tooltip } = own.getTreeItem(here);
      assert.match(String(description), /^block 1,234 · .*0x5FbD…0aa3 · .*Same code$/);
      assert.ok([tooltip].flat().includes('Same code'));
    } finally {
      own.dispose();
    }
  });

  it('looks a deployment up on a click', async () => {
    const [here, there] = await tree.getChildren(await vaultRow());
    assert.ok(here && there);
    assert.deepEqual(
      [item(here).command?.command, item(here).command?.arguments],
      ['chainside.lookUpAddress', ['0x5FbDB2315678afecb367f032d93F642f64180aa3']],
    );
    assert.equal(said([there])[0], 'There, 0x2222…2222');
    assert.equal(view.identities.get(OTHER), undefined);
  });

  it('folds deployments of earlier runs, and those that are not on the node until they are hidden', async () => {
    const time = view.clock.now() - 120_000;
    const [first, second, gone, other] = ['1', '2', '3', '4'].map(toAddress) as [
      Address,
      Address,
      Address,
      Address,
    ];
    view.contracts.put('broadcast/run-1.json', {
      deployments: [first, gone, other].map((address, index) => ({
        ...deploymentFacts({ contract: 'Vault', chainId: String(CHAIN), address, block: BigInt(5 + index) }),
        time: time - 60_000,
      })),
    });
    view.contracts.put('broadcast/run-latest.json', {
      deployments: [
        {
          ...deploymentFacts({ contract: 'Vault', chainId: String(CHAIN), address: second, block: 2n }),
          time,
        },
      ],
    });
    view.contracts.settle(
      CHAIN,
      new Map<Address, AddressCheck>([
        ...[first, second].map(
          (address) =>
            [address, { state: 'current', record: { contract: 'Vault', transaction: undefined } }] as const,
        ),
        [gone, { state: 'missing' }],
        [other, { state: 'replaced' }],
      ]),
    );
    const roots = await tree.getChildren();
    assert.deepEqual(said(roots), ['Vault, 2 deployments · src/Vault.sol', 'More, 1', 'Not on This Node, 2']);
    const [newest, older] = await tree.getChildren(roots[0]);
    assert.deepEqual(said([newest, older].flatMap((row) => row ?? [])), [
      'Here, block 2 · 2 min ago · 0x2222…2222',
      'Older Deployments, 1',
    ]);
    assert.deepEqual(said(await tree.getChildren(older)), ['Here, block 5 · 3 min ago · 0x1111…1111']);
    assert.deepEqual(said(await tree.getChildren(roots[2])), [
      'Vault, block 6 · 3 min ago · 0x3333…3333 · no code at this address · Here',
      'Vault, block 7 · 3 min ago · 0x4444…4444 · other code at this address · Here',
    ]);
    const missing = roots[2]?.kind === 'missing' ? roots[2].deployments : assert.fail('no fold');
    await view.hidden.hide(missing.slice(0, 1));
    assert.deepEqual(said(await tree.getChildren()).at(-1), 'Not on This Node, 1');
    assert.ok(createHiddenDeployments(view.workspaceState).has(missing[0] ?? assert.fail()));
  });

  it('shows a contract behind a proxy where it runs, before its own code', async () => {
    const proxy = toAddress('9');
    view.contracts.put('src/Proxy.sol', { contracts: [contractFacts('Proxy', { source: 'src/Proxy.sol' })] });
    const facts = { contract: 'Proxy', chainId: String(CHAIN), address: proxy, block: 3n };
    view.contracts.put('broadcast/Proxy.json', { deployments: [deploymentFacts(facts)] });
    const contract = { name: 'Vault', path: 'src/Vault.sol' };
    const record = { contract: 'Proxy', transaction: undefined };
    view.contracts.settle(
      CHAIN,
      new Map([[proxy, { state: 'current', record, runs: [{ implementation: VAULT, contract }] }]]),
    );
    const [proxyRow, vault] = await tree.getChildren();
    assert.deepEqual(said(await tree.getChildren(proxyRow)), ['Here, block 3 · 0x9999…9999 · runs Vault']);
    assert.deepEqual(said(await tree.getChildren(vault)).slice(0, 1), [
      'Here, block 3 · 0x9999…9999 · through Proxy',
    ]);
    assert.ok(
      said(await tree.getChildren(vault)).includes(
        'Here, implementation · block 1,234 · 0x5FbD…0aa3 · abcdef01',
      ),
    );
    // The row of the implementation is not counted.
    const { length } = (await tree.getChildren(vault)).filter((each) => each.kind === 'deployment');
    const [, label = ''] = said(await tree.getChildren());
    assert.ok(label.startsWith(`Vault, ${length - 1} deployments · `), label);
  });

  it('has been shown once it is visible with a contract in it', async () => {
    const keys = new Map<unknown, unknown>();
    const execute = commands.executeCommand;
    const record = async (id: string, ...args: unknown[]) =>
      id === 'setContext' ? void keys.set(args[0], args[1]) : execute(id, ...args);
    const registerCommand = commands.registerCommand;
    Object.assign(commands, {
      executeCommand: record,
      registerCommand: () => new Disposable(() => undefined),
    });
    const frame = { selection: [], visible: false, onDidChangeVisibility: new EventEmitter<never>().event };
    const opened = openContracts({ ...view, log: undefined as never, view: frame });
    try {
      assert.notEqual(keys.get('chainside.contracts.shown'), true);
      frame.visible = true;
      view.contracts.become({ kind: 'ready' });
      assert.equal(keys.get('chainside.contracts.shown'), true);
    } finally {
      opened.dispose();
      Object.assign(commands, { executeCommand: execute, registerCommand });
    }
  });

  it('says how an address book calls a deployment, where that is not the name of the contract', async () => {
    view.contracts.put('broadcast/run-latest.json', undefined);
    const facts = { chainId: '5', contract: 'vaultImpl', block: 9n, address: OTHER };
    view.contracts.put('deployed.json', { deployments: [deploymentFacts(facts)] });
    const vault = await vaultRow();
    assert.equal(vault.contractName, 'Vault');
    assert.deepEqual(said(await tree.getChildren(vault)), ['There, block 9 · 0x2222…2222 · vaultImpl']);
  });

  it('leads to the line of the source', async () => {
    const place = parseRowArgument(await vaultRow())?.place;
    assert.equal(place?.uri.path, '/workspace/src/Vault.sol');
    assert.equal(place.line, 11);
  });

  it('is empty where nothing is known, and says how far it is while files are read', async () => {
    for (const path of ['src/Vault.sol', 'out/IVault.json', 'broadcast/run-latest.json']) {
      view.contracts.put(path, undefined);
    }
    assert.deepEqual(await tree.getChildren(), []);
    let told = 0;
    tree.onDidChangeTreeData(() => told++);
    view.contracts.become({ kind: 'reading', looked: 7, found: 1200 });
    assert.equal(told, 1);
    assert.deepEqual(said(await tree.getChildren()), ['Reading the workspace…, 7 of 1,200 files']);
  });

  it('says behind the rows that files are read, so that none moves when they have been', async () => {
    const before = said(await tree.getChildren());
    view.contracts.become({ kind: 'reading', looked: 7, found: 1200 });
    const reading = said(await tree.getChildren());
    assert.deepEqual(reading, [...before, 'Reading the workspace…, 7 of 1,200 files']);
  });

  it('takes for its rows only those that it has handed out', async () => {
    const vault = await vaultRow();
    assert.equal(tree.rowOf(vault), vault);
    for (const other of [{ ...vault }, Uri.file('/a'), 'row', undefined, null]) {
      assert.equal(tree.rowOf(other), undefined);
    }
  });

  describe('queries logs of an event', () => {
    const run = useNotedCommands((id) => id === 'chainside.queryLogs');
    const childrenOf = (node: ContractNode) => tree.getChildren(node);

    it('from the block of the deployment on, which the form finds and the query confirms', async () => {
      person.picks = ['Here', 'Paid', 'Here', 'All Events'];
      for (const _ of ['event', 'all']) await queryContractLogs({ ...view, childrenOf }, await vaultRow());
      const event = 'event Paid(address indexed by, uint256 amount)';
      const all = { address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', run: true };
      assert.deepEqual(run, [
        ['chainside.queryLogs', { ...all, event }],
        ['chainside.queryLogs', all],
      ]);
    });

    it('of the code that a proxy had, where the contract at the address has the event of an upgrade', async () => {
      const [source, chainId] = ['src/Gate.sol', String(CHAIN)];
      const abi = ['event Upgraded(address indexed implementation)'];
      view.contracts.put(source, { contracts: [contractFacts('Gate', { source, abi })] });
      view.contracts.put('broadcast/run-latest.json', {
        deployments: [
          deploymentFacts({ contract: 'Gate', chainId, address: VAULT }),
          deploymentFacts({ contract: 'Vault', chainId, address: OTHER }),
        ],
      });
      const meaning = async () => ({ fetchImplementations: async () => [OTHER] });
      const gate = (await tree.getChildren()).find((row) => item(row).label === 'Gate');
      assert.ok(gate?.kind === 'contract');
      person.picks = ['Paid'];
      await queryContractLogs({ ...view, meaning, childrenOf }, gate);
      assert.equal(run.length, 1);
    });

    it('not on a chain that no network is set up for', async () => {
      const [, , unknown] = await tree.getChildren(await vaultRow());
      assert.ok(unknown);
      person.picks = ['Paid'];
      await queryContractLogs({ ...view, childrenOf }, unknown);
      assert.deepEqual(person.told, ['No network with chain ID 999 is configured.']);
      assert.deepEqual(run, []);
    });
  });

  it('opens addresses as a document that can be searched and saved', async () => {
    for (const [format, language, start] of [
      ['JSON', 'json', '{\n  "5": {\n    "Vault": "0x2222'],
      ['Solidity', undefined, '// SPDX-License-Identifier: UNLICENSED\npragma solidity'],
      ['Markdown', 'markdown', '| Network | Chain ID | Contract |'],
    ] as const) {
      person.picks = [format];
      await exportAddresses(view, undefined);
      const { document } = window.activeTextEditor ?? assert.fail('no editor');
      assert.ok(document.isUntitled);
      assert.ok(document.getText().startsWith(start), document.getText());
      if (language) assert.equal(document.languageId, language);
    }
    const before = workspace.textDocuments.length;
    view.contracts.put('broadcast/run-latest.json', undefined);
    await exportAddresses(view, undefined);
    assert.deepEqual(person.told, ['No deployments found in this workspace.']);
    assert.equal(workspace.textDocuments.length, before);
  });
});
