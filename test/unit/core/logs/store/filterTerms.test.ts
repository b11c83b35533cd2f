import assert from 'node:assert/strict';
import { parseFilteredBlocks, replaceFilteredBlocks } from '../../../../../src/core/index.ts';

describe('blocks in a filter', () => {
  it('are those between the two bounds, wherever they stand', () => {
    assert.deepEqual(parseFilteredBlocks('block>=5 to:Treasury block<=9'), { first: 5, last: 9 });
    assert.deepEqual(parseFilteredBlocks('Block<=9 block>=5'), { first: 5, last: 9 });
    assert.deepEqual(parseFilteredBlocks('block >= 5 block <= 9'), { first: 5, last: 9 });
    for (const other of [
      '',
      'block>=5',
      'block>5 block<9',
      '"block>=5" block<=9',
      'block>=5 block>=6 block<=9',
    ])
      assert.equal(parseFilteredBlocks(other), undefined, other);
  });

  it('take the place of others, and leave all else as it was typed', () => {
    const blocks = { first: 480, last: 500 };
    assert.equal(replaceFilteredBlocks('', blocks), 'block>=480 block<=500');
    assert.equal(
      replaceFilteredBlocks('to:"Old Treasury" block>=1 "block<=7"', blocks),
      'to:"Old Treasury" "block<=7" block>=480 block<=500',
    );
    assert.equal(replaceFilteredBlocks('$block>=1 $block<=2', blocks, '$block'), '$block>=480 $block<=500');
    assert.equal(replaceFilteredBlocks('block>=480 block<=500 value>1', undefined), 'value>1');
  });
});
