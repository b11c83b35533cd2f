import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../../../scripts/support/script.ts';
import type { Log } from '../../../../src/core/index.ts';
import { openQuery, readAll } from '../../../support/logReading.ts';
import { startLoopbackServer } from '../../../support/loopbackServer.ts';
import { type McpSession, openMcp } from '../../../support/mcpProgram.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../../support/sharedLocalnet.ts';
import { writeFiles } from '../../../support/writeFiles.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const SIXTEEN_KIB = 16 * 1024;

describe('MCP server, asked by the client of the official SDK', () => {
  let localnet: SharedLocalnet;
  let project: string;
  let out: string;
  let session: McpSession;
  let usd: string;
  /** Of the contract, as the engine reads them. */
  let truth: readonly Log[];

  before(async () => {
    localnet = await sharedLocalnet();
    usd = localnet.chain.contracts.usd.address;
    project = await mkdtemp(join(tmpdir(), 'chainside-project-'));
    out = await mkdtemp(join(tmpdir(), 'chainside-out-'));
    const abi = [
      {
        type: 'event',
        name: 'Transfer',
        inputs: ['from', 'to', 'value'].map((name, place) => ({
          ...{ name, type: place < 2 ? 'address' : 'uint256', indexed: place < 2 },
        })),
      },
    ];
    const artifact = { contractName: 'Dollar', abi, networks: { 31337: { address: usd } } };
    await writeFiles(project, {
      'truffle-config.js': '',
      'build/contracts/Dollar.json': JSON.stringify(artifact),
    });
    const { logs } = await readAll(openQuery(localnet.anvilUrl, { address: usd }));
    truth = logs.filter(({ topics: [topic0] }) => topic0 === TRANSFER);
    session = await open(['--dir', project, '--out', out]);
  });
  after(async () => {
    await session.close();
    for (const folder of [project, out]) await removeFolder(folder);
  });

  const open = (args: readonly string[]) => openMcp(['--rpc', localnet.anvilUrl, ...args]);

  it('lists nine tools that only read, each described and bounded', async () => {
    const { tools } = await session.client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        'get_network',
        'resolve_contract',
        'get_address',
        'query_events',
        'decode_data',
        'get_transaction',
        'read_contract',
        'get_state',
        'compare_code',
      ],
    );
    for (const { name, description = '', annotations, title, inputSchema } of tools) {
      assert.ok(description.length <= 1024, `${name}: ${description.length}`);
      assert.match(description, /Do NOT/);
      assert.ok(title);
      assert.deepEqual(
        [annotations?.readOnlyHint, annotations?.destructiveHint, annotations?.openWorldHint],
        [true, false, true],
      );
      assert.equal(inputSchema.additionalProperties, false);
    }
    assert.equal(session.client.getServerVersion()?.version, '9.8.7');
    // Clients keep the schemas of results for themselves: a model does not read them.
    const read = tools.map(({ outputSchema: _, ...tool }) => tool);
    assert.ok(JSON.stringify(read).length < SIXTEEN_KIB);
    const outputs = tools.map(({ outputSchema }) => JSON.stringify(outputSchema));
    assert.deepEqual([new Set(outputs).size, outputs.join().length < SIXTEEN_KIB / 2], [9, true]);
  });

  it('tells the network, its head and what of the project is known', async () => {
    const { answer } = await session.call('get_network');
    assert.equal(answer.complete, true);
    assert.deepEqual(answer.network, { chainId: 31337 });
    assert.deepEqual(answer.project, {
      ...{ contracts: 1, deploymentsHere: 1, deploymentsInAll: 1, names: [{ chainText: 'Dollar' }] },
    });
    assert.match(String(answer.head), /^\d+$/);
  });

  it('counts by names in one call of less than 1 KiB, with the last row decoded', async () => {
    const { answer, bytes } = await session.call('query_events', { address: 'Dollar', event: 'Transfer' });
    assert.equal(answer.complete, true);
    assert.equal(answer.count, String(truth.length));
    const last = answer.last as Record<string, unknown>;
    assert.equal(last.block, String(truth.at(-1)?.blockNumber));
    assert.equal(last.event, 'Transfer');
    assert.deepEqual(Object.keys(last.args as object), ['from', 'to', 'value']);
    assert.ok(JSON.stringify(answer).length <= 1024);
    assert.ok(bytes <= 2048);
    const some = await session.call('query_events', { address: usd, event: 'Transfer', from: 10, to: 20 });
    const within = truth.filter(({ blockNumber }) => blockNumber >= 10n && blockNumber <= 20n);
    assert.deepEqual(
      [some.answer.count, some.answer.range],
      [String(within.length), { from: '10', to: '20' }],
    );
  });

  it('refuses a cursor that is none, or of another question', async () => {
    const first = await session.call('query_events', { address: usd, mode: 'rows', limit: 1 });
    const { cursor } = (first.answer.next_call as { arguments: { cursor: string } }).arguments;
    for (const wrong of [
      { cursor: 'abc' },
      { cursor: `${cursor.slice(0, -4)}AAAA` },
      { cursor, address: localnet.chain.contracts.usd.address.toUpperCase().replace('0X', '0x') },
    ]) {
      const { isError, answer } = await session.call('query_events', wrong);
      assert.ok(isError);
      assert.equal((answer.error as { parameter: string }).parameter, 'cursor');
    }
  });

  it('gives a sample of five, and says that it is one', async () => {
    const { answer } = await session.call('query_events', { address: usd, mode: 'sample' });
    assert.equal((answer.rows as object[]).length, 5);
    assert.equal(answer.complete, false);
    assert.match(String(answer.reasons), /a sample of \d+ rows/);
  });

  it('writes all rows beside their record, and never over a file', async () => {
    for (const format of ['ndjson', 'parquet']) {
      const asked = { address: 'Dollar', event: 'Transfer', mode: 'file', file: `all-${format}`, format };
      const { answer } = await session.call('query_events', asked);
      assert.equal(answer.complete, true);
      assert.equal(answer.rows, truth.length);
      const bytes = await readFile(String(answer.file));
      assert.equal(createHash('sha256').update(bytes).digest('hex'), answer.sha256);
      const record = JSON.parse(await readFile(String(answer.record), 'utf8'));
      assert.deepEqual(
        [record.rows, record.verdict.state, record.format],
        [truth.length, 'complete', format],
      );
      const again = await session.call('query_events', asked);
      assert.ok(again.isError);
      assert.match(String(again.answer.reasons), /is not overwritten/);
    }
    assert.deepEqual((await readdir(out)).sort(), [
      ...['all-ndjson.ndjson', 'all-ndjson.ndjson.json', 'all-parquet.parquet', 'all-parquet.parquet.json'],
    ]);
    for (const file of ['../x', '/etc/x', '.x', 'a/b', 'a\\b']) {
      const { isError } = await session.call('query_events', { address: usd, mode: 'file', file });
      assert.ok(isError, file);
    }
  });

  it('writes no file where no folder is named', async () => {
    await using without = await open([]);
    const { isError, answer } = await without.call('query_events', { address: usd, mode: 'file' });
    assert.ok(isError);
    assert.match(String(answer.reasons), /--out/);
  });

  it('resolves names and addresses, decodes hex, and tells an address and a transaction', async () => {
    const named = await session.call('resolve_contract', { contract: 'Dollar' });
    assert.deepEqual(named.answer.events, [
      'Transfer(address indexed from, address indexed to, uint256 value)',
    ]);
    assert.equal((named.answer.onChain as { kind: string }).kind, 'contract');
    const suffix = '62617365617070070080218021802180218021802180218021';
    const decoded = await session.call('decode_data', {
      hex: `0xa9059cbb${'0'.repeat(24)}${'ab'.repeat(20)}${'1'.padStart(64, '0')}${suffix}`,
    });
    const [candidate] = decoded.answer.candidates as { signature: string; suffix: object }[];
    assert.equal(candidate?.signature, 'transfer(address,uint256)');
    const erc8021 = { schema: 0, codes: [{ chainText: 'baseapp' }] };
    assert.deepEqual(candidate?.suffix, { bytes: `0x${suffix}`, erc8021 });
    const address = await session.call('get_address', { address: localnet.chain.accounts.alice });
    assert.equal((address.answer.native as { state: string }).state, 'known');
    assert.equal((address.answer.tokens as { state: string }).state, 'unknown');
    const nobody = await session.call('get_address', { address: `0x${'00'.repeat(19)}99` });
    assert.equal((nobody.answer.native as { state: string }).state, 'zero');
    const { answer } = await session.call('query_events', { address: usd, event: 'Transfer' });
    const hash = (answer.last as { transaction: string }).transaction;
    const transaction = await session.call('get_transaction', { hash });
    assert.equal(transaction.answer.status, 'success');
    assert.equal(transaction.answer.complete, true);
    const unknown = await session.call('get_transaction', { hash: `0x${'12'.repeat(32)}` });
    assert.equal(unknown.answer.complete, 'unknown');
  });

  it('tells where nobody has said that a contract is what is called so, or all that it declares', async () => {
    const sources = await mkdtemp(join(tmpdir(), 'chainside-sources-'));
    await writeFiles(sources, {
      'foundry.toml': '[profile.default]\n',
      'src/Vault.sol': 'contract Vault { event Paid(uint256 value); }\n',
      '.chainside/labels.json': JSON.stringify({ labels: [{ address: usd, name: 'Vault' }] }),
    });
    const other = await open(['--dir', sources]);
    try {
      const { answer } = await other.call('resolve_contract', { contract: 'Vault' });
      assert.equal(answer.complete, 'unknown');
      assert.deepEqual(answer.events, ['Paid(uint256 value)']);
      assert.match(
        String(answer.reasons),
        /known from its source, not from a build.*may have another contract/,
      );
      const { answer: dollar } = await session.call('resolve_contract', { contract: 'Dollar' });
      assert.deepEqual([dollar.complete, dollar.reasons], [true, []]);
    } finally {
      await other.close();
      await removeFolder(sources);
    }
  });

  it('says what to do where a name, an event, an argument or a parameter is wrong', async () => {
    const wrong: readonly (readonly [string, object, string, RegExp])[] = [
      ['query_events', { address: 'Dolar' }, 'address', /Names known on this chain: Dollar/],
      ['query_events', { address: 'Dollar', event: 'Transfr' }, 'event', /Events of the contract: Transfer/],
      [
        'query_events',
        { address: 'Dollar', event: 'Transfer', args: { value: '1' } },
        'args',
        /It has from, to/,
      ],
      ['query_events', { address: 'Dollar', from: 'soon' }, 'from', /Enter a block number/],
      ['query_events', { adress: 'Dollar' }, 'adress', /Parameters: address, event/],
      ['query_events', { address: 'Dollar', event: 'Transfer', args: { to: '0x12' } }, 'args.to', /address/],
      ['query_events', { address: 'Dollar', mode: 'file', cursor: 'x' }, 'mode', /only for mode rows/],
      ['resolve_contract', { contract: 'Nothing' }, 'contract', /Dollar/],
      ['get_transaction', { hash: '0x12' }, 'hash', /it must match/],
    ];
    for (const [name, given, parameter, words] of wrong) {
      const { isError, answer } = await session.call(name, given as Record<string, unknown>);
      assert.ok(isError, JSON.stringify(given));
      assert.equal(answer.complete, 'unknown');
      assert.equal((answer.error as { parameter: string }).parameter, parameter);
      assert.match(String(answer.reasons), words);
    }
    await assert.rejects(session.client.callTool({ name: 'send_transaction', arguments: {} }), {
      code: -32602,
    });
  });

  it('says what the bare name of an event was taken for, and doubts what only a standard knows', async () => {
    const named = await session.call('query_events', { address: 'Dollar', event: 'Transfer' });
    assert.equal(named.answer.declaredBy, 'contract');
    assert.deepEqual(named.answer.eventsAsked, [
      'Transfer(address indexed from, address indexed to, uint256 value)',
    ]);
    await using without = await open([]);
    const { alice } = localnet.chain.accounts;
    const paid = await without.call('query_events', {
      address: usd,
      event: 'Transfer',
      args: { to: alice },
    });
    const toAlice = truth.filter(({ topics }) => topics[2]?.endsWith(alice.slice(2).toLowerCase()));
    assert.deepEqual([paid.answer.complete, paid.answer.count], [true, String(toAlice.length)]);
    assert.deepEqual(paid.answer.eventsAsked, named.answer.eventsAsked);
    for (const mode of ['count', 'sample', 'rows'] as const) {
      const { answer } = await without.call('query_events', { address: usd, event: 'Deposited', mode });
      assert.deepEqual([answer.complete, answer.declaredBy], ['unknown', 'standards'], mode);
      assert.match(String(answer.reasons), /write that declaration/);
    }
  });

  it('claims nothing of blocks that are still to come', async () => {
    const { answer: network } = await session.call('get_network');
    const head = Number(network.head);
    const asked = { address: 'Dollar', event: 'Transfer' };
    const beyond = await session.call('query_events', { ...asked, from: head + 1000 });
    assert.deepEqual([beyond.answer.complete, beyond.answer.count], [false, '0']);
    assert.match(String(beyond.answer.reasons), /after the latest block/);
    const partly = await session.call('query_events', { ...asked, to: head + 1000 });
    assert.deepEqual([partly.answer.complete, partly.answer.count], [false, String(truth.length)]);
    assert.match(String(partly.answer.reasons), /range ends after the latest block/);
  });

  it('tells progress, and is cancelled', async () => {
    await using slow = await startLoopbackServer(() => undefined);
    await using hanging = await openMcp(['--rpc', slow.url, '--chain-id', '1']);
    const cancelled = new AbortController();
    const call = hanging.client.callTool(
      { name: 'query_events', arguments: { address: usd } },
      { signal: cancelled.signal },
    );
    const failed = assert.rejects(call);
    cancelled.abort();
    await failed;
    const shares: number[] = [];
    await session.client.callTool(
      { name: 'query_events', arguments: { address: usd } },
      { onprogress: ({ progress }) => shares.push(progress) },
    );
    assert.ok(shares.length > 0);
    assert.deepEqual(
      shares,
      [...new Set(shares)].sort((a, b) => a - b),
    );
  });
});
