import assert from 'node:assert/strict';
import { createRandom, type Random } from '../../localnet/chain/random.ts';
import { campaign } from './support/campaign.ts';
import { runCli } from './support/cli.ts';
import { type Behaviour, CONTRACT, logsOf, rangeOf, useHostileServer } from './support/hostileServer.ts';

const rounds = campaign.short ? 4 : 60;

describe('the headless runner against answers with random faults', () => {
  const server = useHostileServer();

  for (let round = 0; round < rounds; round++) {
    const seed = campaign.seed + round;
    it(`withstands those of seed ${seed}`, async () => {
      server().behaviour = faulty(createRandom(seed));
      const args = ['logs', '--all', '--query', '-', '--rpc', `${server().url}/api/eth-rpc`];
      const run = await runCli(args, { input: JSON.stringify({ address: CONTRACT }) });
      const last = run.values.at(-1) ?? assert.fail('It ended without a word.');
      assert.ok(last.verdict ?? last.error, JSON.stringify(last).slice(0, 200));
      assert.equal(run.code, last.error ? 3 : 0);
    });
  }
});

/** An honest node with a log in every tenth block, one in three of whose answers is changed at one place. */
function faulty(random: Random): Behaviour {
  return (question) => {
    if (question.method === '') return undefined;
    const sound = soundBody(question);
    if (random.below(3) > 0) return { body: sound };
    const status = [200, 200, 200, 400, 429, 500, 503][random.below(7)] ?? 200;
    return { status, body: damage(sound, random) };
  };
}

function soundBody(question: Parameters<Behaviour>[0]): string {
  const { method, id } = question;
  const envelope = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result });
  if (method === 'eth_blockNumber') return envelope('0x1388');
  if (method === 'web3_clientVersion') return envelope('Geth/v1.16.0');
  if (method !== 'eth_getLogs')
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
  const { fromBlock, toBlock } = rangeOf(question);
  const blocks = Array.from(
    { length: Math.max(0, Math.min(toBlock, 5000) - fromBlock + 1) },
    (_, at) => fromBlock + at,
  );
  return envelope(blocks.filter((block) => block % 10 === 0).flatMap((block) => logsOf(block, 0, 1)));
}

const seeds = [
  'null',
  '[]',
  '{}',
  '-1',
  '1e999',
  '"0x"',
  '"0xzz"',
  '"\\u202e"',
  '"\\u001b[2J"',
  '999999999999999999999',
  'true',
];

/** Cuts, doubles or replaces a piece of a text, at a place of its JSON. */
function damage(text: string, random: Random): string {
  const places = [...text.matchAll(/"[^"]{0,80}"|\d+|\[|\{/g)];
  const place = places[random.below(Math.max(1, places.length))];
  const at = place?.index ?? 0;
  const end = at + (place?.[0].length ?? 0);
  switch (random.below(5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(end);
    case 2:
      return text.slice(0, end) + text.slice(at, end).repeat(1 + random.below(1000)) + text.slice(end);
    case 3:
      return text.slice(0, at) + '['.repeat(random.below(100_000)) + text.slice(end);
    default:
      return text.slice(0, at) + (seeds[random.below(seeds.length)] ?? '') + text.slice(end);
  }
}
