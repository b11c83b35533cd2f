import assert from 'node:assert/strict';
import { createRow } from '../../support/fakeFetch.ts';
import { type LoopbackServer, startMethodServer } from '../../support/loopbackServer.ts';
import { parseLines, runCli } from '../../support/runCli.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../support/sharedLocalnet.ts';

const TRANSFER = 'Transfer(address indexed from, address indexed to, uint256 value)';
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

describe('headless groups of logs', () => {
  let localnet: SharedLocalnet;
  before(async () => {
    localnet = await sharedLocalnet();
  });

  async function run(query: object, ...args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(
      ['logs', '--query', '-', '--rpc', localnet.anvilUrl, ...args],
      { input: JSON.stringify(query) },
    );
    const lines = parseLines(stdout);
    return { code, last: lines.at(-1), lines: lines.slice(0, -1), stderr };
  }
  const tokenQuery = () => ({ address: localnet.chain.contracts.usd.address, event: TRANSFER });

  it('are of days by the times of few blocks, and one group without a field', async () => {
    const byDay = await run(tokenQuery(), '--group-by', 'day');
    const total = await run(tokenQuery(), '--sum', 'value');
    assert.equal(total.lines.length, 1);
    assert.deepEqual(total.lines[0].group, {});
    const counts = byDay.lines.map(({ count }) => Number(count));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      Number(total.lines[0].count),
    );
    for (const { group } of byDay.lines) assert.match(group.day, /^\d{4}-\d\d-\d\d$/);
    assert.equal('sum' in byDay.lines[0], false);
    assert.equal(byDay.last.verdict.ungrouped, '0');
  });

  it('refuse a field that the event does not have, before anything is read', async () => {
    for (const [args, field, message] of [
      [
        ['--group-by', 'recipient'],
        'group-by',
        /Use one of from, to, value, tokenId, or address, event, block or day\./,
      ],
      [
        ['--group-by', 'to', '--sum', 'from'],
        'sum',
        /from is not a number but address\. Sum one of value, tokenId\./,
      ],
      [['--group-by', 'to,from,day'], 'group-by', /one or two fields/],
      [['--group-by', ''], 'group-by', /Enter the name of a parameter/],
      [['--group-by', 'block:0'], 'group-by', /Enter block:1000/],
      [['--group-by', 'to', '--group-by', 'from,day'], 'group-by', /one or two fields/],
      [['--group-by', 'from', ',to'], 'argument', /The argument ,to is not expected/],
      [['--group-by', 'to', '--times'], 'times', /Remove --times/],
    ] as const) {
      const { code, last, lines } = await run(tokenQuery(), ...args);
      assert.deepEqual([code, lines, last.error.kind, last.error.field], [2, [], 'badInput', field]);
      assert.match(last.error.message, message);
    }
    const { code, stdout } = await runCli(['block', '--sum', 'value', '--rpc', localnet.anvilUrl]);
    assert.deepEqual([code, JSON.parse(stdout).error.field], [2, 'sum']);
  });
});

describe('headless groups of a server', () => {
  const token = `0x${'a'.repeat(40)}`;
  const word = (digits: string) => `0x${digits.padStart(64, '0')}`;
  let server: LoopbackServer;
  before(async () => {
    server = await startMethodServer({ eth_blockNumber: '0x10', eth_chainId: '0x7a69', eth_getLogs: rows });
  });
  after(() => server.close());
  const transfer = { address: token, topics: [TRANSFER_TOPIC, word('1'), word('2')], data: word('5') };
  const rows = [
    { ...createRow(1, 0), ...transfer },
    { ...createRow(2, 0), ...transfer, data: word('f'.repeat(64)) },
    { ...createRow(3, 0), ...transfer, topics: [TRANSFER_TOPIC] },
    { ...createRow(4, 0), address: token, topics: [word('9')], data: '0x' },
  ];

  const run = async (query: object, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await runCli(['logs', '--query', '-', '--rpc', server.url, ...args], {
      input: JSON.stringify(query),
    });
    return { code, lines: parseLines(stdout), stderr };
  };

  it('count the logs apart that lack a field, and say so', async () => {
    const { lines, stderr } = await run({ address: token }, '--group-by', 'to', '--sum', 'value');
    const [group, { verdict }] = lines;
    assert.deepEqual(group, {
      group: { to: `0x${'2'.padStart(40, '0')}` },
      ...{ count: '2', sum: String(2n ** 256n + 4n), min: '5', max: String(2n ** 256n - 1n) },
      ...{ firstBlock: '1', lastBlock: '2' },
    });
    assert.deepEqual([verdict.rows, verdict.groups, verdict.ungrouped], [4, '1', '2']);
    assert.match(stderr, /^- 2 logs are in no group, since their to or value is missing or uncertain\.$/m);
    const byBlock = await run({ address: token }, '--group-by', 'value,block:10', '--sum', 'value');
    assert.match(byBlock.stderr, /since their value is missing or uncertain\.$/m);
  });

  it('are none where no log is decoded, and the reader is told what to do', async () => {
    const { lines, stderr } = await run({ topics: [word('9')] }, '--group-by', 'amount');
    assert.deepEqual(
      lines.map(({ verdict }) => [verdict.groups, verdict.ungrouped]),
      [['0', '1']],
    );
    assert.match(stderr, /^- No log was decoded\. Declare the event in the query/m);
  });

  it('are by the declaration of the query where nothing else knows the event', async () => {
    const named = await run(
      { event: 'Transfer(address indexed src, address indexed dst, uint256 wad)' },
      ...['--group-by', 'dst', '--sum', 'wad'],
    );
    assert.equal(named.lines[0].group.dst, `0x${'2'.padStart(40, '0')}`);
  });

  it('are those that the query or its file names, and options replace them', async () => {
    const to = `0x${'2'.padStart(40, '0')}`;
    const { lines } = await run({ address: token, groupBy: ['to', 'block'], sum: 'value' });
    assert.deepEqual(
      lines.slice(0, -1).map(({ group }) => group),
      [
        { to, block: '2' },
        { to, block: '1' },
      ],
    );
    const file = {
      ...{ title: 'Receivers', chainId: 31337, address: token, event: TRANSFER, groupBy: 'to', sum: 'value' },
      expect: { count: 3 },
    };
    const filed = await run(file);
    assert.deepEqual([filed.lines[0].group, filed.lines[0].count, filed.lines.length], [{ to }, '2', 2]);
    const replaced = await run(file, '--group-by', 'address');
    assert.deepEqual([replaced.lines[0].group, 'sum' in replaced.lines[0]], [{ address: token }, false]);
    const other = await run({ ...file, chainId: 1 });
    assert.deepEqual([other.code, other.lines[0].error.field], [2, 'chainId']);
  });
});
