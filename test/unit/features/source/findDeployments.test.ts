import assert from 'node:assert/strict';
import {
  type ContractIndex,
  createContractIndex,
  createImportResolver,
  createTimeSlices,
  parseSourceInSlices,
  systemClock,
} from '../../../../src/core/index.ts';
import { linkSource } from '../../../../src/core/project/source/linkSource.ts';
import {
  createDeploymentCache,
  createDeploymentFinder,
  findDeployedContracts,
  readDeployedSource,
} from '../../../../src/features/source/findDeployments.ts';
import type { SourceReader } from '../../../../src/host/contracts/declarations.ts';
import type { WorkspaceContracts } from '../../../../src/host/contracts/workspaceContracts.ts';
import { byTurns } from '../../../support/fullRun.ts';
import { parseSource } from '../../../support/parseSource.ts';
import {
  contractFacts,
  deploymentFacts,
  factsOfContracts,
  factsOfDeployments,
  toAddress,
} from '../../../support/projectFacts.ts';

async function find(text: string, others: Readonly<Record<string, string>> = {}) {
  const slices = createTimeSlices(systemClock);
  const facts = await parseSourceInSlices({ path: 'A.sol', text }, slices);
  const reader: SourceReader = {
    async read(path) {
      const other = others[path];
      return path === 'A.sol' ? facts : other === undefined ? undefined : parseSource(path, other);
    },
    resolve: (_, imported) => [`nowhere/${imported}`, imported],
    slices,
  };
  return (await readDeployedSource('A.sol', reader, undefined)).events;
}

const found = async (source: string) =>
  (await find(source)).map(({ hash, offset }) => [hash().signature, offset]);

describe('events of a Solidity source', () => {
  it('are not what stands in comments and strings', async () => {
    const source = `// event A(uint a);
/* event B(uint b); " */
string constant TEXT = "event C(uint c); // \\" event D(uint d);";
string constant OTHER = 'event E(uint e);'; event F(bytes32[] f, uint8[4] g);
string constant LONG = "\\
event G(uint g);"; bytes constant BYTES = hex"00" unicode"event H(); /*"; event/* */I/*//*/()// ;
;`;
    assert.deepEqual(await found(source), [
      ['F(bytes32[],uint8[4])', source.indexOf('event F')],
      ['I()', source.indexOf('event/*')],
    ]);
  });

  it('are found after what is not closed: a string ends with its line, a declaration with the next', async () => {
    const source = `string constant TEXT = "event A();\nevent B(uint b event C(uint c);\nevent D(uint d; event E();`;
    assert.deepEqual(await found(source), [
      ['C(uint256)', source.indexOf('event C')],
      ['E()', source.indexOf('event E')],
    ]);
    assert.deepEqual(await found('event A(); /* event B();'), [['A()', 0]]);
  });

  it('are left out where topic0 cannot be told from the text', async () => {
    assert.deepEqual(await found('event A(IERC20 token); event B(uint b) anonymous; event C(uint'), []);
    assert.deepEqual(await found('prevent A(); event$ B(); emit C(); event D; event E{} ();'), []);
  });

  it('have the types that other files give them, and say which parameters are indexed', async () => {
    const source = `import { Order as Sale, Currency } from "types.sol";
contract Shop { event Sold(Sale indexed order, Shop shop, Currency paid); event Lost(Unknown what); }`;
    const types = 'import "currency.sol"; struct Order { address[] by; uint amount; }';
    const currency = 'type Currency is address;';
    assert.deepEqual(await found(source), []);
    const [sold, ...others] = await find(source, { 'types.sol': types, 'currency.sol': currency });
    assert.deepEqual(others, []);
    assert.equal(
      sold?.declaration,
      'event Sold((address[] by, uint256 amount) indexed order, address shop, address paid)',
    );
    assert.equal(sold.hash().signature, 'Sold((address[],uint256),address,address)');
  });

  const endless = [
    ['an open string of escaped quotes', '"', '\\"'],
    ['open strings in open strings', '', `"'`],
    ['comments that begin', '', '/*'],
    ['comments that begin and end', '', '/**/'],
    ['declarations that begin', '', 'event A('],
    ['tuples that begin', 'event A(', '('],
    ['parameters', 'event A(', 'uint a, '],
    ['spaces in a declaration', 'event A(uint', ' '],
    ['a name', 'event ', 'a'],
  ] as const;
  for (const [written, begin, unit] of byTurns(endless, 3, 0)) {
    it(`cost time in proportion to the source: ${written}`, async () => {
      const cost = async (length: number) => {
        const source = begin + unit.repeat(length / unit.length);
        const before = process.cpuUsage();
        assert.deepEqual(await find(source), []);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      };
      await cost(50_000);
      const short = await cost(90_000);
      const long = await cost(900_000);
      // Time of the processor, ten times the length: a hundred times the time would be quadratic, and take minutes.
      assert.ok(long < Math.max(1000, 30 * short), `${long} ms after ${short} ms`);
    });
  }
});

const PAID_WITHOUT_AMOUNT = 'event Paid()';

describe('deployments as far as they are known', () => {
  it('begin to be read with the first look, and are gone through again after a change only', async () => {
    const index = createContractIndex();
    let asked = 0;
    const contracts = {
      known: undefined as ContractIndex | undefined,
      state: { kind: 'idle' } as WorkspaceContracts['state'],
      index: async () => {
        asked++;
        return index;
      },
    };
    const known = createDeploymentCache(contracts as unknown as WorkspaceContracts, systemClock);
    assert.equal(await known.read(), undefined);
    assert.equal(asked, 1);

    contracts.known = index;
    contracts.state = { kind: 'reading', looked: 1, found: 2 };
    assert.equal(await known.read(), undefined);
    contracts.state = { kind: 'ready' };
    const first = await known.read();
    assert.deepEqual(first?.listWith(PAID_WITHOUT_AMOUNT), []);
    assert.equal(await known.read(), first);

    const vault = contractFacts('Vault', { source: 'A.sol', line: 1, abi: [PAID_WITHOUT_AMOUNT] });
    index.put('A.sol', factsOfContracts(vault));
    index.put('a.json', factsOfDeployments(deploymentFacts({ contract: 'Vault' })));
    contracts.state = { kind: 'reading', looked: 1, found: 2 };
    assert.equal(await known.read(), first);
    contracts.state = { kind: 'ready' };
    assert.equal((await known.read())?.listWith(PAID_WITHOUT_AMOUNT).length, 1);
  });
});

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
      index.put(folder + path, factsOfContracts(...contracts));
    }
    const deployments = deployed.map(([contract, chainId], at) =>
      deploymentFacts({ contract, chainId, address: toAddress(String(at)) }),
    );
    index.put('broadcast/run.json', factsOfDeployments(...deployments));
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
    const unrelated = contractNamed('Unrelated');
    for (const found of [where.contract(unrelated)?.deployments ?? [], await where.item(PAID, unrelated)])
      assert.deepEqual(shown(found), ['Unrelated 1', 'Unrelated 5']);
    assert.equal(where.contract(contractNamed('Base')), undefined);
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
    assert.equal(where.contract(contractNamed('Unrelated')), undefined);
  });
});
