import assert from 'node:assert/strict';
import { Uri } from 'vscode';
import { type Address, type AddressCheck, systemClock } from '../../../../src/core/index.ts';
import { createCodePage } from '../../../../src/features/code/codeDocument.ts';
import { resolveTarget } from '../../../../src/features/code/codeTarget.ts';
import type { ContractsNode } from '../../../../src/features/contracts/contractNodes.ts';
import { ContractTree } from '../../../../src/features/contracts/contractTree.ts';
import { createHiddenDeployments } from '../../../../src/features/contracts/hiddenDeployments.ts';
import { useAddressView } from '../../../support/host/addressView.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { memoryContracts, memoryMemento } from '../../../support/host/memoryFiles.ts';
import { useNetworks } from '../../../support/host/settings.ts';
import { codeComparison, contractFacts, deploymentFacts, toAddress } from '../../../support/projectFacts.ts';
import { l10n } from '../../../support/stubs.ts';

const CHAIN = 31337;
const [PROXY, IMPLEMENTATION, MADE] = [toAddress('1'), toAddress('2'), toAddress('3')];
const VAULT = { name: 'Vault', path: 'src/Vault.sol' };

describe('what is compared with deployed code', () => {
  useNetworks(() => ({
    here: { name: 'Here', chainId: CHAIN, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH' },
  }));
  const view = useAddressView('here');
  const person = useDialogs();
  let contracts: ReturnType<typeof memoryContracts>;

  beforeEach(() => {
    contracts = memoryContracts(Uri.file('/workspace'));
    for (const name of ['Vault', 'Proxy']) {
      const source = `src/${name}.sol`;
      const facts = contractFacts(name, { source, abi: [`function of${name}() view`] });
      contracts.put(source, { contracts: [{ ...facts, line: 1 }] });
      contracts.put(`out/${name}.json`, { contracts: [facts] });
    }
    const proxy = deploymentFacts({ chainId: String(CHAIN), address: PROXY, contract: 'Proxy' });
    contracts.put('broadcast/run-latest.json', { deployments: [proxy] });
    settle(
      [PROXY, { ...current('Proxy'), runs: [{ implementation: IMPLEMENTATION, contract: VAULT }] }],
      [MADE, { state: 'current', code: VAULT }],
    );
  });
  afterEach(() => contracts.dispose());

  const current = (contract: string): AddressCheck => {
    return { state: 'current', record: { contract, transaction: undefined } };
  };
  const settle = (...checks: readonly (readonly [Address, AddressCheck])[]) =>
    contracts.settle(CHAIN, new Map(checks));

  async function listRows(): Promise<readonly ContractsNode[]> {
    const hidden = createHiddenDeployments(memoryMemento());
    const tree = new ContractTree({ ...view, contracts, clock: systemClock, hidden });
    const vault = (await tree.getChildren()).find(
      (row) => row.kind === 'contract' && row.key.startsWith('Vault'),
    );
    const rows = await tree.getChildren(vault);
    tree.dispose();
    return rows;
  }

  function resolve(argument: unknown) {
    const client = {
      getBlockNumber: async () => 7n,
      fetchImplementations: async (address: Address) => (address === PROXY ? [IMPLEMENTATION] : []),
      getCode: async () => '0x6001',
    };
    const connection = { client, signal: new AbortController().signal };
    const session = new Proxy(view.session, {
      get: (target, key) => (key === 'connection' ? connection : Reflect.get(target, key, target)),
    });
    const files = { list: async () => [], read: async () => undefined, stat: async () => undefined };
    const names = async () => view.names;
    return resolveTarget(argument, {
      ...view,
      session,
      contracts: { ...contracts, files, dispose: () => undefined },
      names,
    });
  }

  it('is the contract of the row, also where a build has replaced what led to it', async () => {
    const [proxy, made] = await listRows();
    settle([PROXY, current('Proxy')]);
    const behind = await resolve(proxy);
    assert.deepEqual(
      [behind?.address, behind?.contract.name, behind?.proxy?.name],
      [PROXY, 'Vault', 'Proxy'],
    );
    const own = await resolve(made);
    assert.deepEqual([own?.address, own?.contract.artifact], [MADE, 'out/Vault.json']);
    const choice = { name: 'Vault', source: VAULT.path, deployments: [{ account: MADE, chainId: CHAIN }] };
    assert.equal((await resolve(choice))?.contract.name, 'Vault');
    assert.equal(
      (await resolve({ account: MADE, chainId: CHAIN, contractName: 'Vault' }))?.contract.name,
      'Vault',
    );
    // A build begins with no files.
    for (const path of ['src/Vault.sol', 'out/Vault.json']) contracts.put(path, undefined);
    assert.equal((await resolve(made))?.contract.name, 'Vault');
    assert.deepEqual(person.lists, []);
  });

  it('is chosen at an address that nothing knows', async () => {
    person.picks = ['Vault'];
    assert.equal((await resolve(toAddress('9')))?.contract.name, 'Vault');
    assert.equal(person.lists[0]?.placeHolder, 'Choose the contract that should be there');
  });

  it('has verified sources where there may be some', () => {
    const textOf = (mayHaveSource: boolean, proxy = false) => {
      const comparison = codeComparison({});
      const page = createCodePage({
        ...{ comparison, changes: undefined, origin: undefined, networkName: 'Here', l10n, mayHaveSource },
        ...{ proxy: proxy ? comparison.contract : undefined, uriOf: () => undefined },
      });
      return page.lines.map(({ text }) => text);
    };
    assert.ok(textOf(true).includes('Show Source Changes'));
    assert.ok(!textOf(false).includes('Show Source Changes'));
    assert.ok(!textOf(false).includes(''));
    assert.equal(textOf(false, true).at(-1), 'Compare the Proxy Itself: Vault');
  });
});
