import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { formatMessage } from '../../../../../src/core/base/text.ts';
import { createTimeSlices } from '../../../../../src/core/base/timeSlices.ts';
import { readHex } from '../../../../../src/core/eth/bytes.ts';
import { systemClock } from '../../../../../src/core/index.ts';
import { readHeader } from '../../../../../src/core/logs/proof/blockHeader.ts';
import { encodeReceipts } from '../../../../../src/core/logs/proof/blockReceipts.ts';
import { encodeTransactions } from '../../../../../src/core/logs/proof/blockTransactions.ts';
import { createBloomBuilder, createBloomTest } from '../../../../../src/core/logs/proof/bloom.ts';
import { computeListRoot, toRlpInteger } from '../../../../../src/core/logs/proof/merkleTrie.ts';
import { parseLogFilter } from '../../../../../src/core/logs/query/queryJson.ts';

const fixture = new URL('../../../../fixtures/block21925176.json.gz', import.meta.url);
const work = { slices: createTimeSlices(systemClock) };

/** Block 21,925,176 of Ethereum, with what its receipts root commits to of its receipts. */
async function readFixture() {
  const text = gunzipSync(await readFile(fixture)).toString();
  return JSON.parse(text) as {
    readonly header: { readonly [name: string]: string };
    readonly receipts: object[];
  };
}

describe('encodings of a block', () => {
  it('have the hash, the receipts root and the bloom of a block of Ethereum', async () => {
    const { header: wire, receipts } = await readFixture();
    const { header } = readHeader(wire, '21925176');
    assert.equal(header?.hash, '0x92dabfa3f61ff1c349d12f5fd0dd4c99760a0a41b77dee8f0a80f83efdcb307a');
    const encoded = await encodeReceipts(receipts, createBloomBuilder(), work);
    assert.equal(encoded?.root, wire.receiptsRoot);
    assert.equal(readHex(encoded?.bloom ?? new Uint8Array(), 0, 256), wire.logsBloom);
    assert.deepEqual([encoded?.logs.length, encoded?.logs.at(-1)?.logIndex], [463, 462]);
    // As eth_getLogs has it.
    const deposit = encoded?.logs.find(({ logIndex }) => logIndex === 0xfb);
    assert.deepEqual(
      [deposit?.address, deposit?.transactionIndex],
      ['0x00000000219ab540356cbb839cbe05303d7705fa', 0x27],
    );
    const test = async (query: object) =>
      (await createBloomTest(parseLogFilter(query), work)).mayMatch(header?.logsBloom ?? '0x');
    assert.ok(await test({}));
    for (const { address, topics } of encoded?.logs ?? []) assert.ok(await test({ address, topics }));
    assert.ok(!(await test({ address: '0x00000000000000000000000000000000000000ee' })));
  });

  it('change with every field and with every part of a receipt', async () => {
    const { header: wire, receipts } = await readFixture();
    for (const name of Object.keys(wire)) {
      if (name === 'size') continue;
      const value = wire[name] ?? '';
      const changed = `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}`;
      assert.ok(!readHeader({ ...wire, [name]: changed }, '1').header, name);
    }
    const [first, ...others] = receipts as { readonly logs: readonly object[] }[];
    for (const change of [
      { type: '0x1' },
      { status: '0x0' },
      { root: wire.stateRoot },
      { cumulativeGasUsed: '0x1' },
      { logs: first?.logs.slice(1) },
      { depositNonce: '0x1', depositReceiptVersion: '0x1' },
    ]) {
      const encoded = await encodeReceipts([{ ...first, ...change }, ...others], createBloomBuilder(), work);
      assert.notEqual(encoded?.root ?? 'none', wire.receiptsRoot, JSON.stringify(change).slice(0, 80));
    }
  });

  it('are made in slices of 64 KiB and of one log, and of no header with longer fields', async () => {
    let rests = 0;
    const slices = {
      isOver: () => true,
      async rest() {
        rests++;
      },
    };
    const log = { address: `0x${'1'.repeat(40)}`, topics: [], data: `0x${'12'.repeat(1024 * 1024)}` };
    const receipt = { status: '0x1', cumulativeGasUsed: '0x1', logs: [log] };
    const one = await encodeReceipts([receipt], createBloomBuilder(), { slices });
    assert.ok(rests > 32, String(rests));
    rests = 0;
    await encodeTransactions([{ input: log.data }], { slices });
    assert.ok(rests > 48, String(rests));
    rests = 0;
    const many = Array.from({ length: 1_000 }, () => ({ ...log, data: '0x' }));
    await encodeReceipts([{ ...receipt, logs: many }], createBloomBuilder(), { slices });
    assert.ok(rests > 1_000, String(rests));
    assert.deepEqual((await encodeReceipts([receipt], createBloomBuilder(), work))?.root, one?.root);
    const { header: wire } = await readFixture();
    const { missing } = readHeader({ ...wire, extraData: `0x${'12'.repeat(64 * 1024 + 1)}` }, '1');
    assert.match(missing ? formatMessage(missing) : '', /1\b.*extraData/);
  });

  it('are none of what is not a receipt or a transaction', async () => {
    const good = { status: '0x1', cumulativeGasUsed: '0x5208', logs: [] };
    assert.ok(await encodeReceipts([good], createBloomBuilder(), work));
    for (const bad of [
      null,
      { ...good, status: undefined },
      { ...good, cumulativeGasUsed: 'many' },
      { ...good, type: '0x80' },
      { ...good, logs: null },
      { ...good, logs: [null] },
      { ...good, logs: [{ address: '0x01', topics: [], data: '0x' }] },
      { ...good, logs: [{ address: `0x${'1'.repeat(40)}`, topics: ['0x1'], data: '0x' }] },
      { ...good, logs: [{ address: `0x${'1'.repeat(40)}`, topics: [], data: '0x1' }] },
    ])
      assert.equal(await encodeReceipts([bad], createBloomBuilder(), work), undefined);
    for (const bad of [null, '0x', { type: '0x7d' }, { type: 'x' }])
      assert.equal(await encodeTransactions([bad], work), undefined);
  });

  it('have the hash of real transactions', async () => {
    // The first and second of block 8,656,414 of Goerli, and that of block 0x100000 of MegaETH, an OP chain.
    const transactions = [
      {
        ...{ type: '0x0', chainId: '0x5', nonce: '0x279ad', gasPrice: '0x4159f01735', gas: '0x5208' },
        ...{
          to: '0xa21765a03dd41e2783696d314f235f4d520f6cac',
          value: '0x3782dace9d90000',
          input: '0x',
          v: '0x2e',
        },
        r: '0xf9eca8b74ccaec5f4a83e981baeb8602f38d0271179c592b4a18f3866316a367',
        s: '0x350a9d26718d1fa9dc4f268f9c0e18fb96dbc037816ca8fc20f33f1a76f9f501',
      },
      {
        ...{
          type: '0x2',
          chainId: '0x5',
          nonce: '0xafd',
          maxFeePerGas: '0x11407d03e',
          gas: '0x160ab',
          to: null,
        },
        ...{ maxPriorityFeePerGas: '0x9502f900', value: '0x0', accessList: [], v: '0x1' },
        input:
          '0x60566037600b82828239805160001a607314602a57634e487b7160e01b600052600060045260246000fd5b30600052607381538281f3fe73000000000000000000000000000000000000000030146080604052600080fdfea26469706673582212200c479c99d58d7fbee5ee3aef5001431073a3d465bdfa46cf747a7c0b9289607864736f6c634300080d0033',
        r: '0x48f6acf4ac4371eb96ffca8cdef5b7704ea8c68a631d1c02927036d4ce92567e',
        s: '0x1f12261ddde63fd3da2ed9ea1bcbb4b0f25af898248c805a9d4b0a6e42caf9c8',
      },
      {
        sourceHash: '0x79ab34de993de378f15eafd864cab321ca382dc65b7aa82d0cc10618e68041e6',
        from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
        to: '0x4200000000000000000000000000000000000015',
        ...{ type: '0x7e', mint: '0x0', value: '0x0', gas: '0x5f5e100' },
        input:
          '0x098999be00000558000c5fc50000000000000053000000006922225700000000016c074600000000000000000000000000000000000000000000000000000000041577640000000000000000000000000000000000000000000000000000000000000001f7c63d3b8cb8f194b5ac53452faf9f8c0d14f790e43e85a12558906bbe6a5adf000000000000000000000000b98c6b1a805b96707a43e1f1acfa163b68098fa6000000000000000000000000',
      },
    ];
    assert.deepEqual((await encodeTransactions(transactions, work))?.hashes, [
      '0x1e8f148a9aea7d8d16ea6e9446723b8f262e8bcd89c7c961d52046ebd43b4598',
      '0xab5c870f4c367012bd763172afbfbe68fbf35336a66ae41aff3f2c9dbf4ea3f8',
      '0x243d39c7f6cd74a9a081a6fe4bdfce37ac6136b9454691aeeb9ed77998450cbc',
    ]);
  });

  it('have roots of lists of every length', async () => {
    assert.equal(
      await computeListRoot([], work),
      '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    );
    // Values of one byte make nodes below 32 bytes, which stand in their parents.
    const roots = new Set<string>();
    for (let length = 1; length < 300; length++)
      roots.add(
        await computeListRoot(
          Array.from({ length }, () => Uint8Array.of(7)),
          work,
        ),
      );
    assert.equal(roots.size, 299);
    assert.deepEqual([0n, 1n, 127n, 128n, 256n].map(toRlpInteger), ['0x', '0x01', '0x7f', '0x80', '0x0100']);
  });
});
