import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createTimeSlices,
  MAX_SOURCE_CHARS,
  parseSourceInSlices,
  systemClock,
  type TimeSlices,
} from '../../../../../src/core/index.ts';
import { collectGarbage } from '../../../../support/collectGarbage.ts';
import { byTurns } from '../../../../support/fullRun.ts';
import { parseSource } from '../../../../support/parseSource.ts';
import { pick } from '../../../../support/pick.ts';

/** Slices that are over at every look, and how often was rested. */
function shortSlices(onRest?: () => void): TimeSlices & { rests: number } {
  const slices: ReturnType<typeof shortSlices> = {
    rests: 0,
    isOver: () => true,
    async rest({ signal } = {}) {
      slices.rests++;
      onRest?.();
      signal?.throwIfAborted();
    },
  };
  return slices;
}

const names = (text: string, path = 'A.sol') => parseSource(path, text).items.map(({ name }) => name);

describe('reading of a source', () => {
  it('leaves out a declaration or a source of a length that nobody writes, and says so of the source', async () => {
    const long = `event Long(${Array(1000).fill('uint a').join(', ')}); event Short();`;
    assert.deepEqual(names(long), ['Short']);
    const most = 'event A();'.padEnd(MAX_SOURCE_CHARS);
    const read = (text: string) =>
      parseSourceInSlices({ path: 'A.sol', text }, createTimeSlices(systemClock));
    assert.equal((await read(most)).items.length, 1);
    assert.deepEqual(await read(`${most} `), { ...parseSource('A.sol', ''), cut: true });
  });

  for (const [list, declaration] of [
    ['items', 'event A();'],
    ['types', 'enum A { B }'],
    ['contracts', 'contract A {}'],
    ['imports', 'import "A";'],
  ] as const) {
    it(`keeps to a number of ${list}`, () => {
      const most = parseSource('A.sol', declaration.repeat(2_000));
      assert.equal(most[list].length, 2_000);
      assert.equal(most.cut, false);
      const more = parseSource('A.sol', declaration.repeat(2_001));
      assert.equal(more[list].length, 2_000);
      assert.equal(more.cut, true);
    });
  }

  it('puts nothing of a contract that has no room into another', () => {
    const { contracts, items } = parseSource(
      'A.sol',
      `${'contract A {} '.repeat(2_000)} contract B { event C(); }`,
    );
    assert.deepEqual([...items, ...contracts.flatMap((contract) => contract.items)], []);
  });

  it('goes on in slices, which end when nobody wants the answer any more', async () => {
    const stop = new AbortController();
    const slices = shortSlices(() => slices.rests === 3 && stop.abort());
    const source = { path: 'A.sol', text: 'a '.repeat(10_000) };
    await assert.rejects(parseSourceInSlices(source, slices, { signal: stop.signal }), {
      name: 'AbortError',
    });
    assert.equal(slices.rests, 3);
  });

  it('gives what is there up to where it has taken too long', async () => {
    const slices = shortSlices();
    const text = `event First(); ${'a '.repeat(200_000)} event Last();`;
    const { items } = await parseSourceInSlices({ path: 'A.sol', text }, slices);
    assert.deepEqual(pick(items, 'name'), ['First']);
    assert.equal(slices.rests, 250);
  });

  for (const [path, text] of [
    [
      'A.sol',
      `import {TransferHelperOne as TransferHelperTwo} from "contracts/libraries/TransferHelperOne.sol";
       uint256 constant MAXIMUM_NUMBER_OF_PARTS = 1000000000000000;
       contract VaultOfManyTokens is ERC4626Upgradeable, base.OwnableUpgradeable {
         struct PositionOfAHolder { address payable ownerOfThePosition; }
         event DepositedIntoVault(base.PositionOfAHolder[MAXIMUM_NUMBER_OF_PARTS] indexed positionOfHolder);
         function f() external { emit base.DepositedIntoVault(1); }
       }`,
    ],
    [
      'A.vy',
      `from contracts.libraries import transfer_helper_one as transfer_helper_two
MAXIMUM_NUMBER_OF_PARTS: constant(uint256) = 1000000000000000
exports: transfer_helper_two.transfer_many_tokens
struct PositionOfAHolder:
  owner_of_the_position: address
event DepositedIntoVault:
  position_of_holder: DynArray[PositionOfAHolder, MAXIMUM_NUMBER_OF_PARTS]
@external
def deposit_many_tokens(position_of_holder: PositionOfAHolder[MAXIMUM_NUMBER_OF_PARTS]):
  log DepositedIntoVault(1)`,
    ],
  ] as const) {
    it(`keeps nothing of ${path} in memory but its declarations`, async () => {
      await collectGarbage();
      const before = process.memoryUsage().heapUsed;
      const all = Array.from({ length: 10 }, (_, index) =>
        parseSource(path, `${text}\n${'\n'.repeat(MAX_SOURCE_CHARS - 10_000)}#${index}`),
      );
      await collectGarbage();
      const held = process.memoryUsage().heapUsed - before;
      assert.ok(all.every(({ contracts, uses }) => contracts[0] && uses.length === 1));
      assert.ok(held < 5 * MAX_SOURCE_CHARS, `${held} bytes are held`);
    });
  }

  const words = fc.constantFrom(
    ...[
      'event',
      'error',
      'struct',
      'enum',
      'contract',
      'interface',
      'import',
      'function',
      'mapping',
      'type',
      'is',
    ],
    ...[
      'using',
      'from',
      'as',
      'indexed',
      'constant',
      'emit',
      'revert',
      'def',
      'log',
      'external',
      'returns',
      'A',
      'B',
    ],
    ...[
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      ';',
      ',',
      '.',
      ':',
      '=',
      '*',
      '"',
      "'",
      '"""',
      '\n',
      '\n  ',
      '//',
      '/*',
      '*/',
    ],
    ...['#', '@', '\\', '->', '9', '__proto__', '\u2028', '\0', 'ü'],
  );
  for (const path of ['A.sol', 'A.vy', 'A.vyi']) {
    it(`of ${path} takes any text, and gives plain JSON of it`, () => {
      fc.assert(
        fc.property(fc.array(words, { maxLength: 60 }), fc.boolean(), (parts, apart) => {
          const text = parts.join(apart ? ' ' : '');
          const facts = parseSource(path, text);
          assert.deepEqual(JSON.parse(JSON.stringify(facts)), facts);
          for (const { offset, line } of [...facts.items, ...facts.uses]) {
            assert.ok(offset < text.length);
            assert.equal(line, text.slice(0, offset).split(/\r\n|\r|\n/).length);
          }
        }),
      );
    });
  }

  const forms = [
    ['A.sol', 'braces that open', '', '{'],
    ['A.sol', 'contracts in contracts', '', 'contract A {'],
    ['A.sol', 'bases', 'contract A is ', 'B, '],
    ['A.sol', 'structs in structs', '', 'struct A {'],
    ['A.sol', 'uses', 'contract A { function f() { ', 'emit A.'],
    ['A.sol', 'dimensions', 'event A(uint', '[1]'],
    ['A.sol', 'lines', '', '\r'],
    ['A.vy', 'brackets that open', '', 'a[('],
    ['A.vy', 'lists in lists', 'event A:\n  a: ', 'DynArray['],
    ['A.vy', 'texts that open', '', '"""a'],
    ['A.vy', 'events', '', 'event A:\n  '],
    ['A.vy', 'defaults', '@external\ndef a(', 'a: uint256 = 1, '],
    ['A.vy', 'lines that go on', 'a', '\\\n'],
  ] as const;
  for (const [path, written, begin, unit] of byTurns(forms, 3, 1)) {
    it(`of ${path} costs time in proportion to the source: ${written}`, () => {
      const cost = (length: number) => {
        const text = begin + unit.repeat(length / unit.length);
        const before = process.cpuUsage();
        parseSource(path, text);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      };
      cost(50_000);
      const short = cost(90_000);
      const long = cost(900_000);
      // Time of the processor, ten times the length: a hundred times the time would be quadratic, and take minutes.
      assert.ok(long < Math.max(1000, 30 * short), `${long} ms after ${short} ms`);
    });
  }
});
