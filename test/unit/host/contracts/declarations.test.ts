import assert from 'node:assert/strict';
import { createImportResolver, createTimeSlices, systemClock } from '../../../../src/core/index.ts';
import { findDeclaredItems, findUseAt } from '../../../../src/host/contracts/declarations.ts';
import { parseSource } from '../../../support/parseSource.ts';

const SOURCE = `import {Base} from "./Base.sol";
contract A is Base {
  error Low(Unknown have);
  error High(Level level);
  function f() external { emit Moved(1); revert High(Level.TOP); }
}`;
const BASE = 'contract Base { enum Level { TOP } event Moved(uint indexed by); event Moved(bool back); }';

describe('declarations of a source', () => {
  const read: string[] = [];
  const reader = {
    resolve: createImportResolver({ remappings: [], libs: [] }),
    slices: createTimeSlices(systemClock),
    async read(path: string) {
      read.push(path);
      const text = { 'A.sol': SOURCE, 'Base.sol': BASE }[path];
      return text === undefined ? undefined : parseSource(path, text);
    },
  };

  it('have the place and contract, and the types of imported files', async () => {
    const errors = await findDeclaredItems('A.sol', 'error', reader);
    assert.deepEqual(
      errors.map(({ item, contract, text }) => [item.line, item.offset, contract?.name, text]),
      [
        [3, SOURCE.indexOf('error Low'), 'A', undefined],
        [4, SOURCE.indexOf('error High'), 'A', 'error High(uint8 level)'],
      ],
    );
    assert.deepEqual(await findDeclaredItems('Gone.sol', 'error', reader), []);
  });

  it('are found from where they are used', async () => {
    const moved = await findUseAt('A.sol', SOURCE.indexOf('Moved(1)') + 2, reader);
    assert.deepEqual(moved?.texts, ['event Moved(uint256 indexed by)', 'event Moved(bool back)']);
    const high = await findUseAt('A.sol', SOURCE.indexOf('revert'), reader);
    assert.deepEqual(high?.texts, ['error High(uint8 level)']);
    assert.equal(await findUseAt('A.sol', SOURCE.indexOf('Level.TOP'), reader), undefined);
  });

  it('read no other file where nothing leads to one', async () => {
    read.length = 0;
    assert.equal(await findUseAt('A.sol', 0, reader), undefined);
    assert.deepEqual(read, ['A.sol']);
  });
});
