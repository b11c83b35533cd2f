import assert from 'node:assert/strict';
import { encodeAbiParameters, stringToHex } from 'viem';
import { createTimeSlices } from '../../../../src/core/base/timeSlices.ts';
import { createChainClient, systemClock, withEndpointSecret } from '../../../../src/core/index.ts';
import { createLogFilter } from '../../../../src/core/logs/query/filter.ts';
import { redactHexData } from '../../../../src/core/secrets/redactHexData.ts';
import { createRow } from '../../../support/fakeFetch.ts';
import { createRandom } from '../../../support/logDataSets.ts';

const KEY = 'sk_Live+9f8e7d/6c5b4a';
const slices = () => createTimeSlices(systemClock);
const redact = (text: string, key = KEY) => redactHexData(text, key, slices());
const read = (hex: string) => Buffer.from(hex.replace('0x', ''), 'hex').toString('latin1');

describe('A key in hex data', () => {
  const forms = {
    'as it is': KEY,
    'in lower case': KEY.toLowerCase(),
    'in upper case': KEY.toUpperCase(),
    'escaped for a URL': encodeURIComponent(KEY),
    'in hex': Buffer.from(KEY).toString('hex'),
    'in base64': Buffer.from(KEY).toString('base64'),
    'in base64 of a URL': Buffer.from(`a${KEY}`).toString('base64url'),
    'in basic authentication': Buffer.from(`ab:${KEY}:c`).toString('base64'),
    'cut in its second half': KEY.slice(0, 12),
  };

  for (const [how, text] of Object.entries(forms)) {
    it(`becomes asterisks: ${how}`, async () => {
      for (const [before, after] of [
        ['', ''],
        ['token ', ' of you'],
        ['x'.repeat(31), 'y'],
      ] as const) {
        const data = encodeAbiParameters([{ type: 'string' }], [`${before}${text}${after}`]);
        for (const hex of [data, data.toUpperCase().replace('0X', '0x')]) {
          const body = `{"result":"${hex}","other":"0x12"}`;
          const redacted = await redact(body);
          assert.equal(redacted.length, body.length);
          const shown = read(JSON.parse(redacted).result);
          assert.ok(shown.includes(`${before}`) && shown.includes('********'), shown);
          const part = text.slice(0, 12);
          assert.ok(!shown.toLowerCase().includes(part.toLowerCase()), shown);
        }
      }
    });
  }

  it('is found across pieces, repeated, and beside itself', async () => {
    const hex = stringToHex(KEY).slice(2);
    for (const offset of [65_524, 65_535, 65_536, 65_537, 131_071]) {
      const body = `0x${'0'.repeat(offset - 2)}${hex}00`;
      assert.equal(await redact(body), `0x${'0'.repeat(offset - 2)}${'2a'.repeat(KEY.length)}00`);
    }
    assert.equal(await redact(`0x${hex.repeat(20_000)}`), `0x${'2a'.repeat(KEY.length * 20_000)}`);
  });

  it('is not what others have, nor a key that is too short', async () => {
    const random = createRandom(15);
    const data = Array.from({ length: 200_000 }, () => random(16).toString(16)).join('');
    const body = `{"result":"0x${data}"}`;
    assert.equal(await redact(body), body);
    // The digits of a key of hex are a coincidence in data.
    const key = '0123456789abcdef0123456789abcdef';
    assert.equal(await redact(`0x00${key}00`, key), `0x00${key}00`);
    const short = stringToHex('abc1234');
    assert.equal(await redact(short, 'abc1234'), short);
    assert.equal(await redact(stringToHex('schlüssel-ü'), 'schlüssel-ü'), `0x${'2a'.repeat(13)}`);
  });

  it('reaches no caller of an endpoint that repeats it', async () => {
    const result = encodeAbiParameters([{ type: 'string' }], [`your key is ${KEY}`]);
    const topics = [`0x${'cc'.repeat(32)}`, stringToHex(KEY, { size: 32 })];
    const log = createRow(1, 0, { topics, data: result });
    const fetch = async (_url: string, init: { readonly body?: unknown }) => {
      const { id, method } = JSON.parse(String(init.body));
      const answers: Readonly<Record<string, unknown>> = {
        eth_call: result,
        eth_getLogs: [log],
        eth_blockNumber: '0x1',
      };
      return new Response(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? '0x1' }));
    };
    const stored = { read: async () => KEY };
    const endpoint = { rpcUrl: 'https://rpc.example/', rpcAuth: 'bearer' } as const;
    const http = withEndpointSecret({ fetch: fetch as never, clock: systemClock }, endpoint, () => stored);
    const client = createChainClient({ ...http, url: endpoint.rpcUrl });
    const called = await client.callAtBlock({ to: `0x${'11'.repeat(20)}`, data: '0x12345678', block: 1n });
    assert.match(read(called), /your key is \*{21}/);
    const filter = createLogFilter({ addresses: [], topics: [], fromBlock: 1n, toBlock: 1n });
    const rows = [];
    for await (const page of client.openLogQuery(filter).rest()) rows.push(...page.logs);
    assert.equal(rows.length, 1);
    assert.match(rows.map(({ data }) => read(data)).join(), /your key is \*{21}/);
    assert.match(read(String(rows[0]?.topics[1])), /^\*{21}/);
  });
});
