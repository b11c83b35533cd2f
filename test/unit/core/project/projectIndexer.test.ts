import assert from 'node:assert/strict';
import {
  createProjectIndexer,
  type IndexedContract,
  type ProjectIndexer,
  parseAbiItem,
  systemClock,
} from '../../../../src/core/index.ts';
import type { ProjectIndexerOptions } from '../../../../src/core/project/projectIndexer.ts';
import { type MemoryProject, memoryProject, memoryTextStore } from '../../../support/memory.ts';
import { pick } from '../../../support/pick.ts';

const uint = { name: 'amount', type: 'uint256', internalType: 'uint256' };

/** An artifact as forge writes it. */
function artifact(name: string, source: string, events: readonly string[] = ['Paid']): string {
  const settings = { compilationTarget: { [source]: name } };
  return JSON.stringify({
    abi: events.map((event) => ({
      type: 'event',
      name: event,
      inputs: [{ ...uint, indexed: false }],
      anonymous: false,
    })),
    bytecode: { object: '0x60', linkReferences: {} },
    metadata: { compiler: { version: '0.8.30' }, settings, version: 1 },
    id: 0,
  });
}

const toml = '[profile.default]\n[labels]\n"0x00000000000000000000000000000000000000aa" = "Treasury"\n';
const vault =
  'import "./Types.sol";\ncontract Vault {\n  event Moved(Order order);\n  event Paid(uint256 amount);\n}\n';
const types = 'struct Order { address to; uint256 amount; }\n';
const broadcast = JSON.stringify({
  transactions: [
    {
      hash: `0x${'1'.repeat(64)}`,
      transactionType: 'CREATE',
      contractName: 'Vault',
      contractAddress: `0x${'b'.repeat(40)}`,
    },
  ],
  receipts: [
    {
      status: '0x1',
      transactionHash: `0x${'1'.repeat(64)}`,
      blockNumber: '0x10',
      contractAddress: `0x${'b'.repeat(40)}`,
    },
  ],
  chain: 31337,
  commit: 'abc1234',
});

const workspace = {
  'foundry.toml': toml,
  'src/Vault.sol': vault,
  'src/Types.sol': types,
  'out/Vault.sol/Vault.json': artifact('Vault', 'src/Vault.sol'),
  'out/Lib.sol/Lib.json': artifact('Lib', 'lib/x/src/Lib.sol'),
  'lib/x/src/Lib.sol': 'contract Lib {}',
  'broadcast/Deploy.s.sol/31337/run-latest.json': broadcast,
};

function indexer(files: MemoryProject, options: Partial<ProjectIndexerOptions> = {}): ProjectIndexer {
  return createProjectIndexer({ files, roots: [''], clock: systemClock, ...options });
}

async function indexed(
  texts: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<ProjectIndexerOptions> = {},
) {
  const files = memoryProject(texts);
  const made = indexer(files, options);
  await made.update('all');
  return { files, made, index: made.index, update: made.update };
}

const told = ({ name, source, line, artifact: from }: IndexedContract) => ({
  name,
  source,
  line,
  artifact: from,
});

describe('The indexer of projects', () => {
  it('reads artifacts, sources, deployments and labels of a project', async () => {
    const { index, made } = await indexed(workspace);
    assert.deepEqual(index.contracts.map(told), [
      { name: 'Lib', source: 'lib/x/src/Lib.sol', line: undefined, artifact: 'out/Lib.sol/Lib.json' },
      { name: 'Vault', source: 'src/Vault.sol', line: 2, artifact: 'out/Vault.sol/Vault.json' },
    ]);
    assert.deepEqual(pick(index.contracts, 'isOwn'), [false, true]);
    assert.deepEqual(index.contracts[1]?.itemLines, [4]);
    const [deployment] = index.deployments;
    assert.deepEqual(
      [deployment?.chainId, deployment?.contract, deployment?.block, deployment?.commit],
      ['31337', 'Vault', 16n, 'abc1234'],
    );
    assert.equal(deployment && index.contractOf(deployment)?.name, 'Vault');
    assert.deepEqual(pick(index.labels, 'name', 'file'), [['Treasury', 'foundry.toml']]);
    assert.deepEqual(made.skipped, []);
  });

  it('reads a source whose functions outside of contracts emit and revert, also between sessions', async () => {
    const store = { store: memoryTextStore(), version: '1' };
    const source = `error TooMuch(uint256 wanted); event Limited(address by);
function below(uint256 wanted) pure { if (wanted > 1) revert TooMuch(wanted); } function limit() { emit Limited(msg.sender); }
contract Till { event Taken(); function take() external { below(2); limit(); emit Taken(); } }`;
    const first = await indexed({ 'src/Limits.sol': source }, { store });
    const expected = [
      [
        'Till',
        ['event Taken()', 'function take()', 'error TooMuch(uint256 wanted)', 'event Limited(address by)'],
      ],
    ];
    assert.deepEqual(pick(first.index.contracts, 'name', 'abi'), expected);
    await first.made.save();
    const again = indexer(first.files, { store });
    await again.update('all');
    assert.deepEqual(pick(again.index.contracts, 'name', 'abi'), expected);
  });

  it('reads UTF-16, and says of each file that it cannot read why', async () => {
    const wide = (text: string, isBig = false) => {
      const bytes = Buffer.from(text, 'utf16le');
      return new Uint8Array(isBig ? bytes.swap16() : bytes);
    };
    const abi = '\ufeff[{"type":"event","name":"Wide","inputs":[]}]';
    const { index, made } = await indexed({
      'foundry.toml': wide('\ufeff[profile.default]\nsrc = "code"\nremappings = ["@dep/=there/"]'),
      'code/Little.sol': wide('import "@dep/Dep.sol"; contract Little is Dep { event A(); } // Grüße 你好'),
      'there/Dep.sol': wide('contract Dep { event B(); }', true),
      'code/Big.sol': wide('\ufeffcontract Big { event A(); }', true),
      'abis/Wide.json': wide(abi),
      'code/Binary.sol': Uint8Array.from({ length: 300 }, (_, n) => (n * 7) % 256),
      'abis/Binary.json': Uint8Array.of(0, 1, 2, 3, 0, 0, 0),
      'code/Empty.sol': '',
    });
    assert.deepEqual(pick(index.contracts, 'name', 'abi'), [
      ['Big', ['event A()']],
      ['Dep', ['event B()']],
      ['Little', ['event A()', 'event B()']],
      ['Wide', ['event Wide()']],
    ]);
    const reason = 'It is not text in UTF-8 or UTF-16.';
    const files = [
      { path: 'abis/Binary.json', reason },
      { path: 'code/Binary.sol', reason },
    ];
    assert.deepEqual(made.skipped, files);
    assert.deepEqual(index.skippedFiles, { files, count: 2 });
  });

  it('says which files it could not open, and which are links', async () => {
    const files = memoryProject({
      'src/A.sol': 'contract A {}',
      'src/B.sol': 'contract B {}',
      'src/C.sol': '',
    });
    const made = indexer({
      ...files,
      read: async (path, most) => (path === 'src/A.sol' ? undefined : files.read(path, most)),
      list: async (folder) =>
        (await files.list(folder)).map((entry) =>
          entry.name === 'C.sol' ? { ...entry, kind: 'other' as const } : entry,
        ),
    });
    await made.update('all');
    assert.deepEqual(pick(made.skipped, 'path', 'reason'), [
      ['src/A.sol', 'It cannot be opened. Check its permissions.'],
      ['src/C.sol', 'It is a symbolic link or no ordinary file. Links are not followed.'],
    ]);
    assert.deepEqual(pick(made.index.contracts, 'name'), ['B']);
  });

  it('knows the members of enums, of sources and of what is compiled, also between sessions', async () => {
    const store = { store: memoryTextStore(), version: '1' };
    const given = { name: 'Given', indexed: true, type: 'uint8', internalType: 'enum Payroll.Role' };
    const abi = [{ type: 'event', name: 'Given', inputs: [{ ...given, name: 'role' }], anonymous: false }];
    const { made, files } = await indexed(
      {
        'src/Payroll.sol':
          'contract Payroll { enum Role { Employee, Auditor } event Given(Role indexed role); }',
        'out/Payroll.sol/Payroll.json': JSON.stringify({
          ...JSON.parse(artifact('Payroll', 'src/Payroll.sol', [])),
          abi,
        }),
      },
      { store },
    );
    await made.save();
    const later = indexer(files, { store });
    await later.update('all');
    const event = parseAbiItem('event Given(uint8 indexed role)');
    assert.ok(event?.kind === 'event');
    for (const { index } of [made, later]) {
      const [found] = index.lookup.events(event.topic0);
      const type = found?.item.inputs[0]?.type;
      assert.ok(type?.kind === 'uint');
      assert.deepEqual(type.enumeration, { name: 'Payroll.Role', members: ['Employee', 'Auditor'] });
    }
  });

  it('says in one line which imports are not found, until they are there', async () => {
    const source =
      'import "@oz/contracts@5.0.2/Gate.sol";\nimport "https://github.com/Oz/oz-contracts/blob/v5/contracts/Door.sol";\ncontract MyToken is Gate, Door {}\n';
    const { files, index, made, update } = await indexed({
      'contracts/MyToken.sol': source,
      'contracts/Plain.vy': 'from ethereum.ercs import IERC20\nimplements: IERC20\n',
    });
    const skipped = () => made.skipped.map(({ path, reason }) => `${path}: ${reason}`);
    assert.deepEqual(skipped(), [
      'contracts/MyToken.sol: Import not found: @oz/contracts@5.0.2/Gate.sol, https://github.com/Oz/oz-contracts/blob/v5/contracts/Door.sol. Inherited members are missing. Install the package or add a remapping.',
    ]);
    files.write('node_modules/@oz/contracts/Gate.sol', 'contract Gate { event GateOpened(uint256 id); }');
    files.write('lib/oz-contracts/contracts/Door.sol', 'contract Door { event DoorOpened(uint256 id); }');
    await update('all');
    assert.deepEqual(skipped(), []);
    assert.deepEqual(index.contractNamed('MyToken')[0]?.abi, [
      'event GateOpened(uint256 id)',
      'event DoorOpened(uint256 id)',
    ]);
  });

  it('finds several projects, each by its own layout, below each root', async () => {
    const { index } = await indexed(
      {
        'a/packages/one/foundry.toml': '[profile.default]\nout = "build-forge"\n',
        'a/packages/one/build-forge/T.sol/T.json': artifact('T', 'src/T.sol'),
        'a/packages/one/src/T.sol': 'contract T {}',
        'b/hardhat.config.ts': '',
        'b/artifacts/contracts/T.sol/T.json': JSON.stringify({
          ...{ _format: 'hh-sol-artifact-1', contractName: 'T', sourceName: 'contracts/T.sol', abi: [] },
        }),
        'b/contracts/T.sol': '\ncontract T {}',
        'b/node_modules/p/artifacts/N.json': artifact('N', 'n.sol'),
      },
      { roots: ['a', 'b'] },
    );
    assert.deepEqual(
      index.contracts.map(({ project, ...rest }) => [project, told({ project, ...rest })]),
      [
        [
          'a/packages/one',
          {
            ...{ name: 'T', source: 'a/packages/one/src/T.sol', line: 1 },
            artifact: 'a/packages/one/build-forge/T.sol/T.json',
          },
        ],
        [
          'b',
          { name: 'T', source: 'b/contracts/T.sol', line: 2, artifact: 'b/artifacts/contracts/T.sol/T.json' },
        ],
      ],
    );
  });

  it('tells a broken file in one line, and reads the rest', async () => {
    const { files, made } = await indexed({ ...workspace, 'out/B.sol/B.json': '{"abi": [' });
    assert.equal(made.index.contracts.length, 2);
    assert.deepEqual(pick(made.skipped, 'path'), ['out/B.sol/B.json']);
    assert.match(made.skipped[0]?.reason ?? '', /^[^\n]+$/);
    files.write('out/B.sol/B.json', artifact('B', 'src/B.sol'));
    await made.update(['out/B.sol/B.json']);
    assert.deepEqual([made.skippedCount, made.index.contractNamed('B').length], [0, 1]);
  });

  it('reads again only what was written, and takes it in', async () => {
    const { files, index, update } = await indexed(workspace);
    files.takeReads();
    files.write('out/Vault.sol/Vault.json', artifact('Vault', 'src/Vault.sol', ['Paid', 'Refunded']));
    await update(['out/Vault.sol/Vault.json', 'README.md', 'src']);
    assert.deepEqual(files.takeReads(), ['out/Vault.sol/Vault.json']);
    assert.equal(index.contractNamed('Vault')[0]?.abi.length, 2);
    files.touch('out/Vault.sol/Vault.json');
    await update('all');
    assert.deepEqual(files.takeReads(), ['foundry.toml', 'out/Vault.sol/Vault.json']);
  });

  it('reads what is told to have changed, though its size and time are what they were', async () => {
    const { files, index, update } = await indexed(workspace);
    files.writeAtOnce('out/Vault.sol/Vault.json', artifact('Vault', 'src/Vault.sol', ['Sent']));
    await update(['out/Vault.sol/Vault.json']);
    assert.deepEqual(index.contractNamed('Vault')[0]?.abi, ['event Sent(uint256 amount)']);
  });

  it('reads all where nothing can be loaded of what was kept', async () => {
    const store = { load: () => Promise.reject(new Error('no')), save: async () => undefined };
    const { index } = await indexed(workspace, { store: { store, version: '1' } });
    assert.equal(index.contracts.length, 2);
  });

  it('follows what comes and goes, files and folders', async () => {
    const { files, index, update } = await indexed(workspace);
    files.write('src/new/N.sol', 'contract N { event E(); }');
    await update(['src/new']);
    assert.equal(index.contractNamed('N').length, 1);
    files.write('src/new/N.sol', undefined);
    files.write('out/Lib.sol/Lib.json', undefined);
    await update(['src/new', 'out/Lib.sol']);
    assert.deepEqual(pick(index.contracts, 'name'), ['Vault']);
    const labels = [{ address: `0x${'c'.repeat(40)}`, name: 'Reserve' }];
    files.write('.chainside/labels.json', JSON.stringify({ labels }));
    await update(['.chainside/labels.json']);
    assert.deepEqual(pick(index.labels, 'name'), ['Reserve', 'Treasury']);
    files.write('node_modules/p/N.sol', 'contract N {}');
    await update(['node_modules/p/N.sol']);
    assert.deepEqual(index.contractNamed('N'), []);
  });

  for (const path of ['src/Types.sol', 'lib/x/Types.sol']) {
    it(`resolves sources again when one that they import changes, goes or comes: ${path}`, async () => {
      const importing = vault.replace('./Types.sol', path);
      const { files, index, update } = await indexed({ 'src/Vault.sol': importing, [path]: types });
      const changed = 'struct Order { bool done; }';
      // A file of a library that was never there is not looked for again.
      const texts = path.startsWith('src') ? [types, changed, undefined, types] : [types, changed, undefined];
      for (const text of texts) {
        files.write(path, text);
        await update([path]);
        const moved = index.contractNamed('Vault')[0]?.abi.find((item) => item.includes('Moved'));
        const order = text === types ? '(address to, uint256 amount)' : '(bool done)';
        assert.equal(moved, text && `event Moved(${order} order)`);
        assert.equal(index.contracts.length, 1);
      }
    });
  }

  it('goes by a layout that has changed', async () => {
    const { files, index, update } = await indexed({
      ...workspace,
      'made/M.sol/M.json': artifact('M', 'src/M.sol'),
    });
    files.write('foundry.toml', '[profile.default]\nout = "made"\nlibs = ["out"]\n');
    await update(['foundry.toml']);
    assert.deepEqual(pick(index.contracts, 'name', 'isOwn'), [
      ['Lib', true],
      ['M', true],
      ['Vault', true],
    ]);
    assert.deepEqual(index.labels, []);
  });

  it('keeps what it has read between sessions, and reads only what was written since', async () => {
    const store = memoryTextStore();
    const kept = { store, version: '1' };
    const label = { address: `0x${'c'.repeat(40)}`, contract: 'src/Vault.sol:Vault', chainId: 31337 };
    const labels = JSON.stringify({ labels: [label] });
    const { files, index, made } = await indexed(
      { ...workspace, '.chainside/labels.json': labels },
      { store: kept },
    );
    await made.save();
    files.takeReads();
    const two = indexer(files, { store: kept });
    await two.update('all');
    assert.deepEqual(files.takeReads(), ['foundry.toml']);
    assert.deepEqual(two.index.contracts, index.contracts);
    assert.deepEqual(two.index.deployments, index.deployments);
    assert.deepEqual(two.index.labels, index.labels);
    const before = store.text;
    store.text = undefined;
    await two.save();
    assert.equal(store.text, undefined);
    store.text = before;
    files.write('src/Types.sol', undefined);
    files.write('out/Lib.sol/Lib.json', undefined);
    const three = indexer(files, { store: kept });
    await three.update('all');
    assert.deepEqual(pick(three.index.contracts, 'name'), ['Vault']);
    assert.deepEqual(three.index.contracts[0]?.itemLines, [4]);
    files.write('out/Vault.sol/Vault.json', undefined);
    await three.update(['out/Vault.sol/Vault.json']);
    assert.deepEqual(three.index.contracts[0]?.abi, ['event Paid(uint256 amount)']);
    await three.save();
    assert.ok(!store.text?.includes('Lib.json'));
  });

  it('takes nothing from what another release kept, or from what is broken', async () => {
    const store = memoryTextStore();
    const files = memoryProject(workspace);
    const one = indexer(files, { store: { store, version: '1' } });
    await one.update('all');
    await one.save();
    const whole = store.text ?? '';
    const texts = [
      '',
      'nonsense',
      whole.replace('"1"', '"2"'),
      whole.slice(0, whole.length / 2),
      `${whole}\n["f"]`,
    ];
    for (const text of [...texts, whole.replaceAll('[[[', '[[["x",'), whole.replace(/\[\d+\]/g, '[999]')]) {
      store.text = text;
      const two = indexer(files, { store: { store, version: '1' } });
      await two.update('all');
      assert.deepEqual(two.index.contracts, one.index.contracts);
      assert.deepEqual(two.index.deployments, one.index.deployments);
    }
  });

  it('ends when it is stopped, and the next update is whole', async () => {
    const stop = new AbortController();
    const files = memoryProject(workspace);
    const made = indexer(files, { onProgress: () => stop.abort() });
    await assert.rejects(made.update('all', { signal: stop.signal }));
    assert.ok(made.index.contracts.length < 2);
    await made.update([]);
    assert.equal(made.index.contracts.length, 2);
  });

  it('leaves out a file that is too large, and names that lead out of the workspace', async () => {
    const { index, made } = await indexed({
      'foundry.toml': '',
      'out/A.json': artifact('A', '../../../etc/A.sol'),
      'out/B.json': artifact('B', '/etc/passwd'),
      'out/C.json': `"${' '.repeat(16 * 1024 * 1024)}"`,
    });
    assert.deepEqual(pick(index.contracts, 'name', 'source'), [
      ['A', undefined],
      ['B', undefined],
    ]);
    assert.deepEqual(made.skipped, [{ path: 'out/C.json', reason: 'It is larger than 16 MiB.' }]);
  });

  it('reads no more files than a slow file system allows, compiler output first', async () => {
    const made = indexer({ ...memoryProject(workspace), maxFiles: 2 });
    await made.update('all');
    const [skipped] = made.skipped;
    assert.match(skipped?.reason ?? '', /^Only the first 2 files are read\. \d+ are left out\.$/);
    assert.deepEqual([made.index.contractNamed('Lib').length, made.index.deployments.length], [1, 1]);
    assert.equal(made.skipped.length, 1, 'the first that is left out');
  });
});
