import assert from 'node:assert/strict';
import { deployUpgrades, type UpgradedContracts } from '../../../../localnet/upgrades/upgradedContracts.ts';
import type { UndecodedReason } from '../../../../src/core/abi/eventDecoder.ts';
import {
  type Address,
  type ArgumentColumn,
  type ContractIndex,
  createChainClient,
  createHistoryCache,
  createLogDecoder,
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
import { createLogFilter } from '../../../../src/core/logs/query/filter.ts';
import type { DecodedRow } from '../../../../src/features/logs/decoded/cells.ts';
import { RowReader } from '../../../../src/features/logs/decoded/rowReader.ts';
import { getArgumentIndex } from '../../../../src/features/logs/protocol/grid.ts';
import { createOfflineDecoding } from '../../../support/decodingStubs.ts';
import { parseCsv } from '../../../support/exportFiles.ts';
import { byTurns } from '../../../support/fullRun.ts';
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

  it('are decoded by the version in force at each log, with what an explorer tells', async () => {
    const raw = judge(await readLookup());
    assert.deepEqual(namesOf(raw), UNTOLD);
    const doubts = raw.map(({ reason }) => (reason.code === 'version' ? reason.reason : reason.code));
    assert.deepEqual(doubts, ['constructor', 'constructor', 'constructor', 'constructor', 'several']);
  });

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

  it('are never decoded wrong before anything was read', async () => {
    const raw = judge(await lookupBy({ historyOf: () => undefined }));
    assert.ok(raw.every(({ reason }) => reason.code === 'version' && reason.reason === 'unread'));
    assert.ok(raw.length > 0 && raw.length < logs.length);
  });

  for (const [turn, without] of (['artifacts', 'deployments'] as const).entries()) {
    const names = ['VaultV1', 'VaultV2', 'LedgerV2', 'SharesV1', 'TradeFacetV1', 'WalletV2'];
    for (const name of byTurns(names, 2, turn)) {
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

    const nameOf = (log: Log | undefined) => log && findEmitter(contracts, log).contract;

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

    it('name in an export what they were decoded by', async () => {
      const lookup = await readLookup();
      const { address, logs: own } =
        asked().find(({ logs: some }) => nameOf(some[0]) === 'VaultV1') ?? assert.fail();
      const { reader, store } = await readerOf(lookup, address, own);
      const pages = (async function* () {
        yield own;
      })();
      const chunks: Uint8Array[] = [];
      for await (const chunk of encodeLogs('csv', pages, reader.createDecoding(store))) chunks.push(chunk);
      const [names = [], ...rows] = parseCsv(Buffer.concat(chunks).toString('utf8'));
      assert.equal(rows.length, own.length);
      for (const [row, cells] of rows.entries()) {
        assert.match(
          cells[names.indexOf('decoded_by')] ?? '',
          new RegExp(`^deployment: .*, ${nameOf(own[row])} at 0x[0-9a-fA-F]{40} since block \\d+$`),
        );
      }
    });
  });
});
