import assert from 'node:assert/strict';
import { createTimeSlices } from '../../../../src/core/base/timeSlices.ts';
import { systemClock } from '../../../../src/core/index.ts';
import { createRolesReader } from '../../../../src/core/state/roles.ts';

const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, '0')}` as const;
const ROLES_UPDATED = '0x715ad5ce61fc9595c7b415289d59cf203f23a94fa06f04af7e489a0a76e1fe26';

describe('roles of a contract', () => {
  it('end with an error where logs name more members than are listed, however few they are', async () => {
    const read = async (members: number) => {
      const reader = createRolesReader(
        { address: `0x${'11'.repeat(20)}`, block: 10n },
        { client: { fetchProxy: assert.fail } },
      );
      const logs = Array.from({ length: members }, (_, member) => ({
        ...{ topics: [ROLES_UPDATED, word(member + 1), word(2n ** 256n - 1n)], data: '0x', blockNumber: 5n },
      }));
      const context = { slices: createTimeSlices(systemClock), signal: undefined };
      await reader.add(logs as never, context);
      return reader.rows(context as never);
    };
    assert.equal((await read(195)).length, 195 * 256);
    await assert.rejects(read(196), { kind: 'tooHeavy', message: /^There are more than 50,?000 rows/ });
  });
});
