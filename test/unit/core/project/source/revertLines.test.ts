import assert from 'node:assert/strict';
import {
  createContractIndex,
  createTimeSlices,
  findRevertCause,
  findRevertPlaces,
  type HexMeaning,
  systemClock,
} from '../../../../../src/core/index.ts';

const SHOP = `// revert Unpaid(0); is no code
contract Shop {
    error Unpaid(uint256 missing);
    string constant CLOSED = "Closed";
    event Closed(string reason);

    function pay(uint256 paid) external {
        if (paid < 5) revert Unpaid(5 - paid);
        require(open, "Closed");
        require(paid < 100, Errors.Unpaid(0));
        emit Closed("Closed");
        if (late) {
            revert(
                "Closed"
            );
        }
    }
}
`;
const VAULT = `# @version ^0.4.0
@external
def pay():
    # assert x, "Closed"
    assert self.open, "Closed"
    raise "Closed"
    self.note = "Closed"
`;

async function placesOf(
  cause: Parameters<typeof findRevertPlaces>[0],
  files: Readonly<Record<string, string>>,
) {
  const index = {
    ...createContractIndex(),
    contracts: Object.keys(files).map((source) => ({ source, isOwn: !source.startsWith('lib/') }) as never),
  };
  const slices = createTimeSlices(systemClock);
  const at = { addresses: [], chainId: 1 };
  const places = await findRevertPlaces(cause, { index, at, slices, read: async (file) => files[file] });
  return places.map(({ file, line }) => `${file}:${line}`);
}

describe('lines that may have reverted', () => {
  it('are those with the error, in revert and in require', async () => {
    const files = { 'src/Shop.sol': SHOP, 'lib/Other.sol': SHOP };
    const own = ['src/Shop.sol:8', 'src/Shop.sol:10'];
    assert.deepEqual(await placesOf({ error: 'Unpaid' }, files), [
      ...own,
      'lib/Other.sol:8',
      'lib/Other.sol:10',
    ]);
    assert.deepEqual(await placesOf({ error: 'paid' }, files), []);
  });

  it('are those with the text, in what reverts and in nothing else', async () => {
    assert.deepEqual(await placesOf({ message: 'Closed' }, { 'Shop.sol': SHOP }), [
      'Shop.sol:9',
      'Shop.sol:14',
    ]);
    assert.deepEqual(await placesOf({ message: 'Closed' }, { 'Vault.vy': VAULT }), [
      'Vault.vy:5',
      'Vault.vy:6',
    ]);
    assert.deepEqual(await placesOf({ message: 'Clos' }, { 'Shop.sol': SHOP, 'Vault.vy': VAULT }), []);
  });

  it('are bounded, whatever a source has', async () => {
    const many = `contract A { function f() external {\n${'require(a, "No");\n'.repeat(5_000)}} }`;
    assert.equal((await placesOf({ message: 'No' }, { 'A.sol': many })).length, 12);
    const repeated = `${'raise '.repeat(100_000)}"No"`;
    assert.deepEqual(await placesOf({ message: 'No' }, { 'A.vy': repeated }), ['A.vy:1']);
    // A look at the whole line for each of these would take minutes.
    const quotes = `${'"a'.repeat(499_000)}\nassert x, "a"`;
    assert.deepEqual(await placesOf({ message: 'a' }, { 'A.vy': quotes }), ['A.vy:2']);
  });
});

describe('what is looked for after a revert', () => {
  const meaning = (signature: string, ...values: string[]) =>
    [
      { kind: 'revert', item: { signature, name: signature.split('(')[0] }, values },
    ] as never as readonly HexMeaning[];

  it('is the error, or the text of one of Solidity’s own', () => {
    assert.deepEqual(findRevertCause(meaning('Unpaid(uint256)', '5'), undefined), { error: 'Unpaid' });
    assert.deepEqual(findRevertCause(meaning('Error(string)', 'Closed'), undefined), { message: 'Closed' });
    assert.equal(findRevertCause(meaning('Error(string)', ''), undefined), undefined);
    assert.equal(findRevertCause(meaning('Panic(uint256)', '17'), undefined), undefined);
  });

  it('is what a server says, where only that is known', () => {
    assert.deepEqual(findRevertCause([], 'execution reverted: Closed'), { message: 'Closed' });
    assert.deepEqual(
      findRevertCause([], "VM Exception while processing transaction: reverted with reason string 'Closed'"),
      {
        message: 'Closed',
      },
    );
    for (const words of [undefined, '', 'execution reverted', 'out of gas']) {
      assert.equal(findRevertCause([], words), undefined);
    }
  });
});
