import assert from 'node:assert/strict';
import {
  createContractIndex,
  createImportResolver,
  createTimeSlices,
  linkSource,
  parseSource,
  systemClock,
} from '../../../../src/core/index.ts';
import {
  createDeploymentFinder,
  findDeployedContracts,
} from '../../../../src/features/source/findDeployments.ts';

const SOURCES: Readonly<Record<string, string>> = {
  'src/Base.sol': `abstract contract Base { event Paid(uint amount); error Low(); }
abstract contract Other { event Paid(uint amount); }
contract Unrelated { event Paid(uint amount); }
interface IPay { event Paid(uint amount); }
library Pay { event Paid(uint amount); }
event Paid(uint amount);`,
  'src/Middle.sol': 'import "./Base.sol"; abstract contract Middle is Base {}',
  'src/Vault.sol': 'import "./Middle.sol"; contract Vault is Middle { event Opened(); }',
  'src/Safe.sol': 'import "./Middle.sol"; contract Safe is Middle {}',
};
const PAID = 'event Paid(uint256 amount)';

describe('where a declaration is deployed', () => {
  const resolve = createImportResolver({ remappings: [], libs: [] });
  const facts = new Map(Object.entries(SOURCES).map(([path, text]) => [path, parseSource(path, text)]));
  const read: string[] = [];

  /** The index has the sources below `folder`, and deployments of contracts by name, each at an own address. */
  async function finder(deployed: readonly (readonly [contract: string, chainId: string])[], folder = '') {
    const index = createContractIndex();
    for (const path of facts.keys()) {
      const linked = linkSource(path, { get: (wanted) => facts.get(wanted), resolve });
      const contracts = linked.map((contract) => ({ ...contract, source: folder + path }));
      index.put(folder + path, { contracts, deployments: [], labels: [] });
    }
    const deployments = deployed.map(([contract, chainId], at) => ({
      ...{ contract, chainId, block: undefined, transaction: undefined, commit: undefined },
      address: `0x${String(at).padStart(40, '0')}` as const,
    }));
    index.put('broadcast/run.json', { contracts: [], deployments, labels: [] });
    const slices = createTimeSlices(systemClock);
    return createDeploymentFinder(await findDeployedContracts(index, slices), {
      path: 'src/Base.sol',
      resolve,
      read: async (path) => {
        read.push(path);
        return facts.get(path);
      },
      indexPath: (path) => folder + path,
      pathOf: (path) => (path.startsWith(folder) ? path.slice(folder.length) : undefined),
    });
  }

  const contractNamed = (name: string) =>
    facts.get('src/Base.sol')?.contracts.find((contract) => contract.name === name) ?? assert.fail(name);
  const shown = (deployments: readonly { contract: string | undefined; chainId: string }[]) =>
    deployments.map(({ contract, chainId }) => `${contract} ${chainId}`).sort();

  it('is that of its contract, before those that inherit it', async () => {
    const where = await finder([
      ['Unrelated', '1'],
      ['Unrelated', '5'],
      ['Vault', '1'],
    ]);
    assert.deepEqual(shown(where.contract(contractNamed('Unrelated'))), ['Unrelated 1', 'Unrelated 5']);
    assert.deepEqual(shown(await where.item(PAID, contractNamed('Unrelated'))), [
      'Unrelated 1',
      'Unrelated 5',
    ]);
    assert.deepEqual(where.contract(contractNamed('Base')), []);
  });

  it('is that of contracts that inherit its contract, also over others, and of no others', async () => {
    const where = await finder([
      ['Vault', '1'],
      ['Safe', '5'],
      ['Unrelated', '1'],
    ]);
    assert.deepEqual(shown(await where.item(PAID, contractNamed('Base'))), ['Safe 5', 'Vault 1']);
    assert.deepEqual(shown(await where.item('error Low()', contractNamed('Base'))), ['Safe 5', 'Vault 1']);
    assert.deepEqual(await where.item(PAID, contractNamed('Other')), []);
    assert.deepEqual(await where.item('event Gone()', contractNamed('Base')), []);
  });

  it('is of all that have it, for what an interface, a library or a file declares', async () => {
    const where = await finder([
      ['Vault', '1'],
      ['Unrelated', '1'],
    ]);
    for (const contract of [contractNamed('IPay'), contractNamed('Pay'), undefined]) {
      assert.deepEqual(shown(await where.item(PAID, contract)), ['Unrelated 1', 'Vault 1']);
    }
  });

  it('is found in one folder of several', async () => {
    const where = await finder([['Vault', '1']], 'shop/');
    assert.deepEqual(shown(await where.item(PAID, contractNamed('Base'))), ['Vault 1']);
  });

  it('reads each source once for all the events that it has', async () => {
    const where = await finder([['Vault', '1']]);
    read.length = 0;
    for (let nth = 0; nth < 20; nth++) await where.item(PAID, contractNamed('Base'));
    assert.equal(read.filter((path) => path === 'src/Vault.sol').length <= 2, true);
  });

  it('is not on a chain that there cannot be', async () => {
    const where = await finder([['Unrelated', '0']]);
    assert.deepEqual(where.contract(contractNamed('Unrelated')), []);
  });
});
