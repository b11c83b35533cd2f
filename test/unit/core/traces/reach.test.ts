import assert from 'node:assert/strict';
import { type CallStart, findReach } from '../../../../src/core/traces/reach.ts';
import { slicing } from '../../../support/clocks.ts';

const VAULT = `import "./Base.sol";
contract Vault is Base, Guarded(5) {
  uint256 first = start();
  constructor() { check(1); }
  function pay(uint256 a) external onlyBig(a) { half(a); Math.add(a, 1); }
  function other() external { alone(); }
  function alone() internal {}
  function start() internal returns (uint256) { return 1; }
  receive() external payable { alone(); }
}
contract Stranger {
  function half(uint256 a) internal {}
  function check(uint256 a) internal {}
}`;
const BASE = `library Math {
  function add(uint256 a, uint256 b) internal { free(a); }
  function sub(uint256 a, uint256 b) internal {}
}
function free(uint256 a) {}
contract Base { function half(uint256 a) internal virtual {
  a;
} }
contract Guarded {
  constructor(uint256 a) { check(a); }
  modifier onlyBig(uint256 a) { check(a); _; }
  function check(uint256 a) internal {}
}`;
const sources = [
  { file: 'Vault.sol', text: VAULT },
  { file: 'Base.sol', text: BASE },
];

/** The lines that a call can run, by file. */
async function linesOf(called: CallStart['called'], all = sources, contract = 'Vault') {
  const canRun = await findReach(all, { contract, called }, slicing);
  return (
    canRun &&
    all.map(({ file, text }) =>
      text.split('\n').flatMap((_, index) => (canRun(file, index + 1) ? [index + 1] : [])),
    )
  );
}

describe('the lines that a call can run', () => {
  it('are those of the called function, and of the functions, modifiers, bases and libraries that it names', async () => {
    assert.deepEqual(await linesOf({ function: 'pay' }), [[5], [2, 5, 6, 7, 8, 11, 12]]);
    assert.deepEqual(await linesOf({ function: 'other' }), [[6, 7], []]);
  });

  it('begin at the function without a selector, and at the constructors with the values of variables', async () => {
    assert.deepEqual(await linesOf('other'), [[7, 9], []]);
    const [vault, base] = (await linesOf('creation')) ?? assert.fail();
    for (const line of [3, 4, 8]) assert.ok(vault?.includes(line), `${line}`);
    assert.ok(base?.includes(10) && base.includes(12) && !base.includes(3));
    assert.ok(!vault?.includes(5));
  });

  it('are unknown for a getter, and not narrowed to bases that are not in the sources', async () => {
    assert.equal(await linesOf({ function: 'first' }), undefined);
    const [only] = (await linesOf({ function: 'pay' }, sources.slice(0, 1))) ?? assert.fail();
    assert.deepEqual(only, [5, 12]);
  });

  it('have functions that are values, and operators, where there are values of function types', async () => {
    const text = `contract A {
  function () internal kept;
  function set() external { kept = late; }
  function run() external { kept(); }
  function late() internal {}
  function never() internal {}
}`;
    assert.deepEqual(await linesOf({ function: 'run' }, [{ file: 'A.sol', text }], 'A'), [[4, 5]]);
  });
});
