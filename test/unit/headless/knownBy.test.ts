import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encodeAbiParameters, encodeErrorResult, encodeEventTopics, parseAbi } from 'viem';
import { removeFolder } from '../../../scripts/support/script.ts';
import { type LoopbackServer, startRpcServer } from '../../support/loopbackServer.ts';
import { runCli } from '../../support/runHeadless.ts';
import { createRow } from '../../support/scriptedServer.ts';

const shop = `0x${'b'.repeat(40)}` as const;
const other = `0x${'c'.repeat(40)}` as const;
const abi = parseAbi([
  'event Sold(address indexed to, string indexed what, (uint256 amount, bytes3 unit) order)',
  'error Closed(uint256 until)',
]);
const sold = {
  topics: encodeEventTopics({ abi, eventName: 'Sold', args: { to: other, what: 'tea' } }),
  data: encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes3' }], [2n ** 64n, '0x6b6700']),
};
const transfer = encodeEventTopics({
  abi: parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']),
  args: { from: shop, to: other },
});

describe('what headless commands know by a folder', () => {
  let folder: string;
  let server: LoopbackServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-known-'));
    await write('contracts/Shop.json', {
      ...{ contractName: 'Shop', abi },
      networks: { 31337: { address: shop } },
    });
    const rows = [
      { ...createRow(1, 0), address: shop, ...sold },
      { ...createRow(2, 0), address: other, ...sold },
      { ...createRow(3, 0), address: other, topics: transfer, data: `0x${'1'.padStart(64, '0')}` },
      { ...createRow(4, 0), address: other, topics: [`0x${'9'.repeat(64)}`], data: '0x' },
    ];
    server = await startRpcServer(({ id, method }) => {
      const reply = (result: unknown) => ({ jsonrpc: '2.0', id, result });
      if (method === 'eth_blockNumber') return reply('0x10');
      if (method === 'eth_chainId') return reply('0x7a69');
      if (method === 'eth_getLogs') return reply(rows);
      return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } };
    });
  });
  after(async () => {
    await server.close();
    await removeFolder(folder);
  });

  async function write(path: string, content: unknown): Promise<void> {
    const file = join(folder, 'build', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(join(folder, 'truffle-config.js'), '');
    await writeFile(file, JSON.stringify(content));
  }

  async function lines(args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(args);
    assert.equal(code, 0, stderr);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  it('decodes logs: by what is deployed, by the workspace, by bundled lists, or says why not', async () => {
    const rows = await lines(['logs', '--rpc', server.url, '--all', '--decode', folder]);
    const [deployed, known, bundled, unknown] = rows.map(({ decoded }) => decoded);
    const from = 'build/contracts/Shop.json';
    const args = [
      { name: 'to', type: 'address', indexed: true, value: other },
      { name: 'what', type: 'string', indexed: true, value: sold.topics[2], hashed: true },
      {
        ...{ name: 'order', type: '(uint256,bytes3)', indexed: false },
        value: { amount: (2n ** 64n).toString(), unit: '0x6b6700' },
      },
    ];
    const event = { event: 'Sold(address,string,(uint256,bytes3))', name: 'Sold', args };
    assert.deepEqual(deployed, { ...event, source: 'deployment', from });
    assert.deepEqual(known, { ...event, source: 'workspace', from });
    assert.deepEqual([bundled.name, bundled.source, bundled.from], ['Transfer', 'bundled', 'ERC-20']);
    assert.deepEqual(Object.keys(unknown), ['reason']);
    assert.equal(rows.at(-1).verdict.rows, 4);
  });

  it('takes the chain that is given, where a server does not tell or another is meant', async () => {
    const rows = await lines(['logs', '--rpc', server.url, '--decode', folder, '--chain-id', '1']);
    assert.equal(rows[0].decoded.source, 'workspace');
  });

  it('leaves rows as they are without a folder', async () => {
    const [row] = await lines(['logs', '--rpc', server.url]);
    assert.equal('decoded' in row, false);
  });

  it('decodes hex by the errors of the folder', async () => {
    const data = encodeErrorResult({ abi, errorName: 'Closed', args: [7n] });
    const [{ meaning }] = await lines(['decode', data, '--dir', folder]);
    assert.deepEqual(
      [meaning.kind, meaning.signature, meaning.source],
      ['revert', 'Closed(uint256)', 'workspace'],
    );
    assert.deepEqual(meaning.args, [{ name: 'until', type: 'uint256', value: '7' }]);
    const at = ['--address', shop, '--chain-id', '31337'];
    const [nearer] = await lines(['decode', data, '--dir', folder, ...at]);
    assert.equal(nearer.meaning.source, 'deployment');
  });
});
