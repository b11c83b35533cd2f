import assert from 'node:assert/strict';
import {
  createTimeSlices,
  parseSource,
  parseSourceInSlices,
  systemClock,
} from '../../../../src/core/index.ts';
import { findEvents } from '../../../../src/features/source/findDeployments.ts';

async function find(text: string, others: Readonly<Record<string, string>> = {}) {
  const slices = createTimeSlices(systemClock);
  const facts = await parseSourceInSlices({ path: 'A.sol', text }, slices);
  return findEvents('A.sol', {
    async read(path) {
      const other = others[path];
      return path === 'A.sol' ? facts : other === undefined ? undefined : parseSource(path, other);
    },
    resolve: (_, imported) => [`nowhere/${imported}`, imported],
    slices,
  });
}

const found = async (source: string) =>
  (await find(source)).map(({ hash, offset }) => [hash().signature, offset]);

describe('events of a Solidity source', () => {
  it('are found with their canonical signature, where they begin', async () => {
    const source = `interface IERC20 {
  event Transfer(address indexed from, address indexed to, uint value);
  event Approval(
    address indexed owner, // who allows
    address indexed spender,
    uint256 value
  );
}`;
    assert.deepEqual(await found(source), [
      ['Transfer(address,address,uint256)', source.indexOf('event Transfer')],
      ['Approval(address,address,uint256)', source.indexOf('event Approval')],
    ]);
    const [transfer] = await find(source);
    assert.equal(transfer?.name, 'Transfer');
    assert.equal(
      transfer?.hash().topic0,
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    );
  });

  it('are not what stands in comments and strings', async () => {
    const source = `// event A(uint a);
/* event B(uint b); " */
string constant TEXT = "event C(uint c); // \\" event D(uint d);";
string constant OTHER = 'event E(uint e);'; event F(bytes32[] f, uint8[4] g);
string constant LONG = "\\
event G(uint g);"; bytes constant BYTES = hex"00" unicode"event H(); /*"; event/* */I/*//*/()// ;
;`;
    assert.deepEqual(await found(source), [
      ['F(bytes32[],uint8[4])', source.indexOf('event F')],
      ['I()', source.indexOf('event/*')],
    ]);
  });

  it('are found after what is not closed: a string ends with its line, a declaration with the next', async () => {
    const source = `string constant TEXT = "event A();\nevent B(uint b event C(uint c);\nevent D(uint d; event E();`;
    assert.deepEqual(await found(source), [
      ['C(uint256)', source.indexOf('event C')],
      ['E()', source.indexOf('event E')],
    ]);
    assert.deepEqual(await found('event A(); /* event B();'), [['A()', 0]]);
  });

  it('are left out where topic0 cannot be told from the text', async () => {
    assert.deepEqual(await found('event A(IERC20 token); event B(uint b) anonymous; event C(uint'), []);
    assert.deepEqual(await found('prevent A(); event$ B(); emit C(); event D; event E{} ();'), []);
  });

  it('have the types that other files give them, and say which parameters are indexed', async () => {
    const source = `import { Order as Sale, Currency } from "types.sol";
contract Shop { event Sold(Sale indexed order, Shop shop, Currency paid); event Lost(Unknown what); }`;
    const types = 'import "currency.sol"; struct Order { address[] by; uint amount; }';
    const currency = 'type Currency is address;';
    assert.deepEqual(await found(source), []);
    const [sold, ...others] = await find(source, { 'types.sol': types, 'currency.sol': currency });
    assert.deepEqual(others, []);
    assert.equal(
      sold?.declaration,
      'event Sold((address[] by, uint256 amount) indexed order, address shop, address paid)',
    );
    assert.equal(sold.hash().signature, 'Sold((address[],uint256),address,address)');
  });

  for (const [written, begin, unit] of [
    ['an open string of escaped quotes', '"', '\\"'],
    ['open strings in open strings', '', `"'`],
    ['comments that begin', '', '/*'],
    ['comments that begin and end', '', '/**/'],
    ['declarations that begin', '', 'event A('],
    ['tuples that begin', 'event A(', '('],
    ['parameters', 'event A(', 'uint a, '],
    ['spaces in a declaration', 'event A(uint', ' '],
    ['a name', 'event ', 'a'],
  ] as const) {
    it(`cost time in proportion to the source: ${written}`, async () => {
      const cost = async (length: number) => {
        const source = begin + unit.repeat(length / unit.length);
        const before = process.cpuUsage();
        assert.deepEqual(await find(source), []);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      };
      await cost(50_000);
      const short = await cost(90_000);
      const long = await cost(900_000);
      // Time of the processor, ten times the length: a hundred times the time would be quadratic, and take minutes.
      assert.ok(long < Math.max(1000, 30 * short), `${long} ms after ${short} ms`);
    });
  }
});
