import assert from 'node:assert/strict';
import {
  commands,
  MarkdownString,
  Range,
  type TextDocument,
  type Uri,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import {
  type Address,
  type AddressCheck,
  type CodeComparison,
  type IndexedContract,
  type IndexedDeployment,
  toChecksumAddress,
} from '../../../../src/core/index.ts';
import { createEventCountCache, type EventCountCache } from '../../../../src/features/source/countEvents.ts';
import { queryLogsOfDeployment, showDeployments } from '../../../../src/features/source/deployments.ts';
import { createSourceFeatures, type SourceFeatures } from '../../../../src/features/source/sourceFeatures.ts';
import type { ViewValues } from '../../../../src/features/source/viewValues.ts';
import type { CodeTarget } from '../../../../src/host/code/codeVerdicts.ts';
import type { CheckedDeploymentDeps } from '../../../../src/host/contracts/queryDeployment.ts';
import type { Lens } from '../../../../src/host/ui/languageFeatures.ts';
import { createMarkdown } from '../../../../src/host/ui/markdown.ts';
import type { DeploymentChoice } from '../../../../src/manifest.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { type AddressView, noVerdicts, useAddressView } from '../../../support/host/addressView.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { type MemoryContracts, memoryContracts } from '../../../support/host/memoryFiles.ts';
import { useNotedCommands } from '../../../support/host/notedCommands.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../../support/host/settings.ts';
import { codeComparison, contractFacts, deploymentFacts } from '../../../support/projectFacts.ts';

const VAULT: Address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const OTHER: Address = `0x${'22'.repeat(20)}`;
const CHAIN = 31337;

const BASE = `abstract contract Base {
  event Paid(address indexed by, uint amount);
}`;
const SOURCE = `import "./Base.sol";
error Low(uint have);
contract Vault is Base {
  event Opened(Level level);
  enum Level { LOW }
  function f() external {
    emit Paid(msg.sender, 1);
    revert Low(2);
  }
}`;
const ALARM = 'contract Alarm {\n  event Raised(Level level);\n}';
const PAID = 'event Paid(address indexed by, uint256 amount)';
const OPENED = 'event Opened(uint8 level)';

describe('in a source', () => {
  let contracts: MemoryContracts;
  let inSource: SourceFeatures;
  let folder: Uri;
  const person = useDialogs();
  let counts: EventCountCache;
  /** What lenses of public state show, by its declaration. */
  const read = new Map<string, ReturnType<ViewValues['get']>>();
  const values: ViewValues = { get: ({ declaration }) => read.get(declaration) };
  let clock: ReturnType<typeof createTestClock>;
  /** How often the lenses were to be asked for again, as something was counted. */
  let told = 0;
  const { signal } = new AbortController();

  useNetworks(() => ({
    here: { name: 'Here', chainId: CHAIN, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH' },
    there: { name: 'There', chainId: 5, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH' },
  }));
  const view = useAddressView('here');

  before(async () => {
    folder = workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
    await write('in-source/Base.sol', BASE);
  });
  beforeEach(() => {
    contracts = memoryContracts(folder);
    const { session, settings } = view;
    deps = { session, settings, contracts, checkDeployments: async () => undefined };
    clock = createTestClock();
    told = 0;
    counts = createEventCountCache(session, () => told++);
    inSource = createSourceFeatures({ ...view, contracts, clock, counts, values });
  });
  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    counts.dispose();
    contracts.dispose();
  });
  let deps: CheckedDeploymentDeps & Pick<AddressView, 'session'>;

  async function write(path: string, text: string): Promise<TextDocument> {
    const uri = folder.with({ path: `${folder.path}/${path}` });
    // A file that is written anew with what it has would have its document read again at any time.
    const before = await workspace.fs.readFile(uri).then(
      (bytes) => new TextDecoder().decode(bytes),
      () => undefined,
    );
    if (before !== text) await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    const document = await workspace.openTextDocument(uri);
    await waitUntil(() => document.getText() === text);
    return document;
  }

  function deploy(...deployed: readonly (readonly [chainId: number, address: Address])[]): void {
    const source = 'in-source/Vault.sol';
    contracts.put(source, { contracts: [contractFacts('Vault', { source, line: 3, abi: [PAID, OPENED] })] });
    const deployments = deployed.map(([chainId, address], at) =>
      deploymentFacts({ chainId: String(chainId), address, contract: 'Vault', block: BigInt(1234 - at) }),
    );
    contracts.put('broadcast/run-latest.json', { deployments });
  }

  const shown = async (document: TextDocument) => {
    let lenses: readonly Lens[] | undefined;
    // As the editor, which asks again where the text has changed meanwhile.
    for (let tries = 0; !lenses && tries < 100; tries++) {
      lenses = await inSource.lensesOf(document, { signal });
    }
    return (lenses ?? []).map(({ at, show }) => ({ at, ...show() }));
  };
  const lenses = async (document: TextDocument) =>
    (await shown(document)).map(({ at, title }) => `${at.line} ${title}`);

  it('stands one lens on an event, and nothing more where nothing is deployed', async () => {
    const document = await write('in-source/Vault.sol', SOURCE);
    assert.deepEqual(await lenses(document), ['3 Query…']);
    const [query] = await shown(document);
    assert.deepEqual([query?.command, query?.argument], ['chainside.queryLogs', { event: OPENED }]);
    assert.deepEqual(await lenses(await write('in-source/Empty.sol', 'contract A { uint a; }')), []);
  });

  it('is read once for as long as nothing has changed', async () => {
    deploy([CHAIN, VAULT]);
    await write('in-source/Vault.sol', SOURCE);
    const base = await write('in-source/Base.sol', BASE);
    // The list is made for an event that is deployed with a contract that inherits it.
    const list = async () => (await inSource.eventsIn(base, { signal }))[0]?.deployments;
    const first = await list();
    assert.equal(first?.length, 1);
    assert.equal(await list(), first);
    deploy([CHAIN, VAULT], [5, OTHER]);
    assert.equal((await list())?.length, 2);
  });

  it('shows the same until a file that it depends on has changed, saved or not', async () => {
    const levels = await write('in-source/Levels.sol', 'enum Level { LOW }');
    const document = await write('in-source/Alarm.sol', `import "./Levels.sol";\n${ALARM}`);
    const argument = async () => (await shown(document))[0]?.argument;
    assert.deepEqual(await argument(), { event: 'event Raised(uint8 level)' });
    assert.deepEqual(await argument(), { event: 'event Raised(uint8 level)' });

    const edit = new WorkspaceEdit();
    edit.replace(levels.uri, new Range(0, 0, 0, levels.getText().length), 'type Level is uint64;');
    await workspace.applyEdit(edit);
    assert.deepEqual(await argument(), { event: 'event Raised(uint64 level)' });
    await levels.save();
  });

  it('shows the same until its imports lead elsewhere', async () => {
    await write('in-source/app/lib/one/Level.sol', 'enum Level { LOW }');
    await write('in-source/app/lib/two/Level.sol', 'type Level is uint64;');
    await write('in-source/app/remappings.txt', 'level/=lib/one/');
    const document = await write('in-source/app/Alarm.sol', `import "level/Level.sol";\n${ALARM}`);
    const argument = async () => (await shown(document))[0]?.argument;
    assert.deepEqual(await argument(), { event: 'event Raised(uint8 level)' });
    await write('in-source/app/remappings.txt', 'level/=lib/two/');
    await clock.sleep(2_000);
    assert.deepEqual(await argument(), { event: 'event Raised(uint64 level)' });
  });

  it('follows imports through the remappings of a library', async () => {
    await write('in-source/nested/foundry.toml', '[profile.default]\n');
    await write('in-source/nested/lib/x/remappings.txt', '@levels/=lib/levels/code/');
    await write('in-source/nested/lib/x/src/Level.sol', 'import "@levels/Level.sol";');
    await write('in-source/nested/lib/x/lib/levels/code/Level.sol', 'type Level is uint32;');
    const document = await write('in-source/nested/src/Alarm.sol', `import "x/Level.sol";\n${ALARM}`);
    assert.deepEqual((await shown(document))[0]?.argument, { event: 'event Raised(uint32 level)' });
  });

  it('stands where a contract and its events are deployed, also those that it inherits', async () => {
    deploy([CHAIN, VAULT]);
    const [ofContract, , query] = await shown(await write('in-source/Vault.sol', SOURCE));
    assert.equal(ofContract?.title, 'Deployed on Here · 0x5FbD…0aa3');
    assert.deepEqual([ofContract?.at.line, query?.at.line, query?.title], [2, 3, 'Query…']);
    assert.match(query?.tooltip?.join() ?? '', /^Vault · Here · 0x5FbD/);
    const ofBase = await lenses(await write('in-source/Base.sol', BASE));
    assert.deepEqual(ofBase, ['1 Count Logs', '1 Query…']);
  });

  it('stands the value of public state, and the offer to read it, where it is deployed on the active chain', async () => {
    const count = 'function count() view returns (uint256)';
    const source = `import "./Base.sol";
contract Vault is Base {
  uint public count;
  mapping(address => uint) public paid;
  function total() external view returns (uint) {}
  function pay() external {}
}`;
    deploy([CHAIN, VAULT], [5, OTHER]);
    const document = await write('in-source/Vault.sol', source);
    assert.deepEqual((await lenses(document)).slice(1), ['2 Read…', '3 Read…', '4 Read…']);
    read.set(count, { text: '12.00 HUSD', amount: 12_000_000n, block: 7n });
    const [, value, offer] = await shown(document);
    assert.deepEqual([value?.title, offer?.title], ['= 12.00 HUSD', 'Read…']);
    assert.deepEqual(value?.tooltip, ['12000000', 'In block 7 on Here']);
    const file = 'broadcast/run-latest.json';
    const deployments = [{ account: VAULT, chainId: CHAIN, contractName: 'Vault', fromBlock: '1234', file }];
    for (const lens of [value, offer]) {
      assert.equal(lens?.command, 'chainside.readContract');
      assert.deepEqual(lens?.argument, { name: 'count', deployments, shown: '0x06661abd' });
    }
    assert.deepEqual(await inSource.viewsIn(document, { signal }), [
      { address: VAULT, declaration: count },
      { address: VAULT, declaration: 'function total() view returns (uint256)' },
    ]);
    read.clear();
    deploy([5, OTHER]);
    assert.deepEqual((await lenses(document)).slice(1), []);
  });

  describe('of several deployments on the active chain', () => {
    const count = 'function count() view returns (uint256)';
    const source = 'in-source/Vault.sol';
    const [newest, older] = [VAULT, OTHER];
    const deployRuns = (...times: readonly number[]) => {
      const artifact = 'out/Vault.json';
      const vault = contractFacts('Vault', { source, line: 1, abi: [OPENED, count] });
      contracts.put(source, { contracts: [vault] });
      contracts.put(artifact, { contracts: [{ ...vault, line: undefined }] });
      const deployments = [older, newest].map((address, at) =>
        deploymentFacts({
          chainId: String(CHAIN),
          address,
          contract: 'Vault',
          block: 5n,
          time: times[at] ?? 0,
        }),
      );
      contracts.put('broadcast/run-latest.json', { deployments });
    };
    const open = () => write(source, 'contract Vault { event Opened(uint8 level); uint public count; }');

    it('stands the value at the newest, which it says, and the offer to read any', async () => {
      deployRuns(1000, 2000);
      const document = await open();
      assert.deepEqual(await inSource.viewsIn(document, { signal }), [
        { address: newest, declaration: count },
      ]);
      read.set(count, { text: '12', amount: undefined, block: 7n });
      const [value, offer] = (await shown(document)).filter(({ command }) => command?.includes('read'));
      assert.equal(value?.title, '= 12 · newest of 2');
      assert.match(value?.tooltip?.join() ?? '', /^,In block 7 on Here,Vault · Here · 0x5FbD\w+ · block 5$/);
      const accounts = [value, offer].map(
        (lens) => (lens?.argument as DeploymentChoice | undefined)?.deployments,
      );
      assert.deepEqual(
        accounts.map((each) => each?.map(({ account }) => account)),
        [[newest], [newest, older]],
      );
      // Those of one run are both meant.
      deployRuns(2000, 2000);
      assert.deepEqual(await inSource.viewsIn(document, { signal }), []);
      assert.ok(!(await lenses(document)).some((title) => title.includes('=')));
    });

    it('stands the verdict on the newest, also where an older one runs what was built then', async () => {
      deployRuns(1000, 2000);
      const document = await open();
      const compared = new Map<Address, CodeComparison>();
      const verdicts = {
        ...noVerdicts,
        get: ({ address }: CodeTarget) => compared.get(address),
        listTargets: (deployments: readonly IndexedDeployment[], contract?: IndexedContract) =>
          contract ? deployments.map(({ address }) => ({ address, contract })) : [],
      };
      inSource = createSourceFeatures({ ...view, contracts, clock, counts, values, verdicts });
      const code = async () =>
        (await shown(document)).find(({ command }) => command?.includes('compareCode'));
      const compare = (address: Address, match: CodeComparison['match']) =>
        compared.set(address, codeComparison({ address, match }));
      assert.equal((await code())?.title, 'Compare Code…');
      compare(older, 'different');
      assert.equal((await code())?.title, 'Different code at 1 of 2');
      compare(newest, 'exact');
      assert.equal((await code())?.title, 'Same code · newest of 2');
      assert.deepEqual((await code())?.tooltip, [
        ...['0x5FbD…0aa3 · Same code', 'In block 7 on Here'],
        ...['0x2222…2222 · Different code', 'In block 7 on Here'],
      ]);
      assert.match(await hover(document, 'Vault {'), /\*\*0x5FbD…0aa3 · Same code\*\*/);
      compare(newest, 'different');
      assert.equal((await code())?.title, 'Different code · newest of 2');
      deployRuns(2000, 2000);
      compare(newest, 'exact');
      assert.equal((await code())?.title, 'Different code at 1 of 2');
    });

    it('stands how many deployments a count covers', async () => {
      deployRuns(1000, 2000);
      const document = await open();
      const seen = {
        ...{ count: 4, isWhole: true, fromBlock: 5n, toBlock: 9n, reasons: [], deployments: 2 },
        ...{ addresses: [newest, older], last: undefined },
      };
      counts.put(deps.session.connection, new Map([[OPENED, seen]]));
      assert.ok((await lenses(document)).includes('0 4 logs · 2 deployments'));
    });
  });

  it('stands that a contract is not on the node of this machine, once that has said so', async () => {
    const missing = new Map([[VAULT, { state: 'missing' } as const]]);
    deploy([CHAIN, VAULT]);
    contracts.settle(CHAIN, missing);
    const document = await write('in-source/Vault.sol', SOURCE);
    assert.equal((await lenses(document))[0], '2 Not on Here · 0x5FbD…0aa3');
    const { tooltip } = (await shown(document))[0] ?? assert.fail('no lens');
    assert.match(tooltip?.join() ?? '', /^Vault · Here · not on this node · 0x5F/);
    // It may be at the same address of another chain: on this one there is nothing to count.
    deploy([CHAIN, VAULT], [5, VAULT]);
    assert.equal((await lenses(document))[0], '2 2 deployments, 1 not on Here');
    assert.ok(!(await lenses(document)).includes('3 Count Logs'));
    deploy([5, VAULT]);
    assert.equal((await lenses(document))[0], '2 Deployed on There · 0x5FbD…0aa3');
    deploy([CHAIN, VAULT], [CHAIN, OTHER]);
    contracts.settle(CHAIN, new Map([...missing, [OTHER, { state: 'missing' } as const]]));
    assert.equal((await lenses(document))[0], '2 2 deployments, none on Here');
  });

  it('has only the deployment that the node has, after it was started anew', async () => {
    deploy([CHAIN, VAULT], [CHAIN, OTHER]);
    contracts.settle(CHAIN, new Map([[VAULT, { state: 'missing' } as const]]));
    const document = await write('in-source/Vault.sol', 'contract Vault { uint public count; }');
    assert.equal((await lenses(document))[0], '0 Deployed on Here · 0x2222…2222');
    const views = await inSource.viewsIn(document, { signal });
    assert.deepEqual(
      views.map(({ address }) => address),
      [OTHER],
    );
  });

  it('stands where a contract behind a proxy runs, and not on its bare code', async () => {
    const proxy = OTHER;
    const record = { contract: 'Vault', transaction: undefined };
    const run = { implementation: VAULT, contract: { name: 'Vault', path: 'in-source/Vault.sol' } };
    deploy([CHAIN, VAULT]);
    contracts.put('src/VaultProxy.sol', {
      contracts: [contractFacts('VaultProxy', { source: 'src/VaultProxy.sol' })],
    });
    const facts = { chainId: String(CHAIN), address: proxy, contract: 'VaultProxy', block: 3n };
    contracts.put('broadcast/Proxy.json', { deployments: [deploymentFacts(facts)] });
    const current = { state: 'current', record } as const;
    const proxied = { state: 'current', record: { ...record, contract: 'VaultProxy' }, runs: [run] } as const;
    contracts.settle(
      CHAIN,
      new Map<Address, AddressCheck>([
        [VAULT, current],
        [proxy, proxied],
      ]),
    );
    const document = await write('in-source/Vault.sol', SOURCE);
    assert.equal((await lenses(document))[0], '2 Deployed on Here · through VaultProxy · 0x2222…2222');
    const query = (await shown(document)).find(({ title }) => title === 'Query…');
    const { deployments } = (query ?? assert.fail('no query')).argument as DeploymentChoice;
    assert.deepEqual(
      deployments.map(({ account }) => account),
      [proxy],
    );
    const counted = { count: 4, isWhole: true, reasons: [], fromBlock: 0n, toBlock: 9n, last: undefined };
    counts.put(
      view.session.connection,
      new Map([[OPENED, { ...counted, addresses: [proxy], deployments: 1 }]]),
    );
    assert.ok((await lenses(document)).includes('3 4 logs · through VaultProxy'));
    // Nothing runs it any more: its own code is all there is.
    contracts.settle(
      CHAIN,
      new Map<Address, AddressCheck>([
        [VAULT, current],
        [proxy, { ...proxied, runs: [] }],
      ]),
    );
    assert.equal((await lenses(document))[0], '2 Deployed on Here · 0x5FbD…0aa3');
  });

  it('stands how often an event has fired once it was counted, and nothing of one that was not', async () => {
    deploy([CHAIN, VAULT], [5, OTHER]);
    const document = await write('in-source/Vault.sol', SOURCE);
    const before = await shown(document);
    const count = before.find(({ title }) => title === 'Count Logs') ?? assert.fail('No lens counts.');
    assert.deepEqual(
      [count.command, count.argument],
      ['chainside.countEvents', { file: document.uri.toString(), event: OPENED }],
    );
    const seen = {
      ...{ count: 12_034, isWhole: true, fromBlock: 1234n, toBlock: 5000n, reasons: [], deployments: 1 },
      ...{ addresses: [VAULT], last: { block: 4999n, time: 1_699_999_825_000 } },
    };
    const { connection } = deps.session;
    counts.put(connection, new Map([[OPENED, seen]]));
    assert.equal(told, 1);
    const [, figure] = await shown(document);
    assert.equal(figure?.title, '12,034 logs');
    assert.deepEqual(figure?.tooltip, [
      'On Here: complete, blocks 1,234 to 5,000',
      'Last log in block 4,999, 2023-11-14T22:10:25Z',
      'Deployments: 1',
    ]);
    assert.deepEqual(
      [figure?.command, figure?.argument],
      ['chainside.queryLogs', { address: [VAULT], event: OPENED, chainId: CHAIN, run: true }],
    );
    // That of the base, which nobody has counted.
    const ofBase = await lenses(await write('in-source/Base.sol', BASE));
    assert.equal(ofBase.at(-2), '1 Count Logs');
    counts.put(connection, new Map([[PAID, { ...seen, count: 0, last: undefined }]]));
    const never = await lenses(await write('in-source/Base.sol', BASE));
    assert.equal(never.at(-2), '1 No logs');
    await selectNetwork('there');
    assert.equal(counts.get(OPENED, [VAULT]), undefined);
    counts.put(connection, new Map([[OPENED, seen]]));
    assert.equal(counts.get(OPENED, [VAULT]), undefined);
  });

  it('stands how many there are of several, those of the active chain first', async () => {
    deploy([5, OTHER], [CHAIN, VAULT], [999, OTHER]);
    const document = await write('in-source/Vault.sol', SOURCE);
    const [ofContract, , query] = await shown(document);
    assert.deepEqual([ofContract?.title, query?.title], ['3 deployments', 'Query…']);
    assert.match(String(query?.tooltip?.[0]), /^Vault · Here · 0x5FbD/);
  });

  it('stands the same in Vyper, with the contract on its first line', async () => {
    const path = 'in-source/Pool.vy';
    const pool = contractFacts('Pool', { source: path, line: 1, abi: ['event Ramp(uint256 at)'] });
    contracts.put(path, { contracts: [pool] });
    const deployment = deploymentFacts({ contract: 'Pool', chainId: '5', address: VAULT });
    contracts.put('a.json', { deployments: [deployment] });
    const document = await write(
      path,
      '# a pool\nevent Ramp:\n    at: uint256\n\ndef f():\n    log Ramp(at=1)\n',
    );
    const [ofContract, query] = await lenses(document);
    assert.equal(ofContract, '0 Deployed on There · 0x5FbD…0aa3');
    assert.equal(query, '1 Query…');
    assert.match(await hover(document, 'log Ramp'), /Query Logs of Pool on There/);
    assert.match(await hover(document, 'Ramp:'), /\*\*Ramp\*\* \\\(uint256 at\\\)/);
  });

  async function hover(document: TextDocument, at: string, into = at.length - 2): Promise<string> {
    const offset = document.getText().indexOf(at) + into;
    const found = await inSource.hoverAt(document, document.positionAt(offset), { signal });
    if (!found) return '';
    assert.ok(createMarkdown(found.lines) instanceof MarkdownString);
    return createMarkdown(found.lines).value.replace(/\\([·\-.])/g, '$1');
  }

  it('a hover on emit and revert says what is meant, and leads to its logs', async () => {
    const document = await write('in-source/Vault.sol', SOURCE);
    assert.match(
      await hover(document, 'emit Paid'),
      /\[Query Logs of Paid\]\(command:chainside\.queryLogs\?/,
    );
    deploy([CHAIN, VAULT]);
    const paid = await hover(document, 'emit Paid');
    assert.match(paid, /\*\*Paid\*\* \\\(address indexed by, uint256 amount\\\)/);
    assert.match(paid, /topic0 0x[0-9a-f]{64} · \[Copy\]\(command:chainside\.copyValue\?/);
    assert.match(paid, /\[Query Logs of Vault on Here\]\(command:chainside\.queryLogsOfDeployment\?/);
    const low = await hover(document, 'revert Low');
    assert.match(low, /\*\*Low\*\* \\\(uint256 have\\\)\n\nselector 0x42a39a38 · \[Copy\]/);
    assert.match(await hover(document, 'event Opened'), /\*\*Opened\*\* \\\(uint8 level\\\)/);
    assert.match(await hover(document, 'error Low'), /selector 0x42a39a38/);
  });

  it('no hover is on other words, such as the arguments', async () => {
    const document = await write('in-source/Vault.sol', SOURCE);
    for (const at of ['msg.sender', 'Level level', 'Vault is', 'function f', 'enum Level', 'have)']) {
      assert.equal(await hover(document, at, 1), '', at);
    }
  });

  describe('a lens or link', () => {
    // Of another network selected the editor is told as well, at a time of its own.
    const run = useNotedCommands((id) => id.startsWith('chainside.') && id !== 'chainside.selectNetwork');
    const choice = {
      name: 'Paid',
      event: PAID,
      deployments: [
        { account: VAULT, chainId: CHAIN, contractName: 'Vault', fromBlock: '1234' },
        { account: OTHER, chainId: 5, contractName: 'Vault' },
      ],
    };

    it('queries the event where the user picks, on its network', async () => {
      person.picks = ['Vault · Here', 'Vault · There'];
      await queryLogsOfDeployment(deps, choice);
      const query = { address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', event: PAID, run: true };
      assert.deepEqual(run, [['chainside.queryLogs', query]]);
      person.presses = ['Switch to There'];
      await queryLogsOfDeployment(deps, choice);
      await waitUntil(() => view.session.network.id === 'there');
      assert.deepEqual(person.told, ['Vault is deployed on There, not on Here.']);
      assert.equal(run.length, 2);
    });

    it('tells deployments of one contract apart by block, age and address', async () => {
      const time = Date.now() - 73 * 3_600_000;
      const deployments = [
        { account: VAULT, chainId: CHAIN, contractName: 'Vault', fromBlock: '1234', time },
        { account: OTHER, chainId: CHAIN, contractName: 'Vault', fromBlock: '17' },
      ];
      await queryLogsOfDeployment(deps, { ...choice, deployments });
      assert.deepEqual(
        person.lists[0]?.items.slice(1).map(({ description, detail }) => [description, detail]),
        [
          [toChecksumAddress(VAULT), 'block 1,234 · 3 days ago'],
          [toChecksumAddress(OTHER), 'block 17'],
        ],
      );
    });

    it('does with a deployment what its rows in the view do', async () => {
      const one = { ...choice, deployments: choice.deployments.slice(0, 1) };
      person.picks = ['Look Up', 'Copy Address'];
      await showDeployments(deps, one);
      await showDeployments(deps, one);
      const account = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
      assert.deepEqual(run, [
        ['chainside.lookUpAddress', { account, chainId: CHAIN, contractName: 'Vault' }],
        ['chainside.copyAddress', account],
      ]);
    });

    it('takes nothing that is no choice of deployments', async () => {
      for (const argument of [
        undefined,
        7,
        {},
        { ...choice, deployments: [{ account: '0x12', chainId: 1 }] },
      ]) {
        await queryLogsOfDeployment(deps, argument);
        await showDeployments(deps, argument);
      }
      assert.deepEqual(run, []);
    });
  });
});
