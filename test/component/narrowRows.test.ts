import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { accessibilityFindings } from '../e2e/support/accessibility.ts';
import { eventOf, logOfEvent } from '../support/eventLogs.ts';
import { createValue, eventShapes } from '../support/eventShapes.ts';
import { answerEach, type LoopbackServer, startRpcServer } from '../support/loopbackServer.ts';
import { useLogPanels } from './support/logPanels.ts';
import { isReadableInEveryTheme } from './support/panelPage.ts';

const HASH = `0x${'99'.repeat(32)}`;
/** Only these arguments can be in a topic of a test log. */
const shapes = eventShapes.filter((shape) => !/\b(?:bytes32|int\d+) indexed/.test(shape));

const hex = (number: number) => `0x${number.toString(16)}`;

/** One log of each event, each in a block of its own. */
const logs = shapes.map((shape, index) => {
  const event = eventOf(`event ${shape}`);
  const values = event.inputs.map(({ type }, position) => createValue(type, position + 1));
  const { blockNumber: _, logIndex: __, transactionIndex: ___, ...log } = logOfEvent(event, values);
  return { ...log, blockNumber: hex(index + 1), logIndex: '0x0', transactionIndex: '0x0', removed: false };
});

function answer(method: string, [first]: readonly unknown[]): unknown {
  switch (method) {
    case 'eth_chainId':
      return '0x7a69';
    case 'eth_blockNumber':
      return hex(logs.length);
    case 'eth_getBlockByNumber':
      return {
        number: first === 'latest' ? hex(logs.length) : first,
        hash: HASH,
        parentHash: HASH,
        timestamp: '0x1',
      };
    case 'eth_getLogs': {
      const { fromBlock, toBlock } = first as { readonly fromBlock: string; readonly toBlock: string };
      return logs.filter(
        ({ blockNumber }) =>
          Number(blockNumber) >= Number(fromBlock) && Number(blockNumber) <= Number(toBlock),
      );
    }
    default:
      return undefined;
  }
}

/** Structs in place of the tuples of the declarations. */
function toSolidity(): string {
  const structs: string[] = [];
  const events = shapes.map((shape) => {
    const named = shape.replace(/\(([^()]+)\) (\w+)/, (_, members: string, name: string) => {
      structs.push(`struct ${name}Type { ${members.replaceAll(',', ';')}; }`);
      return `${name}Type ${name}`;
    });
    return `event ${named};`;
  });
  return `contract Events {\n  ${[...structs, ...events].join('\n  ')}\n}\n`;
}

describe('rows of many events in a narrow panel', () => {
  let server: LoopbackServer | undefined;
  before(async () => {
    server = await startRpcServer(
      answerEach(({ id, method, params }) => {
        const result = answer(method, params);
        const error = { code: -32601, message: 'no such method' };
        return { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) };
      }) as Parameters<typeof startRpcServer>[0],
    );
  });
  after(() => server?.close());
  const { openAndRun } = useLogPanels(() => ({
    settings: {
      'chainside.network': 'events',
      'chainside.networks': { events: { name: 'Events', chainId: 31337, rpcUrl: server?.url ?? '' } },
    },
    fillFolder: async (folder) => {
      await mkdir(join(folder, 'src'), { recursive: true });
      await writeFile(join(folder, 'src/Events.sol'), toSolidity());
    },
  }));

  it('show who, what and how much, and cut notes first', async () => {
    const opened = await openAndRun({ 'From block': '0' });
    const { page } = opened;
    await page.setViewportSize({ width: 460, height: 60 + 22 * (logs.length + 8) });
    const cells = opened.grid.locator('.sentence');
    await waitUntil('all rows are decoded', async () => (await cells.count()) === logs.length);
    const found = await cells.evaluateAll((sentences) =>
      sentences.map((sentence) => {
        const isCut = (part: { readonly scrollWidth: number; readonly clientWidth: number }) =>
          part.scrollWidth > part.clientWidth;
        const parts = [...sentence.children];
        const of = (kind: string) => parts.filter((part) => part.classList.contains(kind));
        const edge = sentence.getBoundingClientRect().right;
        return {
          text: sentence.textContent,
          title: sentence.closest('[role=gridcell]')?.getAttribute('title'),
          cutsAmounts: of('amount').some(
            (part) => isCut(part) || part.getBoundingClientRect().right > edge + 1,
          ),
          cutsFacts: of('fact').some(isCut),
          widestText: Math.max(0, ...of('text').map((part) => part.clientWidth)),
          values: parts.length - 1,
        };
      }),
    );
    for (const { text, title, cutsAmounts, cutsFacts, widestText, values } of found) {
      assert.equal(text, title);
      // Only where there are more values than room, and then no note is left.
      assert.ok(!cutsAmounts || (values > 4 && widestText <= 25), text ?? '');
      assert.ok(!cutsFacts || widestText <= 25, text ?? '');
    }
    assert.ok(found.filter(({ cutsAmounts }) => cutsAmounts).length < 9);
    await isReadableInEveryTheme(page, 'rows-460');
    assert.deepEqual(await accessibilityFindings(page), []);
  });
});
