import assert from 'node:assert/strict';
import { commands, EventEmitter, Uri, window, workspace } from 'vscode';
import {
  type Address,
  AppError,
  createHistoryCache,
  createVersionLookup,
  mergeLookups,
  type Origin,
  parseAbiItem,
  systemClock,
  type TokenUnits,
} from '../../../src/core/index.ts';
import { createLogDecoding, createTokenUnitsCache } from '../../../src/host/logDecoding.ts';
import { createAddressNames } from '../../../src/host/names/addressNames.ts';
import { type MemoryContracts, memoryContracts } from '../../support/host/memoryFiles.ts';
import { anyNetwork } from '../../support/stubs.ts';

const CHAIN = 31337;
const NETWORK = anyNetwork(CHAIN);
const NODE_ELSEWHERE = { ...NETWORK, rpcUrl: 'http://127.0.0.1:2' };
const TOKEN = `0x${'5f'.repeat(20)}` as const;
const OTHER = `0x${'6f'.repeat(20)}` as const;
const twins = [`0x${'7a'.repeat(20)}`, `0x${'7b'.repeat(20)}`] as const;

/** A chain whose contracts answer with `units`; counts the questions. */
function chainWith(units: (contract: Address) => Promise<TokenUnits | undefined>, chainId = CHAIN) {
  const asked: Address[] = [];
  const fetchTokenUnits = (contract: Address) => {
    asked.push(contract);
    return units(contract);
  };
  return { network: anyNetwork(chainId), client: { fetchTokenUnits }, asked };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('units of tokens', () => {
  it('are read once for each contract, and told when they are there', async () => {
    const chain = chainWith(async () => ({ symbol: 'HUSD', decimals: 6 }));
    const units = createTokenUnitsCache();
    let told = 0;
    units.onDidChange(() => told++);
    assert.equal(units.unitsOf(TOKEN, NETWORK), undefined);
    void units.fetch([TOKEN, OTHER], chain);
    void units.fetch([TOKEN], chain);
    await settled();
    assert.deepEqual(chain.asked, [TOKEN, OTHER]);
    assert.deepEqual([units.unitsOf(TOKEN, NETWORK), told], [{ symbol: 'HUSD', decimals: 6 }, 1]);
    void units.fetch([TOKEN], chain);
    await settled();
    assert.equal(chain.asked.length, 2);
    units.dispose();
  });

  it('are there for each who waits for them, also if another has asked', async () => {
    let answer: (found: TokenUnits) => void = () => undefined;
    const chain = chainWith(() => new Promise((resolve) => (answer = resolve)));
    const units = createTokenUnitsCache();
    void units.fetch([TOKEN], chain);
    const fetched = units.fetch([TOKEN], chain);
    answer({ symbol: 'HUSD', decimals: 6 });
    await fetched;
    assert.deepEqual(units.unitsOf(TOKEN, NETWORK), { symbol: 'HUSD', decimals: 6 });
    assert.deepEqual(chain.asked, [TOKEN]);
    units.dispose();
  });

  it('are of each chain by itself, asked where the logs are of, and stay unknown where no answer comes', async () => {
    const chain = chainWith(() => Promise.reject(new Error('no')));
    const other = chainWith(async () => ({ symbol: 'OTH', decimals: 2 }), CHAIN + 1);
    const units = createTokenUnitsCache();
    void units.fetch([TOKEN], chain);
    void units.fetch([TOKEN], other);
    await settled();
    assert.deepEqual([chain.asked, other.asked], [[TOKEN], [TOKEN]]);
    assert.equal(units.unitsOf(TOKEN, NETWORK), undefined);
    assert.deepEqual(units.unitsOf(TOKEN, other.network), { symbol: 'OTH', decimals: 2 });
    units.dispose();
  });

  it('are of each node by itself where both have the chain ID of development', async () => {
    const one = chainWith(async () => ({ symbol: 'ONE', decimals: 6 }));
    const two = { ...chainWith(async () => ({ symbol: 'TWO', decimals: 18 })), network: NODE_ELSEWHERE };
    const units = createTokenUnitsCache();
    void units.fetch([TOKEN], one);
    void units.fetch([TOKEN], two);
    await settled();
    assert.equal(units.unitsOf(TOKEN, one.network)?.symbol, 'ONE');
    assert.equal(units.unitsOf(TOKEN, two.network)?.symbol, 'TWO');
    units.dispose();
  });
});

const root = () => workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');

function meaningWith(contracts: MemoryContracts, changedUnits = new EventEmitter<void>()) {
  const changedNames = new EventEmitter<void>();
  const { lookup, abiAt } = contracts.known ?? assert.fail('Nothing is known.');
  const histories = createHistoryCache(systemClock);
  return createLogDecoding({
    noteAddresses: () => undefined,
    verified: {
      lookup: mergeLookups(),
      prefetch: async () => undefined,
      signatures: mergeLookups(),
      prefetchSelectors: async () => false,
      prefetchAbis: async () => false,
      abiAt: () => undefined,
      contractAt: () => undefined,
      verifiedOn: async () => [],
      clear: () => undefined,
      onDidChange: new EventEmitter<void>().event,
      dispose: () => undefined,
    },
    creations: {
      clear: () => undefined,
      at: () => undefined,
      identityAt: () => undefined,
      prefetch: async () => false,
    },
    reader: {
      openDeclaration: async () => true,
      openContract: async () => false,
      findSource: async () => undefined,
      dispose: () => undefined,
    },
    lookup: createVersionLookup({ lookups: [lookup], known: { abiAt }, histories }),
    histories,
    contracts,
    names: createAddressNames({
      providers: [
        {
          names: () => [
            { address: TOKEN, name: 'Treasury', provider: 'mine', chainId: undefined },
            { address: OTHER, name: 'Old treasury', provider: 'mine', chainId: undefined },
            ...twins.map(
              (address) => ({ address, name: 'Twin', provider: 'mine', chainId: undefined }) as const,
            ),
          ],
          onDidChange: changedNames.event,
        },
      ],
      index: () => contracts.known,
    }),
    units: {
      clear: () => undefined,
      unitsOf: () => undefined,
      fetch: async () => undefined,
      forgetNames: () => undefined,
      onDidChange: changedUnits.event,
    },
  });
}

describe('units of a token that a server failed to tell', () => {
  it('are asked for again where that may pass', async () => {
    for (const [kind, times] of [
      ['unavailable', 2],
      ['rpc', 1],
    ] as const) {
      const chain = chainWith(() => Promise.reject(new AppError(kind, 'No units.')));
      const units = createTokenUnitsCache();
      void units.fetch([TOKEN], chain);
      await settled();
      void units.fetch([TOKEN], chain);
      await settled();
      assert.equal(chain.asked.length, times, kind);
      units.dispose();
    }
  });
});

describe('what gives logs a meaning', () => {
  const abi = ['event Done()'];
  const log = { address: TOKEN, topics: [topic0Of('event Done()')], data: '0x' } as const;

  it('tells what of it has changed, and decodes by what is known then', () => {
    const contracts = memoryContracts(root());
    const changedUnits = new EventEmitter<void>();
    const meaning = meaningWith(contracts, changedUnits);
    const told: string[] = [];
    meaning.onDidChange((change) => told.push(change));
    assert.ok('reason' in meaning.decoder(NETWORK).decode(log));
    contracts.put('A.sol', {
      contracts: [{ name: 'A', source: 'A.sol', line: 1, abi, itemLines: [1] }],
    });
    assert.ok('event' in meaning.decoder(NETWORK).decode(log));
    contracts.become({ kind: 'ready' });
    changedUnits.fire();
    assert.deepEqual(told, ['events', 'units']);
    meaning.dispose();
  });

  it('finds addresses by a part of their names, letter case aside', () => {
    const meaning = meaningWith(memoryContracts(root()));
    assert.deepEqual(meaning.findAddressesByName('TREAS', CHAIN), [OTHER, TOKEN]);
    assert.deepEqual(meaning.findAddressesByName('old', CHAIN), [OTHER]);
    assert.equal(meaning.nameOf(TOKEN, CHAIN), 'Treasury');
    assert.deepEqual(meaning.findAddressesByName('twin', CHAIN), twins);
    for (const twin of twins)
      assert.deepEqual(meaning.findAddressesByName(meaning.nameOf(twin, CHAIN) ?? '', CHAIN), [twin]);
    meaning.dispose();
  });
});

describe('the declaration of an event', () => {
  const shown = () => {
    const { document, selection } = window.activeTextEditor ?? assert.fail('No editor is shown.');
    return [document.uri.path, selection.active.line];
  };

  it('is opened where a contract inherits or uses it, else the file of the contract', async () => {
    const folder = Uri.joinPath(root(), 'declared');
    const write = (name: string, text: string) =>
      workspace.fs.writeFile(Uri.joinPath(folder, name), new TextEncoder().encode(text));
    await write(
      'Base.sol',
      'import "./Pay.sol";\ncontract Base {\n  event Done();\n  function f() external { emit Pay.Paid(1); }\n}',
    );
    await write('Pay.sol', '\nlibrary Pay {\n\n  event Paid(uint amount);\n}');
    await write('A.sol', 'import "./Base.sol";\ncontract A is Base {}\n');
    const meaning = meaningWith(memoryContracts(root()));
    try {
      const origin: Origin = { trust: 'deployment', from: 'declared/A.sol', contract: 'A', line: undefined };
      await meaning.openOrigin(origin, 'event Done()');
      assert.deepEqual(shown(), [`${folder.path}/Base.sol`, 2]);
      await meaning.openOrigin(origin, 'event Paid(uint256 amount)');
      assert.deepEqual(shown(), [`${folder.path}/Pay.sol`, 3]);
      await meaning.openOrigin(origin, 'event Gone()');
      assert.deepEqual(shown(), [`${folder.path}/A.sol`, 0]);
    } finally {
      meaning.dispose();
      await commands.executeCommand('workbench.action.closeAllEditors');
      await workspace.fs.delete(folder, { recursive: true });
    }
  });

  it('is opened at its line, in a file of the workspace only', async () => {
    const folder = Uri.joinPath(root(), 'declared');
    const file = Uri.joinPath(folder, 'A.sol');
    await workspace.fs.writeFile(file, new TextEncoder().encode('contract A {\n\n  event Done();\n}\n'));
    const meaning = meaningWith(memoryContracts(root()));
    try {
      const origin: Origin = { trust: 'workspace', from: 'declared/A.sol', contract: 'A', line: 3 };
      const bundled: Origin = { ...origin, trust: 'bundled' };
      assert.deepEqual([meaning.canOpen(origin), meaning.canOpen(bundled)], [true, false]);
      await meaning.openOrigin(bundled, 'event Done()');
      assert.notEqual(window.activeTextEditor?.document.uri.path, file.path);
      await meaning.openOrigin(origin, 'event Done()');
      assert.deepEqual(shown(), [file.path, 2]);
    } finally {
      meaning.dispose();
      await commands.executeCommand('workbench.action.closeAllEditors');
      await workspace.fs.delete(folder, { recursive: true });
    }
  });
});

function topic0Of(text: string) {
  const event = parseAbiItem(text);
  return event?.kind === 'event' ? event.topic0 : assert.fail(text);
}
