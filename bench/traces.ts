import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createChainClient, type Hex, iterateFrames, systemClock } from '../src/core/index.ts';
import { atMost, type Benchmark, type Row } from './support/benchmark.ts';
import { timed } from './support/stats.ts';
import { milliseconds } from './support/timings.ts';

const STEPS = 50_000;
const CALLS = 20_000;
const LONGEST_DELAY_MS = 50;
/** The response is decoded, checked for depth and size, parsed, and checked step by step. */
const FLOOR_RATIO = 15;
const ROUNDS = 5;

const [hash, from, to]: readonly Hex[] = [
  `0x${'3c'.repeat(32)}`,
  `0x${'01'.repeat(20)}`,
  `0x${'02'.repeat(20)}`,
];
const transaction: Parameters<Client['fetchTrace']>[0] = {
  ...{ hash: hash ?? '0x', from: from ?? '0x', to, input: '0x', value: 0n, created: undefined },
  ...{
    gasLimit: 9_000_000n,
    gasUsed: 8_000_000n,
    block: 5n,
    position: 0,
    status: 'failed',
    failure: undefined,
    type: 2,
  },
};

/** What a node tells of one transaction, from the response to calls and steps. */
export const traces: Benchmark = {
  name: 'traces',
  async run() {
    const steps = await measure(
      'steps of struct logs',
      STEPS,
      { structLogs: makeSteps() },
      async (client) => {
        const found = await client.fetchSteps(transaction);
        return (found?.counters.length ?? 0) + (found?.calls[0]?.steps.counters.length ?? 0);
      },
    );
    const calls = await measure('calls of the callTracer', CALLS, makeCalls(), async (client) => {
      const found = await client.fetchTrace(transaction);
      return found.state === 'told' ? [...iterateFrames(found.root)].length : 0;
    });
    return [
      {
        title: `A trace of ${STEPS.toLocaleString('en')} struct logs, and one of ${CALLS.toLocaleString('en')} calls`,
        how:
          'From the bytes of the response to what is shown of it, beside JSON.parse of the same text. The delay of the event\n' +
          'loop is sampled each millisecond. Least of five rounds.',
        columns: ['', 'measured', 'of JSON.parse', 'longest delay', 'MiB'],
        rows: [...steps, ...calls],
      },
    ];
  },
};

type Client = ReturnType<typeof createChainClient>;

async function measure(
  what: string,
  count: number,
  result: object,
  read: (client: Client) => Promise<number>,
): Promise<readonly Row[]> {
  const text = JSON.stringify(result);
  const bytes = new TextEncoder().encode(text);
  const times: number[] = [];
  const floors: number[] = [];
  const delays: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    floors.push(await timed(async () => void JSON.parse(text)));
    const client = createChainClient({
      fetch: createFetch(bytes),
      clock: systemClock,
      url: 'http://127.0.0.1:1',
    });
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    let found = 0;
    const readAll = async () => {
      found = await read(client);
    };
    times.push(await timed(readAll));
    loop.disable();
    delays.push(Math.max(0, loop.max / 1e6 - 1));
    if (found !== count) throw new Error(`There are ${found} ${what}, not ${count}.`);
  }
  const [ms, floorMs, delayMs] = [Math.min(...times), Math.min(...floors), Math.min(...delays)];
  const ratio = Number((ms / floorMs).toFixed(2));
  const mebibytes = (bytes.length / 2 ** 20).toFixed(1);
  return [
    {
      cells: [`JSON.parse: ${what}`, milliseconds(floorMs), '', '', mebibytes],
      figures: { what: `JSON.parse: ${what}`, ms: floorMs },
    },
    {
      cells: [what, milliseconds(ms), `${ratio}×`, milliseconds(delayMs), mebibytes],
      figures: { what, ms, ratio, delayMs },
      budget: atMost(ratio, FLOOR_RATIO, '×', false),
    },
    {
      cells: [`${what}: longest delay`, '', '', milliseconds(delayMs), ''],
      figures: { what: `${what}: longest delay`, delayMs },
      budget: atMost(Number(delayMs.toFixed(1)), LONGEST_DELAY_MS, 'ms', false),
    },
  ];
}

/** A node that refuses tracers in JavaScript, and responds to the rest with this result, in parts as a network does. */
function createFetch(result: Uint8Array): typeof fetch {
  return async (_url, init) => {
    const body = String(init?.body);
    const requests = JSON.parse(body) as { readonly id: number } | readonly { readonly id: number }[];
    const [{ id } = { id: 0 }] = [requests].flat();
    const [open, close] = Array.isArray(requests) ? ['[', ']'] : ['', ''];
    const head = `${open}{"jsonrpc":"2.0","id":${id},`;
    if (body.includes('function'))
      return new Response(`${head}"error":{"code":-32000,"message":"JS tracer is not enabled"}}${close}`);
    const encoder = new TextEncoder();
    let at = 0;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode(`${head}"result":`)),
      pull(controller) {
        controller.enqueue(result.slice(at, at + PART_BYTES));
        at += PART_BYTES;
        if (at < result.length) return;
        controller.enqueue(encoder.encode(`}${close}`));
        controller.close();
      },
    });
    return new Response(stream);
  };
}

const PART_BYTES = 64 * 1024;

/** A loop, with a call in the middle. */
function makeSteps(): readonly object[] {
  return Array.from({ length: STEPS }, (_, index) => {
    const depth = index < STEPS / 2 ? 1 : 2;
    const op = index + 1 === STEPS / 2 ? 'CALL' : index % 3 === 0 ? 'JUMPI' : 'PUSH1';
    return { pc: index % 4_000, op, gas: 8_000_000 - index, gasCost: 3, depth };
  });
}

/** A call that makes many, in each of which are nine more. */
function makeCalls(): object {
  const frame = { type: 'CALL', from, to, value: '0x0', gas: '0x5208', gasUsed: '0x5208' };
  const input = `0xa9059cbb${'0'.repeat(128)}`;
  const groups = Array.from({ length: CALLS / 10 - 1 }, () => ({
    ...{ ...frame, input, output: `0x${'0'.repeat(63)}1` },
    calls: Array.from({ length: 9 }, () => ({ ...frame, input: '0x18160ddd', type: 'STATICCALL' })),
  }));
  const rest = Array.from({ length: 9 }, () => ({ ...frame, input }));
  return { ...frame, input, calls: [...groups, ...rest] };
}
