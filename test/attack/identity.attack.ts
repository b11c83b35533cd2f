import assert from 'node:assert/strict';
import { runCli } from './support/cli.ts';
import { type Behaviour, CONTRACT, useHostileServer } from './support/hostileServer.ts';

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
const kinds = ['account', 'contract', 'delegated', 'unknown'];
let next = 1n;

/** Answers that are made for whoever looks for proxies. */
const proxyAttacks: Readonly<Record<string, Behaviour>> = {
  'proxies behind proxies without an end, by every slot and function another': ({ method }) => {
    if (method === 'eth_getCode') return { result: '0x5af4' };
    if (method === 'eth_getStorageAt' || method === 'eth_call') return { result: word(next++) };
    return undefined;
  },
  'code of a million bytes': ({ method }) =>
    method === 'eth_getCode' ? { result: `0x${'5b'.repeat(1_000_000)}` } : undefined,
  'a diamond of twenty thousand facets': ({ method, params }) => {
    if (method === 'eth_getCode') return { result: '0x5af4' };
    if (method === 'eth_getStorageAt') return { result: '0x0' };
    const { data = '' } = (params[0] ?? {}) as { readonly data?: string };
    if (method !== 'eth_call') return undefined;
    if (data !== '0x52ef6b2c') return { result: data };
    const facets = Array.from({ length: 20_000 }, (_, at) => word(BigInt(at + 1)).slice(2));
    return { result: `${word(32n)}${word(20_000n).slice(2)}${facets.join('')}` };
  },
  'a name of a million characters': ({ method, params }) => {
    if (method === 'eth_getCode') return { result: '0x6001' };
    const { data = '' } = (params[0] ?? {}) as { readonly data?: string };
    if (method !== 'eth_call') return undefined;
    if (data !== '0x06fdde03') return { result: data === '0x43686169' ? data : word(6n) };
    return { result: `${word(32n)}${word(1_000_000n).slice(2)}${'e280ae'.repeat(333_333)}61` };
  },
};

describe('what is at an address, asked of servers that mean harm', () => {
  const server = useHostileServer();

  for (const [name, behaviour] of Object.entries(proxyAttacks)) {
    it(`withstands ${name}`, async () => {
      server().behaviour = behaviour;
      const before = server().requests;
      const run = await runCli(['identify', CONTRACT, '--rpc', server().url]);
      assert.ok(run.output.length < 100_000, `${run.output.length} characters`);
      const last = run.values.at(-1) ?? assert.fail('It ended without a word.');
      assert.ok(last.error ?? kinds.includes(String(last.kind)), JSON.stringify(last).slice(0, 200));
      assert.equal(run.code, last.error || last.kind === 'unknown' ? 3 : 0);
      assert.ok(server().requests - before < 20, `${server().requests - before} requests`);
    });
  }
});
