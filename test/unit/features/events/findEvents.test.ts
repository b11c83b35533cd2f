import assert from 'node:assert/strict';
import { findEvents } from '../../../../src/features/events/findEvents.ts';

describe('events of a Solidity source', () => {
  const found = (source: string) => findEvents(source).map(({ signature, offset }) => [signature, offset]);

  it('are found with their canonical signature, where they begin', () => {
    const source = `interface IERC20 {
  event Transfer(address indexed from, address indexed to, uint value);
  event Approval(
    address indexed owner, // who allows
    address indexed spender,
    uint256 value
  );
}`;
    assert.deepEqual(found(source), [
      ['Transfer(address,address,uint256)', source.indexOf('event Transfer')],
      ['Approval(address,address,uint256)', source.indexOf('event Approval')],
    ]);
    assert.equal(
      findEvents(source)[0]?.topic0,
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    );
  });

  it('are not what stands in comments and strings', () => {
    const source = `// event A(uint a);
/* event B(uint b); " */
string constant TEXT = "event C(uint c); // \\" event D(uint d);";
string constant OTHER = 'event E(uint e);'; event F(bytes32[] f, uint8[4] g);`;
    assert.deepEqual(found(source), [['F(bytes32[],uint8[4])', source.indexOf('event F')]]);
  });

  it('are left out where topic0 cannot be told from the text', () => {
    assert.deepEqual(found('event A(IERC20 token); event B(uint b) anonymous; event C(uint'), []);
  });

  it('are found in time whatever the source is', () => {
    assert.deepEqual(found('event A('.repeat(50_000)), []);
    assert.deepEqual(found('/*'.repeat(50_000)), []);
    assert.deepEqual(found('"'.repeat(100_000)), []);
  });
});
