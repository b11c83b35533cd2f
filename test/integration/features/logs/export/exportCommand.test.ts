import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { commands, extensions, Uri } from 'vscode';
import { type Address, formatUnits, toChecksumAddress } from '../../../../../src/core/index.ts';
import { parseCsv } from '../../../../support/exportFiles.ts';
import { useDialogs } from '../../../../support/host/dialogs.ts';
import { registerMemoryFiles } from '../../../../support/host/memoryFiles.ts';
import { selectNetwork, useNetworks, waitUntil, writeSettings } from '../../../../support/host/settings.ts';
import { type LoopbackServer, startLoopbackServer } from '../../../../support/loopbackServer.ts';
import { sharedLocalnet } from '../../../../support/sharedLocalnet.ts';
import { useExtension } from '../../../../support/vscode/extension.ts';

const TRANSFER = 'Transfer(address,address,uint256)';
const TRANSFER_TOPIC0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const LAST_BLOCK = 300;

/** A log as the node itself gives it. */
interface NodeLog {
  readonly address: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly blockTimestamp: string;
  readonly data: string;
  readonly logIndex: string;
  readonly removed: boolean;
  readonly topics: readonly string[];
  readonly transactionHash: string;
  readonly transactionIndex: string;
}

/** A row of an export as JSON. */
interface DecodedRow {
  readonly names?: object;
  readonly decoded: { readonly source: string; readonly from: string };
}

const { node, rpcUrl, chain } = await sharedLocalnet();

describe('export of logs', () => {
  useExtension();
  const { address } = chain.contracts.tide;
  /** How the server treats requests for logs after the first page. */
  let upset: 'hang' | 'refuse' | 'refuseUntilTold' | 'wait' | undefined;
  let upsetOver = 0;
  let server: LoopbackServer;
  let truth: readonly NodeLog[];
  let folder: string;
  const person = useDialogs();

  before(async () => {
    server = await startLoopbackServer(async (incoming, response) => {
      const body = await text(incoming);
      if (upset === 'refuseUntilTold' && person.told.length > 0) upset = undefined;
      if (upset && body.includes('eth_getLogs')) {
        upsetOver++;
        if (upset.startsWith('refuse')) response.writeHead(403).end();
        if (upset !== 'wait') return;
        await waitUntil(() => upset === undefined);
      }
      const answer = await fetch(rpcUrl, { method: 'POST', body, headers: jsonType });
      response.writeHead(answer.status, jsonType).end(await answer.text());
    });
    truth = await logsOfNode();
    assert.ok(truth.length > 2000, `${truth.length} logs are too few for these tests`);
    await writeSettings({ 'chainside.export.record': true });
  });
  after(() => writeSettings({ 'chainside.export.record': undefined }));
  after(() => server.close());
  useNetworks(() => ({
    export: { name: 'Export', chainId: chain.chainId, rpcUrl: `${server.url}/k3y?token=s3cret` },
    other: { name: 'Other', chainId: chain.chainId + 1, rpcUrl: server.url },
  }));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-export-'));
    person.saveAs = Uri.file(join(folder, 'logs'));
    await selectNetwork('export');
    const query = { address, event: TRANSFER, toBlock: LAST_BLOCK, run: true };
    await commands.executeCommand('chainside.queryLogs', query);
  });
  afterEach(async () => {
    upset = undefined;
    upsetOver = 0;
    await commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  const jsonType = { 'content-type': 'application/json' };

  async function logsOfNode(): Promise<readonly NodeLog[]> {
    const filter = {
      address,
      topics: [TRANSFER_TOPIC0],
      fromBlock: '0x0',
      toBlock: `0x${LAST_BLOCK.toString(16)}`,
    };
    return (await node.call('eth_getLogs', [filter])) as readonly NodeLog[];
  }

  /** Exports with these choices, once the first page has come. Settles when the export has ended. */
  async function exportAs(...picks: readonly string[]): Promise<void> {
    person.picks = [...picks];
    await waitUntil(async () => {
      await commands.executeCommand('chainside.exportLogs');
      return person.picks.length < picks.length;
    });
  }

  const contentOf = (name: string) => readFile(join(folder, name));

  /** Those of an ERC-20 transfer, by hand. */
  const argumentsOf = ({ topics: [, from = '', to = ''], data }: Pick<NodeLog, 'topics' | 'data'>) => [
    `0x${from.slice(26)}`,
    `0x${to.slice(26)}`,
    BigInt(data).toString(),
  ];

  function tableOf(logs: readonly NodeLog[]) {
    return logs.map((log) => [
      BigInt(log.blockNumber),
      log.blockHash,
      log.transactionHash,
      BigInt(log.transactionIndex),
      BigInt(log.logIndex),
      log.address,
      ...[0, 1, 2, 3].map((slot) => log.topics[slot] ?? null),
      log.data,
      'Transfer(address,address,uint256)',
      ...argumentsOf(log),
    ]);
  }

  const decodedOf = ([from, to, value]: readonly string[]) => ({
    ...{ event: 'Transfer(address,address,uint256)', name: 'Transfer' },
    args: [
      { name: 'from', type: 'address', indexed: true, value: from },
      { name: 'to', type: 'address', indexed: true, value: to },
      { name: 'value', type: 'uint256', indexed: false, value },
    ],
  });

  const jsonRows = (logs: readonly NodeLog[]) =>
    logs.map(({ blockTimestamp: _, removed: __, ...log }) => ({
      ...log,
      decoded: decodedOf(argumentsOf(log)),
    }));

  const isAddress = (cell: unknown): cell is Address =>
    typeof cell === 'string' && /^0x[0-9a-f]{40}$/.test(cell);

  /** Row by row, since a comparison of all in one shows thousands. */
  function assertRows(rows: readonly object[], expected: readonly object[]): void {
    assert.equal(rows.length, expected.length);
    for (const [index, row] of rows.entries()) assert.deepEqual(row, expected[index]);
  }
  /** Names of addresses, and where an event is known from: other tests leave labels and sources. */
  const ofOtherTests = (column: string) => column.endsWith('_name') || column === 'decoded_by';
  const withoutOrigin = ({ names: _, decoded: { source, from, ...decoded }, ...row }: DecodedRow) => {
    assert.match(`${source}: ${from}`, /^(?:bundled: ERC-20|workspace: .+)$/);
    return { ...row, decoded };
  };
  const cellsWithoutNames = (row: object) =>
    Object.entries(row).flatMap(([column, cell]) => (ofOtherTests(column) ? [] : [cell]));

  it('adds the times of blocks where that is chosen, with the requests said before', async () => {
    await exportAs('Add block times', 'NDJSON', 'All loaded rows');
    const [offer = ''] = person.picked;
    assert.equal(offer, 'Add block times');
    const { description } = person.lists[0]?.items.find(({ label }) => label === offer) ?? {};
    assert.match(description ?? '', /^Sends up to \d+ requests? to Export for the loaded rows$/);
    const rows = (await contentOf('logs'))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [first, last] = [rows[0], rows.at(-1)];
    for (const row of [first, last]) {
      const block = await node.call('eth_getBlockByNumber', [row.blockNumber, false]);
      const { timestamp } = block as { readonly timestamp: string };
      assert.equal(Date.parse(row.timestamp), Number(timestamp) * 1000);
    }
    const record = JSON.parse((await contentOf('logs.meta.json')).toString());
    assert.deepEqual(record.times, { without: 0, readBy: ['eth_getBlockByNumber'] });
    assert.ok(record.columns.includes('timestamp'));
  });

  it('writes the loaded rows and says that there are more', async () => {
    await exportAs('NDJSON', 'All loaded rows');
    const lines = (await contentOf('logs')).toString().trimEnd().split('\n');
    const count = lines.length;
    assert.ok(count < truth.length);
    assert.deepEqual(person.picked, ['NDJSON', `All loaded rows (${count.toLocaleString('en')})`]);
    assertRows(
      lines.map((line) => withoutOrigin(JSON.parse(line))),
      jsonRows(truth.toReversed().slice(0, count)),
    );
    const record = JSON.parse((await contentOf('logs.meta.json')).toString());
    assert.deepEqual([record.rows, record.verdict], [count, { state: 'more', reasons: [] }]);
    assert.deepEqual([record.rowOrder, record.filtered], [{ by: 'block', descending: true }, undefined]);
    assert.deepEqual(person.told, [
      `Exported ${count.toLocaleString('en')} logs to logs. The query has more logs.`,
    ]);
    // By a name for the contract where other tests have left one.
    assert.match(person.offered[0] ?? '', /^[\w.]+-Transfer-0-300-partial\.ndjson$/);
    assert.deepEqual(await readdir(folder), ['logs', 'logs.meta.json']);
  });

  it('writes the whole query as CSV that equals the logs of the node', async () => {
    await exportAs('CSV', 'All logs of the query');
    const [head = [], ...rows] = parseCsv((await contentOf('logs')).toString());
    assert.deepEqual(head.filter(ofOtherTests), [
      ...['arg_from_name', 'arg_to_name', 'decoded_by', 'address_name'],
    ]);
    assert.ok(head.join().includes(',arg_value,arg_value_scaled,arg_value_unit,'));
    assertRows(
      rows.map((row) => cellsWithoutNames(Object.fromEntries(row.map((cell, index) => [head[index], cell])))),
      tableOf(truth).map((row) => {
        const [value = ''] = row.slice(-1);
        const cells = [...row, formatUnits(BigInt(value ?? 0), 18), 'TIDE'];
        return cells.map((cell) => (isAddress(cell) ? toChecksumAddress(cell) : (cell?.toString() ?? '')));
      }),
    );
    assert.deepEqual(person.told, [`Exported ${truth.length.toLocaleString('en')} logs to logs.`]);
  });

  it('tells beside the file what it holds, without what could be a key', async () => {
    await exportAs('CSV', 'All logs of the query');
    const content = (await contentOf('logs.meta.json')).toString();
    assert.doesNotMatch(content, /k3y|s3cret/);
    const { columns, startedAt, finishedAt, requests, head, ...record } = JSON.parse(content);
    const { version } = extensions.getExtension('chainside.chainside')?.packageJSON ?? {};
    assert.deepEqual(record, {
      format: 'csv',
      rows: truth.length,
      rowOrder: { by: 'block', descending: false },
      query: {
        address: [address.toLowerCase()],
        topics: [[TRANSFER_TOPIC0]],
        fromBlock: 'earliest',
        toBlock: `0x${LAST_BLOCK.toString(16)}`,
      },
      network: { id: 'export', name: 'Export', chainId: chain.chainId, rpcOrigin: server.url },
      fromBlock: '0',
      toBlock: String(LAST_BLOCK),
      order: 'oldestFirst',
      readThrough: String(LAST_BLOCK),
      verdict: { state: 'complete', reasons: [] },
      generator: { name: 'Chainside', version },
    });
    assert.ok(columns.includes('topic0'));
    assert.ok(requests >= 3 && BigInt(head) >= LAST_BLOCK);
    assert.ok(new Date(startedAt) <= new Date(finishedAt));
  });

  it('goes on when its panel is closed and another network is selected', async () => {
    await exportAs('CSV', 'All loaded rows');
    await rm(join(folder, 'logs'));
    await rm(join(folder, 'logs.meta.json'));
    upset = 'wait';
    const exporting = exportAs('CSV', 'All logs of the query');
    await waitUntil(() => upsetOver > 0);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await selectNetwork('other');
    upset = undefined;
    await exporting;
    const [, ...rows] = parseCsv((await contentOf('logs')).toString());
    assert.equal(rows.length, truth.length);
    const record = JSON.parse((await contentOf('logs.meta.json')).toString());
    assert.deepEqual([record.network.id, record.verdict.state], ['export', 'complete']);
  });

  it('leaves nothing when the server fails, and does it again when asked to', async () => {
    await exportAs('CSV', 'All loaded rows');
    await rm(join(folder, 'logs'));
    await rm(join(folder, 'logs.meta.json'));
    upset = 'refuse';
    await exportAs('CSV', 'All logs of the query');
    assert.match(person.told.at(-1) ?? '', /HTTP 403/);
    assert.deepEqual(await readdir(folder), []);

    person.told.splice(0);
    upset = 'refuseUntilTold';
    person.presses = ['Retry'];
    await exportAs('CSV', 'All logs of the query');
    assert.match(person.told.join('\n'), /^.*HTTP 403.*\nExported .*$/);
    assert.deepEqual(await readdir(folder), ['logs', 'logs.meta.json']);
  });

  it('says why a file cannot be made', async () => {
    person.saveAs = Uri.file(join(folder, 'missing', 'logs'));
    await exportAs('CSV', 'All loaded rows');
    assert.match(person.told.at(-1) ?? '', /^Cannot write the file\. ENOENT/);
    assert.deepEqual(await readdir(folder), []);
  });

  it('writes through the file system of the editor where the file is on no disk', async () => {
    const memory = registerMemoryFiles('chainside-test');
    try {
      person.saveAs = memory.uri('logs.csv');
      await exportAs('CSV', 'All logs of the query');
      assert.deepEqual([...memory.files.keys()].sort(), ['/logs.csv', '/logs.csv.meta.json']);
      const written = new TextDecoder().decode(memory.files.get('/logs.csv'));
      assert.equal(parseCsv(written).length, truth.length + 1);

      memory.files.clear();
      memory.full = true;
      await exportAs('CSV', 'All logs of the query');
      assert.match(person.told.at(-1) ?? '', /^Cannot write the file\. .*The disk is full/);
      assert.deepEqual([...memory.files.keys()], []);
    } finally {
      memory.dispose();
    }
  });
});
