import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import { quantity } from '../../../../localnet/chain/transactions.ts';
import { removeFolder } from '../../../../scripts/support/script.ts';
import { createMessage, formatMessage } from '../../../../src/core/base/text.ts';
import { createChainClient, systemClock } from '../../../../src/core/index.ts';
import { type CallFrame, isOutOfGas } from '../../../../src/core/traces/callFrame.ts';
import type { TraceReader } from '../../../../src/core/traces/fetchTrace.ts';
import { parseCallTracer } from '../../../../src/core/traces/parseCallTracer.ts';
import { parseStructLogTree } from '../../../../src/core/traces/structLogTree.ts';
import { slicing } from '../../../support/clocks.ts';
import { byTurns, describeInFullRun } from '../../../support/fullRun.ts';
import { runCli } from '../../../support/runCli.ts';
import {
  type BuildName,
  type Corpus,
  compileCorpus,
  findTrueLines,
  type LayoutName,
  writeProject,
} from '../../../support/traces/buildCorpus.ts';
import { type Failure, type SentCorpus, sendFailures } from '../../../support/traces/sendFailures.ts';
import { createTracer } from '../../../support/traces/tracer.ts';
import { requireTransaction, requireTransactionProvider } from '../../../support/transactions.ts';

/** What struct logs and the tracer of calls both tell. */
function outline({ type, from, to, value, input, output, error, logs, calls }: CallFrame): unknown {
  const halt = error === undefined ? 'none' : isOutOfGas({ error }) ? 'gas' : 'revert';
  // Those of a call that failed are undone, and told by anvil of the first call alone.
  const emitted = error === undefined ? logs : [];
  return { type, from, to, value, input, output, halt, emitted, calls: calls.map(outline) };
}

/** What Foundry writes. */
type Artifact = Readonly<Record<'deployedBytecode' | 'metadata' | 'rawMetadata', ReturnType<JSON['parse']>>>;

/** A corpus on a chain, and in the folder of a project. */
interface Setting {
  readonly corpus: Corpus;
  readonly sent: SentCorpus;
  readonly url: string;
  readonly folder: string;
}

const place = ({ file, line }: { readonly file: string; readonly line: number }) => `${file}:${line}`;

describe('the line where a transaction failed', () => {
  const anvils: Anvil[] = [];
  const folders: string[] = [];
  const chains = new Map<BuildName, Promise<Omit<Setting, 'folder'>>>();

  after(async () => {
    await Promise.all(anvils.map((anvil) => anvil.stop()));
    await Promise.all(folders.map(removeFolder));
  });

  async function startChain(build: BuildName): Promise<Omit<Setting, 'folder'>> {
    const corpus = await compileCorpus(build);
    const anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    anvils.push(anvil);
    const sent = await sendFailures(createNodeRpc(anvil.url), corpus);
    return { corpus, sent, url: anvil.url };
  }

  async function open(build: BuildName, layout: LayoutName): Promise<Setting> {
    const starting = chains.get(build) ?? startChain(build);
    chains.set(build, starting);
    const chain = await starting;
    const folder = await mkdtemp(join(tmpdir(), 'chainside-failed-'));
    folders.push(folder);
    await writeProject(folder, chain.corpus, layout);
    return { ...chain, folder };
  }

  /** Checks failures, and returns those whose line is not certain. */
  async function check(setting: Setting, failures: readonly Failure[]): Promise<readonly string[]> {
    const lines = findTrueLines(setting.corpus);
    const uncertain: string[] = [];
    const traceOne = await createTracer(setting.url, setting.folder);
    for (const { label, line, hash } of failures) {
      const { failedAt } = await traceOne(hash);
      const truth = line === undefined ? undefined : lines.get(line);
      assert.ok(failedAt, label);
      if (failedAt.certain) {
        assert.equal(place(failedAt), truth && place(truth), label);
        assert.equal(place(failedAt.stack[0] ?? assert.fail()), place(failedAt), label);
      } else {
        uncertain.push(label);
        if (truth) assert.ok(failedAt.candidates.map(place).includes(place(truth)), label);
      }
    }
    return uncertain;
  }

  /** Checks that of one of each `every` failures, and of those in `always`, these are uncertain. */
  async function checkSome(
    setting: Setting,
    slice: { every: number; turn: number; uncertain: readonly string[]; always?: readonly string[] },
  ): Promise<void> {
    const { every, turn, uncertain, always = [] } = slice;
    const some = byTurns(setting.sent.failures, every, turn);
    const failures = setting.sent.failures.filter(
      (failure) => some.includes(failure) || always.includes(failure.label),
    );
    const expected = uncertain.filter((label) => failures.some((failure) => failure.label === label));
    assert.deepEqual(await check(setting, failures), expected);
  }

  // Each trace reads the whole build of Hardhat again.
  for (const [layout, every, turn] of [
    ['foundry', 8, 0],
    ['hardhat2', 40, 5],
    ['hardhat3', 40, 10],
  ] as const) {
    it(`is certain in code that is not optimized, from the artifacts of ${layout}`, async function () {
      this.timeout(120_000);
      const setting = await open('plain', layout);
      assert.equal(setting.sent.failures.length, 72);
      const uncertain = ['notPayable', 'an unknown function', 'no member of the enum'];
      await checkSome(setting, { every, turn, uncertain, always: layout === 'foundry' ? uncertain : [] });
    });
  }

  it('has the call in the stack whose failure was passed on, not the line that passed it on', async function () {
    this.timeout(120_000);
    const setting = await open('plain', 'foundry');
    const lines = findTrueLines(setting.corpus);
    const traceOne = await createTracer(setting.url, setting.folder);
    for (const [label, line] of [
      ['rethrown', 'rethrownCall'],
      ['rethrown as a text', 'rethrownTextCall'],
      ['by a proxy', 'proxyCall'],
      ['through a call', 'throughCall'],
    ] as const) {
      const failure = setting.sent.failures.find((one) => one.label === label);
      const { failedAt } = await traceOne(failure?.hash ?? assert.fail(label));
      const [, caller] = failedAt?.certain ? failedAt.stack : [];
      assert.deepEqual(caller && place(caller), place(lines.get(line) ?? assert.fail(line)), label);
    }
  });

  it('says so where the code that failed is of no build, and names the call to it', async function () {
    this.timeout(120_000);
    const setting = await open('plain', 'foundry');
    await removeFolder(join(setting.folder, 'out', 'Failing.sol'));
    const lines = findTrueLines(setting.corpus);
    const traceOne = await createTracer(setting.url, setting.folder);
    const { Failing: address } = setting.sent.addresses;
    for (const [label, line] of [
      ['rethrown', 'rethrownCall'],
      ['by a proxy', 'proxyCall'],
      ['through a call', 'throughCall'],
    ] as const) {
      const failure = setting.sent.failures.find((one) => one.label === label);
      const { failedAt } = await traceOne(failure?.hash ?? assert.fail(label));
      assert.ok(failedAt?.certain, label);
      assert.equal(place(failedAt), place(lines.get(line) ?? assert.fail(line)), label);
      assert.deepEqual(failedAt.unknownCode, [{ address, contract: undefined }], label);
    }
  });

  it('says why a contract refused a call, with the line that declares its function', async function () {
    this.timeout(120_000);
    for (const build of ['plain', 'optimized'] as const) {
      const setting = await open(build, 'foundry');
      const lines = findTrueLines(setting.corpus);
      const traceOne = await createTracer(setting.url, setting.folder);
      for (const [label, why, declared] of [
        ['notPayable', 'Strict.add is not payable', ['notPayable']],
        ['an unknown function', 'Strict has no function absent (0xb0eae142), and no fallback function', []],
        ['no member of the enum', 'argument 1 of Kinds.side is not a valid Side', ['side']],
      ] as const) {
        const failure = setting.sent.failures.find((one) => one.label === label);
        const { failedAt } = await traceOne(failure?.hash ?? assert.fail(label));
        assert.ok(failedAt && !failedAt.certain, label);
        assert.equal(failedAt.why && formatMessage(failedAt.why), why, build);
        const expected = declared.map((line) => place(lines.get(line) ?? assert.fail(line)));
        assert.deepEqual(failedAt.candidates.map(place), expected, label);
      }
    }
  });

  it('is not certain where contracts of two files have the same code, without a hash of their sources', async function () {
    this.timeout(120_000);
    const setting = await open('noHash', 'foundry');
    const uncertain = ['copy', 'otherCopy', 'notPayable', 'an unknown function', 'no member of the enum'];
    await checkSome(setting, { every: 16, turn: 3, uncertain, always: uncertain });
  });

  it('is never wrong in optimized code, where equal parts of functions are merged', async function () {
    this.timeout(120_000);
    const setting = await open('optimized', 'foundry');
    const uncertain = [
      ...['bareRevertElse', 'bareRevertLast', 'sameTailFirst', 'sameTailSecond', 'twinOne', 'twinTwo'],
      ...['inLoop', 'triedTwice', 'noCode', 'shortReturn', 'notPayable', 'an unknown function'],
      ...['inMemory', 'recursive', 'givenText', 'baseConstructor', 'no member of the enum'],
    ];
    await checkSome(setting, { every: 4, turn: 2, uncertain });
    const traceOne = await createTracer(setting.url, setting.folder);
    const lines = findTrueLines(setting.corpus);
    // Other lines of the maps cannot fail so, and other functions are not called.
    for (const [label, count] of [
      ['sameTailFirst', 1],
      ['sameTailSecond', 1],
      ['bareRevertLast', 4],
      ['inMemory', 2],
      ['recursive', 1],
      ['noCode', 2],
    ] as const) {
      const { line, hash } = setting.sent.failures.find((one) => one.label === label) ?? assert.fail(label);
      const { failedAt } = await traceOne(hash);
      assert.ok(failedAt && !failedAt.certain, label);
      const [first] = failedAt.candidates;
      assert.deepEqual(
        [first && place(first), failedAt.candidates.length],
        [place(lines.get(line ?? '') ?? assert.fail(label)), count],
        label,
      );
    }
  });

  // In a short run, the settings alone say that: `viaIR` makes a line uncertain.
  describeInFullRun('by way of Yul, whose maps are not exact', () => {
    it('is never certain', async function () {
      this.timeout(120_000);
      const setting = await open('viaIr', 'foundry');
      const { failures } = setting.sent;
      assert.equal((await check(setting, failures)).length, failures.length);
    });
  });

  describe('in code that is not optimized', () => {
    let setting: Setting;
    let traceOne: Awaited<ReturnType<typeof createTracer>>;
    let client: TraceReader;

    before(async function () {
      this.timeout(60_000);
      setting = await open('plain', 'foundry');
      traceOne = await createTracer(setting.url, setting.folder);
      client = createChainClient({ fetch, clock: systemClock, url: setting.url });
    });

    const find = (label: string) =>
      setting.sent.failures.find((failure) => failure.label === label) ?? assert.fail(label);
    const failedAt = async (label: string, other: { folder?: string; client?: TraceReader } = {}) => {
      const trace = other.folder === undefined ? traceOne : await createTracer(setting.url, other.folder);
      return (await trace(find(label).hash, other.client)).failedAt ?? assert.fail(label);
    };

    /** Changes the artifact of the contract that failed, in a folder. */
    async function changeArtifact(folder: string, change: (built: Artifact) => object): Promise<void> {
      const artifact = join(folder, 'out', 'Failing.sol', 'Failing.json');
      await writeFile(artifact, JSON.stringify(change(JSON.parse(await readFile(artifact, 'utf8')))));
    }

    it('has the functions and calls above it', async () => {
      const stack = async (label: string) => {
        const found = await failedAt(label);
        return found.certain ? found.stack.map((entry) => entry.function) : assert.fail(label);
      };
      assert.deepEqual(await stack('modifier'), ['Base.onlyBig', 'Failing.big']);
      assert.deepEqual(await stack('externalLibrary'), ['Checks.limitFar', 'Failing.useFarLibrary']);
      assert.deepEqual(await stack('by a proxy'), ['Failing.requireText', 'Proxy.fallback']);
      assert.deepEqual(await stack('in a constructor'), ['Failing.constructor', 'Callers.create']);
      assert.deepEqual(await stack('inheritedBySuper'), ['Base.inherited', 'Failing.inherited']);
    });

    it('names contracts by their code, also those that the transaction created', async () => {
      const { root } = await traceOne(find('in a contract created before').hash);
      assert.deepEqual(
        [root.contract, ...root.calls.map(({ contract }) => contract)],
        ['Callers', 'Failing', 'Failing'],
      );
    });

    it('names the function that took a call without data', async () => {
      const { root } = await traceOne(find('receive').hash);
      assert.deepEqual([root.contract, root.received, root.call], ['Child', 'receive()', undefined]);
      assert.equal((await traceOne(find('fallback').hash)).root.received, undefined);
      // The other contract has a fallback function alone.
      const { root: sent } = await traceOne(find('transfer').hash);
      assert.deepEqual([sent.received, sent.calls[0]?.received], [undefined, undefined]);
    });

    /** A client to which the node tells other calls. */
    const retold = (change: (calls: CallFrame['calls']) => CallFrame['calls'], more = {}): TraceReader => ({
      ...client,
      async fetchTrace(...args) {
        const told = await client.fetchTrace(...args);
        if (told.state !== 'told') return told;
        return { ...told, ...more, root: { ...told.root, calls: change(told.root.calls) } };
      },
    });

    it('is that of the caller where a call never began, though the node only says that it failed', async () => {
      const terse = retold((calls) => calls.map((call) => ({ ...call, error: 'execution reverted' })));
      for (const label of ['transfer', 'createWithValue']) {
        const found = await failedAt(label, { client: terse });
        assert.equal(found.certain && found.line, findTrueLines(setting.corpus).get(label)?.line);
      }
    });

    it('is not certain where calls are missing, as one of them may have failed', async () => {
      const cut = retold(() => [], { cutReason: createMessage('Slow.') });
      for (const label of ['divide', 'writeProtected'])
        assert.equal((await failedAt(label, { client: cut })).certain, false);
    });

    it('is among the lines that the called function can run, where the node tells no steps', async () => {
      const stepless = { ...client, fetchSteps: async () => undefined };
      assert.deepEqual(await failedAt('customError', { client: stepless }), {
        certain: false,
        candidates: [{ file: 'src/Failing.sol', line: 27 }],
      });
      for (const { label, line, hash } of byTurns(setting.sent.failures, 16, 1)) {
        const found = (await traceOne(hash, stepless)).failedAt;
        const truth = findTrueLines(setting.corpus).get(line ?? '');
        // Any line can run out of gas.
        if (!found || !truth || line === 'outOfGas') continue;
        assert.ok(!found.certain && found.candidates.map(place).includes(place(truth)), label);
      }
    });

    it('is not certain after the source has changed, or was compiled again from other code', async () => {
      const { folder } = await open('plain', 'foundry');
      const source = join(folder, 'src', 'Failing.sol');
      const text = await readFile(source, 'utf8');
      await writeFile(source, text.replaceAll('\n', '\r\n'));
      assert.equal((await failedAt('divide', { folder })).certain, true);
      await writeFile(source, `\n${text}`);
      assert.equal((await failedAt('divide', { folder })).certain, false);
      await writeFile(source, text);
      await changeArtifact(folder, ({ deployedBytecode, ...built }) => {
        const object = deployedBytecode.object.replace('6080604052', '6080604053');
        return { ...built, deployedBytecode: { ...deployedBytecode, object } };
      });
      assert.equal((await failedAt('divide', { folder })).certain, false);
    });

    it('is not certain where builds disagree on the numbers of sources, or are gone', async () => {
      const { folder } = await open('plain', 'foundry');
      const info = join(folder, 'out', 'build-info');
      const write = (name: string, table: object) =>
        writeFile(join(info, name), JSON.stringify({ id: name, source_id_to_path: table }));
      const own = ['src/Callers.sol', 'src/Checks.sol', 'src/Failing.sol'];
      await write('cd34.json', { 0: 'src/Failing.sol', 1: 'src/Other.sol' });
      assert.equal((await failedAt('internalBare', { folder })).certain, true);
      await write('cd34.json', { ...own, 1: 'src/Other.sol' });
      // Both lines of the caller could fail so: the function must not pass for one that the compiler made.
      assert.equal((await failedAt('internalBare', { folder })).certain, false);
      assert.equal((await failedAt('bareFirst', { folder })).certain, true);
      await rm(info, { recursive: true });
      assert.equal((await failedAt('bareFirst', { folder })).certain, true);
      assert.equal((await failedAt('internalBare', { folder })).certain, false);
    });

    it('counts as optimized where parts of the optimizer are on, or the settings are unknown', async () => {
      const { folder } = await open('plain', 'foundry');
      for (const [more, certain] of [
        [{ viaIR: true }, false],
        [{ viaIR: undefined, optimizer: { enabled: false, details: { deduplicate: true } } }, true],
      ] as const) {
        await changeArtifact(folder, ({ metadata, ...built }) => {
          return { ...built, metadata: { ...metadata, settings: { ...metadata.settings, ...more } } };
        });
        assert.equal((await failedAt('divide', { folder })).certain, certain);
      }
      await changeArtifact(folder, ({ metadata, rawMetadata, ...built }) => built);
      assert.equal((await failedAt('divide', { folder })).certain, false);
    });

    it('reads no file outside of the workspace, whatever an artifact names', async () => {
      const { folder } = await open('plain', 'foundry');
      const inner = join(folder, 'inner');
      await cp(join(folder, 'out'), join(inner, 'out'), { recursive: true });
      await writeFile(join(inner, 'foundry.toml'), '');
      await changeArtifact(inner, (built) => {
        const { settings, sources } = built.metadata;
        settings.compilationTarget = { '../src/Failing.sol': 'Failing' };
        sources['../src/Failing.sol'] = sources['src/Failing.sol'];
        return built;
      });
      const table = { 0: '../src/Callers.sol', 1: '../src/Checks.sol', 2: '../src/Failing.sol' };
      const info = join(inner, 'out', 'build-info', 'ab12.json');
      await writeFile(info, JSON.stringify({ id: 'ab12', source_id_to_path: table }));
      assert.equal((await failedAt('divide', { folder: inner })).certain, false);
      // The same is read where it is inside.
      await rm(join(folder, 'out'), { recursive: true });
      const found = await failedAt('divide', { folder });
      assert.deepEqual(found.certain && found.file, 'src/Failing.sol');
    });

    it('is printed with the calls of a simulation, at its block and at the latest', async () => {
      const args = ['transaction', find('through a call').hash, '--simulate', '--rpc', setting.url];
      for (const at of [[], ['--block', 'latest']]) {
        const { stdout } = await runCli([...args, '--dir', setting.folder, ...at]);
        const { simulation, block, position, trace: traced } = JSON.parse(stdout);
        assert.equal(simulation.isOwnState, at.length === 0 && position === 0);
        assert.equal(BigInt(simulation.block) < BigInt(block), at.length === 0);
        assert.deepEqual(
          [simulation.tracedBy, simulation.trace.contract, simulation.trace.calls[0].function, traced],
          ['debug_traceCall', 'Callers', 'subtract(uint256,uint256)', undefined],
        );
        const { certain, file, line } = simulation.failedAt;
        assert.deepEqual([certain, { file, line }], [true, findTrueLines(setting.corpus).get('overflow')]);
      }
      const refused = JSON.parse((await runCli([...args, '--block', 'yesterday'])).stdout);
      assert.deepEqual([refused.error.kind, refused.error.field], ['badInput', 'block']);
    });

    it('has the same calls in struct logs as in those of the tracer of calls', async () => {
      const node = createNodeRpc(setting.url);
      const provider = await requireTransactionProvider('calls', setting.url);
      const { failures, caught, created } = setting.sent;
      for (const hash of [...byTurns(failures, 24, 3).map((failure) => failure.hash), caught, created]) {
        const transaction = await requireTransaction(provider, hash);
        const { from, to, input, value, gasLimit = 0n } = transaction;
        const call = { from, to, input, value: quantity(value), gas: quantity(gasLimit) };
        const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true } };
        const [traced, logged] = await Promise.all([
          node.call('debug_traceCall', [call, 'latest', tracer]),
          node.call('debug_traceCall', [call, 'latest', { enableMemory: true }]),
        ]);
        const expected = (await parseCallTracer(traced, slicing))?.root ?? assert.fail();
        const tree = await parseStructLogTree(logged, { ...transaction, created: expected.to }, slicing);
        assert.deepEqual(outline(tree?.root ?? assert.fail(hash)), outline(expected), hash);
      }
    });

    it('is found with broken artifacts beside', async () => {
      const { folder } = await open('plain', 'foundry');
      const broken = { abi: [{ type: 'function', name: 'divide', inputs: [], outputs: [] }], id: -1 };
      for (const [name, code] of [
        ['A', { object: '0x', sourceMap: ';;;' }],
        ['B', { object: 7, sourceMap: [], linkReferences: { a: { b: [{ start: -1, length: 1e9 }] } } }],
        ['C', null],
      ] as const) {
        const content = { ...broken, bytecode: code, deployedBytecode: code, metadata: [] };
        await writeFile(join(folder, 'out', `${name}.json`), JSON.stringify(content));
      }
      await writeFile(join(folder, 'out', 'D.json'), '{"abi":[],"deployedBytecode":{"object":"0x');
      assert.equal((await failedAt('divide', { folder })).certain, true);
    });
  });
});
