import assert from 'node:assert/strict';
import { AppError, type Hex, isAppError, mergeLookups } from '../../../../src/core/index.ts';
import { readContract } from '../../../../src/core/reads/readContract.ts';
import { addressOf } from '../../../support/transactions.ts';

/** Code that dispatches these selectors, as solc writes it. */
const dispatch = (...selectors: readonly string[]): Hex =>
  `0x6080604052${selectors.map((selector) => `8063${selector}146100a057`).join('')}5f5ffd`;

const GET_AT = '9507d39a';
const GRID = '146008e3';

/** The message of a read that reverts without data, at an address that no project names. */
async function read(called: string, args: readonly string[], code: Hex | undefined) {
  const abi = ['function get() view returns (uint256)', 'function get(uint256) view returns (uint256)'];
  const grid = 'function grid(uint256, uint256) view returns (uint256)';
  const error = await readContract(
    { address: addressOf(1), function: called, args, block: 5n },
    {
      chainId: 1,
      client: {
        callAtBlock: async () => {
          throw new AppError('reverted', 'The call reverted.', { data: '0x' });
        },
        fetchImplementations: async () => [],
        requireCode: async () => undefined,
        getCode: async () => code ?? Promise.reject(new AppError('network', 'No code.')),
      },
      code: { abiAt: () => undefined },
      contracts: [{ abi: [...abi, grid], isOwn: true }],
      findEnum: () => undefined,
      lookup: mergeLookups(),
      prefetchAbis: async () => undefined,
    },
  ).catch((cause: unknown) => cause);
  return isAppError(error, 'reverted') ? error.message : assert.fail(String(error));
}

describe('a view that reverts without data', () => {
  const UNKNOWN = 'The call reverted without a reason. The contract may not have this function.';

  it('is in the code, so an argument is at fault', async () => {
    assert.equal(
      await read('grid', ['9', '9'], dispatch(GET_AT, GRID)),
      'The call reverted without a reason. The contract has grid(uint256,uint256), so an argument may be out of range.',
    );
  });

  it('is not in the code, which has another one of its name', async () => {
    assert.equal(await read('get', [], dispatch(GET_AT)), 'The contract has no get(). It has get(uint256).');
  });

  it('may be missing where the code does not say', async () => {
    assert.equal(await read('grid', ['9', '9'], dispatch()), UNKNOWN);
    assert.equal(await read('grid', ['9', '9'], undefined), UNKNOWN);
  });
});
