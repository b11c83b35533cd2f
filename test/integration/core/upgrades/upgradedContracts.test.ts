import assert from 'node:assert/strict';
import { type DialectName, defaultDialect, dialects } from '../../../../localnet/explorer/dialects.ts';
import { deployUpgrades, type UpgradedContracts } from '../../../../localnet/upgrades/upgradedContracts.ts';
import type { UndecodedReason } from '../../../../src/core/abi/eventDecoder.ts';
import {
  type Address,
  type ArgumentColumn,
  type ContractIndex,
  createChainClient,
  createHistoryCache,
  createLogDecoder,
  createLogFilter,
  createLogStore,
  createVersionLookup,
  emptyLogView,
  encodeLogs,
  extendLogView,
  type HistoryCache,
  type Log,
  loadStandardLookup,
  systemClock,
  type VersionLookup,
} from '../../../../src/core/index.ts';
import { createImplementationHistory } from '../../../../src/core/upgrades/implementationHistory.ts';
import { decodeImplementationChange } from '../../../../src/core/upgrades/upgradeEvents.ts';
import type { DecodedRow } from '../../../../src/features/logs/decoded/cells.ts';
import { RowReader } from '../../../../src/features/logs/decoded/rowReader.ts';
import { getArgumentIndex } from '../../../../src/features/logs/protocol/grid.ts';
import { createOfflineDecoding } from '../../../support/decodingStubs.ts';
import { parseCsv } from '../../../support/exportFiles.ts';
import { type GrowingLocalnet, growingLocalnet } from '../../../support/sharedLocalnet.ts';
import { anyNetwork, l10n, rowTimes } from '../../../support/stubs.ts';
import {
  fetchAllLogs,
  findEmitter,
  getDecodedValues,
  getExpectedValues,
  indexProject,
  plainValue,
  upgradedProject,
} from '../../../support/upgradedContracts.ts';

const CHAIN = 31337;
/** What no log tells: set by a constructor, or run before the upgrade was told of. */
const UNTOLD = ['LedgerV1', 'WalletV1', 'LedgerV1', 'WalletV1', 'RollingV2'];
const isArgument = (column: string): column is ArgumentColumn => column.startsWith('argument');

/** Fisher and Yates, always the same way. */
function shuffled<T>(values: readonly T[]): readonly T[] {
  const mixed = [...values];
  let state = 7;
  for (let last = mixed.length - 1; last > 0; last--) {
    state = (state * 48271) % 2147483647;
    const other = state % (last + 1);
    [mixed[last], mixed[other]] = [mixed[other] as T, mixed[last] as T];
  }
  return mixed;
}

describe('upgraded contracts', () => {
  let localnet: GrowingLocalnet;
  let contracts: UpgradedContracts;
  let logs: readonly Log[];
  let index: ContractIndex;

  before(async () => {
    localnet = await growingLocalnet();
    contracts = await deployUpgrades(localnet.node);
    await localnet.catchUp();
    logs = await fetchAllLogs(contracts, localnet.rpcUrl);
    index = await indexProject(upgradedProject(contracts));
  });

  async function lookupBy(histories: Pick<HistoryCache, 'historyOf'>, known = index): Promise<VersionLookup> {
    const lookups = [known.lookup, await loadStandardLookup()];
    return createVersionLookup({ lookups, known, histories });
  }

  async function readLookup(url = localnet.rpcUrl, known = index): Promise<VersionLookup> {
    const histories = createHistoryCache(systemClock);
    const lookup = await lookupBy(histories, known);
    const source = createChainClient({ url, fetch, clock: systemClock });
    assert.equal(
      await histories.read(lookup.missingHistories(logs, CHAIN), { chainId: CHAIN, client: source }),
      true,
    );
    return lookup;
  }

  /** Histories out of upgrades that a server told so. */
  function historiesOf(told: readonly Log[]): Pick<HistoryCache, 'historyOf'> {
    const through = Number(logs.at(-1)?.blockNumber);
    const facts = { from: 0, through, isUncertain: false };
    return { historyOf: ({ address }) => createImplementationHistory({ address, logs: told, ...facts }) };
  }

  /** Which contracts' logs stay raw, and why; fails where one is wrong. */
  function judge(
    lookup: VersionLookup,
  ): readonly { readonly contract: string; readonly reason: UndecodedReason }[] {
    const decoder = createLogDecoder({ lookup, chainId: CHAIN });
    return logs.flatMap((log) => {
      const { contract } = findEmitter(contracts, log);
      const decoded = decoder.decode(log);
      if ('reason' in decoded) return [{ contract, reason: decoded.reason }];
      assert.deepEqual(getDecodedValues(decoded), getExpectedValues(log, contract, contracts), contract);
      return [];
    });
  }

  const namesOf = (raw: ReturnType<typeof judge>) => raw.map(({ contract }) => contract);

  it('have the logs that their receipts tell of', () => {
    assert.equal(logs.length, contracts.truth.length);
  });

  it('are decoded by the version in force at each log, with what an explorer tells', async () => {
    const raw = judge(await readLookup());
    assert.deepEqual(namesOf(raw), UNTOLD);
    const doubts = raw.map(({ reason }) => (reason.code === 'version' ? reason.reason : reason.code));
    assert.deepEqual(doubts, ['constructor', 'constructor', 'constructor', 'constructor', 'several']);
  });

  for (const dialect of Object.keys(dialects) as DialectName[]) {
    it(`are decoded so with what Blockscout ${dialect} tells`, async () => {
      localnet.setDialect(dialect);
      try {
        assert.deepEqual(namesOf(judge(await readLookup())), UNTOLD);
      } finally {
        localnet.setDialect(defaultDialect);
      }
    });
  }

  it('are decoded so with what a node tells', async () => {
    assert.deepEqual(namesOf(judge(await readLookup(localnet.anvilUrl))), UNTOLD);
  });

  it('name the version and the block from which it was in force', async () => {
    const decoder = createLogDecoder({ lookup: await readLookup(), chainId: CHAIN });
    const named = new Set<string>();
    for (const log of logs) {
      const { contract } = findEmitter(contracts, log);
      const decoded = decoder.decode(log);
      if ('reason' in decoded || !decoded.code) continue;
      named.add(contract);
      assert.equal(decoded.origin.contract, contract);
      const deployed = contracts.deployed.find(({ name }) => name === contract);
      assert.equal(decoded.code?.address, deployed?.address);
      const since = decoded.code?.since?.block ?? assert.fail('no block');
      assert.ok(since >= Number(deployed?.block) && since <= Number(log.blockNumber));
    }
    assert.ok(named.size >= 12, [...named].join());
  });

  it('are decoded alike in whatever order and how often their upgrades come', async () => {
    const told = shuffled([...logs, ...logs]);
    assert.deepEqual(namesOf(judge(await lookupBy(historiesOf(told)))), UNTOLD);
  });

  it('are never decoded wrong where the server says that upgrades may be missing', async () => {
    const upgrades = logs.filter((log) => decodeImplementationChange(log));
    assert.ok(upgrades.length > 10, `${upgrades.length} upgrades`);
    for (const missing of upgrades) {
      const told = upgrades.filter((log) => log !== missing);
      const histories: Pick<HistoryCache, 'historyOf'> = {
        historyOf({ address }) {
          const through = Number(logs.at(-1)?.blockNumber);
          return createImplementationHistory({ address, logs: told, from: 0, through, isUncertain: true });
        },
      };
      judge(await lookupBy(histories));
    }
  });

  it('are never decoded wrong behind the last block that was read', async () => {
    const blocks = new Set(logs.map(({ blockNumber }) => Number(blockNumber)));
    for (const through of blocks) {
      const told = logs.filter(({ blockNumber }) => Number(blockNumber) <= through);
      const facts = { from: 0, through, isUncertain: false };
      judge(
        await lookupBy({
          historyOf: ({ address }) => createImplementationHistory({ address, logs: told, ...facts }),
        }),
      );
    }
  });

  it('are never decoded wrong before anything was read', async () => {
    const raw = judge(await lookupBy({ historyOf: () => undefined }));
    assert.ok(raw.every(({ reason }) => reason.code === 'version' && reason.reason === 'unread'));
    assert.ok(raw.length > 0 && raw.length < logs.length);
  });

  for (const without of ['artifacts', 'deployments'] as const) {
    for (const name of ['VaultV1', 'VaultV2', 'LedgerV2', 'SharesV1', 'TradeFacetV1', 'WalletV2']) {
      it(`are never decoded wrong without the ${without} of ${name}`, async () => {
        const known = await indexProject(upgradedProject(contracts, { [without]: [name] }));
        const raw = judge(await readLookup(localnet.rpcUrl, known));
        assert.ok(raw.some(({ contract }) => contract === name));
        const others = raw.filter(({ contract }) => contract !== name && !UNTOLD.includes(contract));
        assert.deepEqual(others, []);
      });
    }
  }

  it('are never decoded wrong where no deployment is told', async () => {
    const deployments = contracts.deployed.map(({ name }) => name);
    judge(await readLookup(localnet.rpcUrl, await indexProject(upgradedProject(contracts, { deployments }))));
  });

  describe('in rows', () => {
    const asked = () => {
      const seen = new Map<string, { readonly address: Address; readonly logs: Log[] }>();
      for (const log of logs) {
        const key = `${log.address} ${log.topics[0]}`;
        const one = seen.get(key) ?? { address: log.address, logs: [] };
        one.logs.push(log);
        seen.set(key, one);
      }
      return [...seen.values()];
    };

    async function readerOf(lookup: VersionLookup, address: Address, own: readonly Log[]) {
      const reader = new RowReader(createOfflineDecoding(lookup), l10n, rowTimes());
      const topics = own[0]?.topics[0] ? [[own[0].topics[0]]] : [];
      reader.queried = {
        filter: createLogFilter({ addresses: [address], topics, fromBlock: 0n, toBlock: 'latest' }),
        ...{ network: anyNetwork(CHAIN), client: undefined as never },
      };
      const store = createLogStore();
      store.append(own);
      return { reader, store };
    }

    /** By the column of a row: what it is by the truth; undefined where the row stays raw. */
    function truthOf({ log, decoded }: DecodedRow, name: string): string | undefined {
      if ('reason' in decoded) return undefined;
      return getExpectedValues(log, findEmitter(contracts, log).contract, contracts)[name];
    }

    const compare = (a: string, b: string) => {
      const [x, y] = [a, b].map((text) => BigInt(JSON.parse(text) as string));
      return x === y ? 0 : (x as bigint) < (y as bigint) ? -1 : 1;
    };

    it('show, sort and filter by the values of their versions', async () => {
      const lookup = await readLookup();
      let columnsSeen = 0;
      for (const { address, logs: own } of asked()) {
        const { reader, store } = await readerOf(lookup, address, own);
        const event = reader.findEvent(store);
        for (const column of reader.listColumns(store)) {
          const place = getArgumentIndex(column.id);
          const input = place === undefined ? undefined : event?.inputs[place];
          if (!input || !isArgument(column.id) || input.type.kind === 'array' || input.type.kind === 'bytes')
            continue;
          columnsSeen++;
          const truth = own.map((log) => truthOf(reader.read(log, store), input.name));
          for (const [row, log] of own.entries()) {
            const shown = reader.formatToCopy(log, column.id, store).toLowerCase();
            if (truth[row] !== undefined) assert.equal(plainValue(shown), truth[row], input.name);
          }
          const knowledge = reader.createKnowledge(store);
          const options = { through: own.length, clock: systemClock, knowledge };
          for (const descending of [false, true]) {
            const arrangement = { filter: '', sort: { column: column.id, descending } } as const;
            const { rows } = await extendLogView(emptyLogView, store, { ...options, arrangement });
            const sign = descending ? -1 : 1;
            const sorted = [...own.keys()].sort((a, b) => {
              const [x, y] = [truth[a], truth[b]];
              if (x === undefined || y === undefined)
                return Number(x === undefined) - Number(y === undefined) || a - b;
              return sign * compare(x, y) || a - b;
            });
            assert.deepEqual([...rows], sorted, `${input.name} of ${event?.signature}`);
          }
          for (const value of new Set(truth)) {
            if (value === undefined) continue;
            const filter: string = `${input.name}:${JSON.parse(value)}`;
            const { rows } = await extendLogView(emptyLogView, store, {
              ...options,
              arrangement: { filter },
            });
            const wanted = [...own.keys()].filter((row) => truth[row] === value);
            assert.deepEqual([...rows], wanted, filter);
          }
        }
      }
      assert.ok(columnsSeen > 20);
    });

    it('are exported so, with what they were decoded by', async () => {
      const lookup = await readLookup();
      let versionsNamed = 0;
      for (const { address, logs: own } of asked()) {
        const { reader, store } = await readerOf(lookup, address, own);
        const pages = (async function* () {
          yield own;
        })();
        const decoding = reader.createDecoding(store);
        const chunks: Uint8Array[] = [];
        for await (const chunk of encodeLogs('csv', pages, decoding)) chunks.push(chunk);
        const [names = [], ...rows] = parseCsv(Buffer.concat(chunks).toString('utf8'));
        const inputs = decoding?.event?.inputs ?? [];
        for (const [row, cells] of rows.entries()) {
          const log = own[row] ?? assert.fail('one row too many');
          const cell = (name: string) => cells[names.indexOf(name)] ?? '';
          const { contract } = findEmitter(contracts, log);
          for (const { name, type } of inputs) {
            const truth = truthOf(reader.read(log, store), name);
            if (type.kind === 'array' || type.kind === 'bytes') continue;
            assert.equal(
              cell(`arg_${name}`).toLowerCase(),
              truth === undefined ? '' : JSON.parse(truth),
              name,
            );
          }
          const { decoded } = reader.read(log, store);
          if ('event' in decoded && decoded.code) {
            versionsNamed++;
            assert.match(
              cell('decoded_by'),
              new RegExp(`^deployment: .*, ${contract} at 0x[0-9a-fA-F]{40} since block \\d+$`),
            );
          }
        }
      }
      assert.ok(versionsNamed > 20, `${versionsNamed} rows name their version`);
    });
  });
});
