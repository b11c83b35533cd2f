import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../../../scripts/support/script.ts';
import { createChainClient, type Log, systemClock } from '../../../../src/core/index.ts';
import { startLoopbackServer } from '../../../support/loopbackServer.ts';
import { type McpSession, openMcp } from '../../../support/mcpProgram.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../../support/sharedLocalnet.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const SIXTEEN_KIB = 16 * 1024;

describe('MCP server, asked by the client of the official SDK', () => {
  let localnet: SharedLocalnet;
  let project: string;
  let out: string;
  let session: McpSession;
  let usd: string;
  /** Of the contract, as the engine reads them. */
  let every: readonly Log[];
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
    await mkdir(join(project, 'build', 'contracts'), { recursive: true });
    await writeFile(join(project, 'truffle-config.js'), '');
    await writeFile(
      join(project, 'build', 'contracts', 'Dollar.json'),
      JSON.stringify({ contractName: 'Dollar', abi, networks: { 31337: { address: usd } } }),
    );
    const client = createChainClient({ fetch, clock: systemClock, url: localnet.anvilUrl });
    const query = client.openLogQuery(
      { addresses: [usd.toLowerCase() as `0x${string}`], topics: [], fromBlock: 0n, toBlock: 'latest' },
      { order: 'oldestFirst' },
    );
    const rows = [];
    for await (const { logs } of query.rest()) rows.push(...logs);
    every = rows;
    truth = rows.filter(({ topics: [topic0] }) => topic0 === TRANSFER);
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
    assert.ok(JSON.stringify(tools).length < SIXTEEN_KIB);
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
  });

  it('counts by arguments, and within blocks', async () => {
    const { alice } = localnet.chain.accounts;
    const sent = await session.call('query_events', {
      ...{ address: usd, event: 'Transfer', args: { from: alice } },
    });
    assert.equal(sent.answer.complete, true);
    const topic = `0x${alice.slice(2).toLowerCase().padStart(64, '0')}`;
    const ofAlice = truth.filter(({ topics }) => topics[1] === topic);
    assert.ok(ofAlice.length > 0);
    assert.equal(sent.answer.count, String(ofAlice.length));
    const some = await session.call('query_events', { address: usd, from: 10, to: 20 });
    const within = every.filter(({ blockNumber }) => blockNumber >= 10n && blockNumber <= 20n);
    assert.equal(some.answer.count, String(within.length));
    assert.deepEqual(some.answer.range, { from: '10', to: '20' });
  });

  it('gives every row once by following the cursor, either way', async () => {
    for (const order of ['oldestFirst', 'newestFirst']) {
      const places: string[] = [];
      let call: { tool: string; arguments: Record<string, unknown> } | undefined = {
        tool: 'query_events',
        arguments: { address: 'Dollar', event: 'Transfer', mode: 'rows', to: 60, order, limit: 33 },
      };
      let complete: unknown;
      while (call) {
        const { answer, bytes, isError } = await session.call(call.tool, call.arguments);
        assert.ok(!isError, JSON.stringify(answer));
        assert.ok(bytes <= SIXTEEN_KIB, `${bytes} bytes`);
        const rows = answer.rows as { block: string; logIndex: number }[];
        assert.ok(rows.length > 0);
        places.push(...rows.map(({ block, logIndex }) => `${block}/${logIndex}`));
        complete = answer.complete;
        call = answer.next_call as typeof call;
        assert.equal(complete, !call);
        assert.equal(/MORE ROWS/.test(String(answer.reasons)), call !== undefined);
      }
      const wanted = truth
        .filter(({ blockNumber }) => blockNumber <= 60n)
        .map(({ blockNumber, logIndex }) => `${blockNumber}/${logIndex}`);
      assert.ok(wanted.length > 100);
      assert.deepEqual(places, order === 'oldestFirst' ? wanted : wanted.toReversed());
    }
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
    const without = await open([]);
    try {
      const { isError, answer } = await without.call('query_events', { address: usd, mode: 'file' });
      assert.ok(isError);
      assert.match(String(answer.reasons), /--out/);
    } finally {
      await without.close();
    }
  });

  it('resolves names and addresses, decodes hex, and tells an address and a transaction', async () => {
    const named = await session.call('resolve_contract', { contract: 'Dollar' });
    assert.deepEqual(named.answer.events, [
      'Transfer(address indexed from, address indexed to, uint256 value)',
    ]);
    assert.equal((named.answer.onChain as { kind: string }).kind, 'contract');
    const decoded = await session.call('decode_data', {
      hex: `0xa9059cbb${'0'.repeat(24)}${'ab'.repeat(20)}${'1'.padStart(64, '0')}`,
    });
    const [candidate] = decoded.answer.candidates as { signature: string; args: object }[];
    assert.equal(candidate?.signature, 'transfer(address,uint256)');
    const suffix = '62617365617070070080218021802180218021802180218021';
    const tagged = await session.call('decode_data', {
      hex: `0xa9059cbb${'0'.repeat(24)}${'ab'.repeat(20)}${'1'.padStart(64, '0')}${suffix}`,
    });
    const [attributed] = tagged.answer.candidates as { args: object; suffix: object }[];
    assert.deepEqual(attributed?.args, candidate?.args);
    const erc8021 = { schema: 0, codes: [{ chainText: 'baseapp' }] };
    assert.deepEqual(attributed?.suffix, { bytes: `0x${suffix}`, erc8021 });
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
    await mkdir(join(sources, 'src'));
    await mkdir(join(sources, '.chainside'));
    await writeFile(join(sources, 'foundry.toml'), '[profile.default]\n');
    await writeFile(join(sources, 'src', 'Vault.sol'), 'contract Vault { event Paid(uint256 value); }\n');
    const labels = [{ address: usd, name: 'Vault' }];
    await writeFile(join(sources, '.chainside', 'labels.json'), JSON.stringify({ labels }));
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

  it('does not take an anonymous event for one that never happened', async () => {
    const sources = await mkdtemp(join(tmpdir(), 'chainside-sources-'));
    await mkdir(join(sources, 'src'));
    await writeFile(join(sources, 'foundry.toml'), '[profile.default]\n');
    const declarations = [
      'event Raw(address indexed by, uint256 value) anonymous;',
      'event Both(address indexed by) anonymous;',
      'event Both(uint256 indexed id);',
    ];
    await writeFile(join(sources, 'src', 'Vault.sol'), `contract Vault { ${declarations.join(' ')} }\n`);
    const other = await open(['--dir', sources]);
    try {
      const anonymous = /is anonymous.*query by the address of the contract/;
      const asked: readonly (readonly [object, RegExp])[] = [
        [{ event: 'Raw' }, anonymous],
        [{ event: 'Raw', address: usd }, anonymous],
        [{ event: 'Raw', args: { by: usd } }, anonymous],
        [{ event: 'Raw(address,uint256)' }, anonymous],
        [{ event: 'Raw(address indexed by, uint256 value) anonymous' }, /has no topic0/],
        [{ event: 'Both' }, /Several events are called Both/],
        [{ event: 'Both', args: { by: usd } }, anonymous],
      ];
      for (const [input, message] of asked) {
        const { isError, answer } = await other.call('query_events', input as Record<string, unknown>);
        assert.deepEqual([isError, answer.complete], [true, 'unknown'], JSON.stringify(input));
        assert.equal((answer.error as { parameter: string }).parameter, 'event');
        assert.match(String(answer.reasons), message, JSON.stringify(input));
      }
      const { answer } = await other.call('query_events', { event: 'Both', args: { id: '1' }, address: usd });
      assert.deepEqual([answer.complete, answer.count], [true, '0']);
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
      ['query_events', { address: 'Dollar', limit: 1000 }, 'limit', /the maximum is 100/],
      ['query_events', { address: 'Dollar', event: 'Transfer', args: { to: '0x12' } }, 'args.to', /address/],
      ['query_events', { address: 'Dollar', mode: 'file', cursor: 'x' }, 'mode', /only for mode rows/],
      ['resolve_contract', { contract: 'Nothing' }, 'contract', /Dollar/],
      ['get_transaction', { hash: '0x12' }, 'hash', /it must match/],
      ['get_transaction', {}, 'hash', /it is missing/],
      ['get_transaction', { hash: 5 }, 'hash', /it must be of type string/],
    ];
    for (const [name, given, parameter, words] of wrong) {
      const { isError, answer } = await session.call(name, given as Record<string, unknown>);
      assert.ok(isError, JSON.stringify(given));
      assert.equal(answer.complete, 'unknown');
      assert.equal((answer.error as { parameter: string }).parameter, parameter);
      assert.match(String(answer.reasons), words);
    }
    await assert.rejects(session.client.callTool({ name: 'send_transaction', arguments: {} }));
  });

  it('says what the bare name of an event was taken for, and doubts what only a standard knows', async () => {
    const named = await session.call('query_events', { address: 'Dollar', event: 'Transfer' });
    assert.equal(named.answer.declaredBy, 'contract');
    assert.deepEqual(named.answer.eventsAsked, [
      'Transfer(address indexed from, address indexed to, uint256 value)',
    ]);
    const without = await open([]);
    const { alice } = localnet.chain.accounts;
    try {
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
    } finally {
      await without.close();
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
    const later = await session.call('query_events', { ...asked, to: '2400-01-01' });
    assert.deepEqual([later.answer.complete, later.answer.count], [false, String(truth.length)]);
    assert.match(String(later.answer.reasons), /range ends after the latest block/);
  });

  it('tells progress, and is cancelled', async () => {
    const slow = await startLoopbackServer(() => undefined);
    const hanging = await openMcp(['--rpc', slow.url, '--chain-id', '1']);
    try {
      const cancelled = new AbortController();
      const call = hanging.client.callTool(
        { name: 'query_events', arguments: { address: usd } },
        { signal: cancelled.signal },
      );
      const failed = assert.rejects(call);
      cancelled.abort();
      await failed;
    } finally {
      await hanging.close();
      await slow.close();
    }
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
