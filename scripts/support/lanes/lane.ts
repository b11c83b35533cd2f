// A process that runs end-to-end test files one after the other, as it is told, with servers and a browser of its own.

import { runScript } from '../script.ts';
import { countTests } from '../testFiles.ts';
import { prepareEndToEnd } from '../workbench/endToEnd.ts';
import type { LaneOrder, LaneReport, LaneStart, LaneTests } from './messages.ts';

const kinds: Readonly<Record<LaneStart['kind'], () => Promise<LaneTests>>> = {
  e2e: async () => ({ options: { timeout: 300_000 }, end: async () => '' }),
  attack: async () => (await import('../../../test/attack/support/laneTests.ts')).attackTests,
};

await runScript(async (resources) => {
  const orders = receiveOrders();
  const first = await orders.next();
  if (!('start' in first)) throw new Error('A lane is started by the script whose tests it runs.');
  const { kind, vsix, grep, live } = first.start;
  await prepareEndToEnd(resources, vsix);
  const { options, end } = await kinds[kind]();
  await tell({ ready: true });
  for (;;) {
    const order = await orders.next();
    if (!('file' in order)) break;
    const output = live ? undefined : captureOutput();
    const run = await countTests({ files: [order.file], grep }, options);
    await tell({ run, output: output?.take() ?? '' });
  }
  await tell({ words: await end() });
  return 0;
});

function receiveOrders() {
  const waiting: LaneOrder[] = [];
  let wake: (() => void) | undefined;
  process.on('message', (order: LaneOrder) => {
    waiting.push(order);
    wake?.();
  });
  // The script has ended without a word.
  process.once('disconnect', () => process.exit(1));
  return {
    async next(): Promise<LaneOrder> {
      for (;;) {
        const order = waiting.shift();
        if (order !== undefined) return order;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

function tell(report: LaneReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(report, undefined, undefined, () => resolve());
  });
}

/** Keeps what is printed from now on, to be told in one piece with what came of the file. */
function captureOutput() {
  const { stdout, stderr } = process;
  const real = { stdout: stdout.write, stderr: stderr.write };
  let text = '';
  const keep = ((chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = rest.find((value) => typeof value === 'function') as (() => void) | undefined;
    done?.();
    return true;
  }) as typeof stdout.write;
  stdout.write = keep;
  stderr.write = keep;
  return {
    take(): string {
      stdout.write = real.stdout;
      stderr.write = real.stderr;
      return text;
    },
  };
}
