import assert from 'node:assert/strict';
import type { Address } from '../../../../src/core/index.ts';
import { createVisibleRows } from '../../../../src/features/addresses/balances/visibleRows.ts';

const [alice, bob, carol]: readonly Address[] = ['11', '22', '33'].map(
  (byte): Address => `0x${byte.repeat(20)}`,
);
assert.ok(alice && bob && carol);

/** What is in sight, and what was asked to be loaded for it. */
function setUp() {
  const loaded: (readonly Address[])[] = [];
  const inSight = createVisibleRows({
    balances: {
      load: async (address) => void loaded.push([address]),
      loadNatives: async (addresses) => void loaded.push(addresses),
    },
    watchedTokens: { load: async () => undefined },
    identities: { load: async () => undefined, loadListed: async () => undefined },
  });
  return { inSight, loaded };
}

describe('What is in sight of addresses', () => {
  it('is what is listed, each once, and what is open, wherever it stands', () => {
    const { inSight, loaded } = setUp();
    inSight.listed('watched', [alice, bob]);
    inSight.listed('recent', [bob]);
    inSight.opened(`workspace/file:///a/b.sol/${carol}`, carol);
    inSight.opened(`watched/${alice}`, alice);
    assert.deepEqual(inSight.accounts, [alice, bob, carol]);
    assert.deepEqual(inSight.holders, [carol, alice]);
    assert.deepEqual(loaded, [[alice, bob], [bob], [carol], [alice]]);
  });

  it('is not what is folded away, itself or with what it stands in', () => {
    const { inSight } = setUp();
    inSight.listed('watched', [alice]);
    inSight.opened(`watched/${alice}`, alice);
    inSight.opened(`workspace/file:///a/b.sol/${carol}`, carol);
    inSight.fold(`watched/${alice}`);
    assert.deepEqual([inSight.accounts, inSight.holders], [[alice, carol], [carol]]);
    inSight.fold('workspace');
    assert.deepEqual([inSight.accounts, inSight.holders], [[alice], []]);
    inSight.fold('watched');
    assert.deepEqual([inSight.accounts, inSight.holders], [[], []]);
    assert.equal(inSight.unfold('workspace'), true);
    assert.equal(inSight.unfold('workspace'), false);
    assert.deepEqual([inSight.accounts, inSight.holders], [[carol], [carol]]);
  });

  it('is not what has left its group, though nobody has folded it', () => {
    const { inSight } = setUp();
    inSight.listed('watched', [alice, bob]);
    inSight.opened(`watched/${bob}`, bob);
    inSight.listed('watched', [alice]);
    assert.deepEqual([inSight.accounts, inSight.holders], [[alice], []]);
  });
});
