import assert from 'node:assert/strict';
import { filteredBlocks, withFilteredBlocks } from '../../../../src/core/index.ts';

describe('blocks in a filter', () => {
  it('are those between the two bounds, wherever they stand', () => {
    assert.deepEqual(filteredBlocks('block>=5 to:Treasury block<=9'), { first: 5, last: 9 });
    assert.deepEqual(filteredBlocks('Block<=9 block>=5'), { first: 5, last: 9 });
    for (const other of [
      '',
      'block>=5',
      'block>5 block<9',
      '"block>=5" block<=9',
      'block>=5 block>=6 block<=9',
    ])
      assert.equal(filteredBlocks(other), undefined, other);
  });

  it('take the place of others, and leave all else as it was typed', () => {
    const blocks = { first: 480, last: 500 };
    assert.equal(withFilteredBlocks('', blocks), 'block>=480 block<=500');
    assert.equal(
      withFilteredBlocks('to:"Old Treasury" block>=1 "block<=7"', blocks),
      'to:"Old Treasury" "block<=7" block>=480 block<=500',
    );
    assert.equal(withFilteredBlocks('$block>=1 $block<=2', blocks, '$block'), '$block>=480 $block<=500');
    assert.equal(withFilteredBlocks('block>=480 block<=500 value>1', undefined), 'value>1');
  });
});
