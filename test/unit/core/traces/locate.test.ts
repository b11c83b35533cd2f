import assert from 'node:assert/strict';
import { mapSteps, openMaps } from '../../../../src/core/traces/locate.ts';
import type { ContractBuild } from '../../../../src/core/traces/readBuilds.ts';
import { openSource } from '../../../../src/core/traces/sourceText.ts';
import { slicing } from '../../../support/clocks.ts';

const HEADER = 'contract C {\n';
const line = (index: number) => `  function f${index}(uint a) public { require(a > ${index}); }\n`;
const sourceOf = (chars: number) => `${`${HEADER}${line(0)}}/*`.padEnd(chars - 2, ' ')}*/`;

interface Code {
  readonly text: string;
  /** Opcodes of one byte. */
  readonly opcodes: readonly string[];
  readonly sourceMap: string;
}

/** A build with one source, and how often it was read. */
function openBuild({ text, opcodes, sourceMap }: Code) {
  const read: number[] = [];
  const code = { digits: opcodes.join(''), gaps: [], sourceMap };
  const build = {
    ...{ contract: { name: 'C' }, runtime: code, creation: code, isOptimized: false, isViaIr: false },
    async readSource(id: number) {
      read.push(id);
      return { path: 'C.sol', text, isCurrent: true };
    },
  };
  const counters = opcodes.map((_, index) => index);
  const calls = [{ at: counters.length - 1, steps: { counters: [], calls: [], isCut: false } }];
  const map = (maps = openMaps()) =>
    mapSteps(
      { counters, calls, isCut: false },
      { build: build as unknown as ContractBuild, kind: 'runtime', functionName: 'f1', maps, ...slicing },
    );
  return { map, read };
}

/** How many bytes are decoded meanwhile. */
async function countDecoded(run: () => Promise<unknown>): Promise<number> {
  const { decode } = TextDecoder.prototype;
  let bytes = 0;
  TextDecoder.prototype.decode = function count(input, options) {
    bytes += input?.byteLength ?? 0;
    return decode.call(this, input, options);
  };
  try {
    await run();
  } finally {
    TextDecoder.prototype.decode = decode;
  }
  return bytes;
}

describe('the map of the steps of a call', () => {
  const text = sourceOf(100_000);
  const length = text.length;

  it('reads the text of each range once, and no more than 4 KiB of it', async () => {
    const opcodes = Array(500).fill('01');
    for (const sourceMap of [
      `0:${length}:0:-${';'.repeat(opcodes.length - 1)}`,
      opcodes.map((_, index) => `${index % 2 ? 0 : 1}:${length - 1}:0:-`).join(';'),
    ]) {
      const { map } = openBuild({ text, opcodes, sourceMap });
      const bytes = await countDecoded(async () => {
        const { passesOn, callAt } = await map();
        for (let times = 0; times < 5; times++) [passesOn(0), callAt(0)];
      });
      assert.ok(bytes < 3 * 4_096 * opcodes.length, String(bytes));
    }
    // Functions within functions, none with a place of its own.
    const jumps = Array(500).fill('56');
    const nested = openBuild({ text, opcodes: jumps, sourceMap: `0:${length}:0:i${';'.repeat(499)}` });
    const bytes = await countDecoded(nested.map);
    assert.ok(bytes < 3 * 4_096 * jumps.length, String(bytes));
  });

  it('reads each source once for all calls of a trace', async () => {
    const { map, read } = openBuild({ text, opcodes: ['01'], sourceMap: `${HEADER.length}:20:0:-` });
    const maps = openMaps();
    for (let times = 0; times < 3; times++) assert.equal((await map(maps)).end?.line, 2);
    assert.deepEqual(read, [0]);
  });

  it('has no line of a source above 1 MiB, nor of those above 16 MiB in all', async () => {
    const end = async (chars: number, maps = openMaps()) => {
      const sourceMap = `${HEADER.length + 2}:20:0:-`;
      return (await openBuild({ text: sourceOf(chars), opcodes: ['01'], sourceMap }).map(maps)).end;
    };
    assert.equal((await end(1_000_000))?.line, 2);
    assert.equal(await end(1024 * 1024 + 1), undefined);
    const maps = openMaps();
    maps.left.pay(16 * 1024 * 1024 - 1_500_000);
    assert.deepEqual([(await end(1_000_000, maps))?.line, await end(1_000_000, maps)], [2, undefined]);
  });

  it('is not certain where functions are deeper than the stack of the EVM', async () => {
    const opcodes = (depth: number) => [...Array(depth - 1).fill('56'), '01'];
    for (const [depth, isCertain] of [
      [1_024, true],
      [1_025, false],
    ] as const) {
      const place = HEADER.length + line(0).indexOf('require');
      const sourceMap = `${place}:14:0:i${';'.repeat(depth - 1)}`;
      const { end } = await openBuild({ text, opcodes: opcodes(depth), sourceMap }).map();
      assert.deepEqual([end?.isCertain, end?.stack.length], [isCertain, 1_024]);
    }
  });
});

describe('a source with positions of a compiler', () => {
  it('has lines and functions by bytes of UTF-8', async () => {
    const text = '/* ü😀 */\ncontract A {\n function f() {} /* ü */\n\n modifier m() { _; }\n}\n';
    const source = await openSource({ path: 'A.sol', text, isCurrent: true }, slicing);
    const bytes = (part: string) => Buffer.byteLength(text.slice(0, text.indexOf(part)));
    const at = (part: string) => {
      const found = source.callableAt(bytes(part));
      return found && [found.name, found.contract, found.line];
    };
    assert.deepEqual(
      [at('function'), at('{} /*'), at('modifier'), at('_;')],
      [
        ...[
          ['f', 'A', 3],
          ['f', 'A', 3],
          ['m', 'A', 5],
          ['m', 'A', 5],
        ],
      ],
    );
    assert.deepEqual([at('contract'), at(' /* ü */'), at('\n}')], [undefined, undefined, undefined]);
    assert.deepEqual([0, bytes('contract') - 1, bytes('contract'), 1_000].map(source.lineAt), [1, 1, 2, 7]);
    assert.equal(source.slice(bytes('contract'), 8), 'contract');
    assert.deepEqual(
      [source.has(0, Buffer.byteLength(text)), source.has(1, Buffer.byteLength(text))],
      [true, false],
    );
  });
});
