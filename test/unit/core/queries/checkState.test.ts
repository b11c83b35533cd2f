import assert from 'node:assert/strict';
import {
  type Address,
  type ContractState,
  formatMessage,
  judge,
  type StateRow,
} from '../../../../src/core/index.ts';
import { checkState } from '../../../../src/core/queries/checkState.ts';

const addressOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as Address;
const role = (index: number) => `0x${index.toString(16).padStart(64, '0')}` as const;
const TOKEN = addressOf(1);

/** Checks confirmed rows; `named` counts the addresses that are described. */
async function check(rows: readonly StateRow[], expect?: Parameters<typeof checkState>[0]['expect']) {
  let named = 0;
  const nameOf = () => {
    named += 1;
    return undefined;
  };
  const kind = rows[0]?.kind === 'role' ? 'roles' : 'holders';
  const query = { kind, address: TOKEN, owner: undefined, block: 7n } as const;
  const of = rows.length;
  const state: ContractState = {
    ...{ query, rows, units: undefined },
    verdict: {
      ...judge({ state: 'complete', otherwise: 'uncertain', reasons: [] }),
      ...{ confirmed: true, isClosed: true, restsOn: [], block: 7n, blockHash: role(7) },
      compared: { equal: of, compared: of, of, totalSupply: true },
    },
  };
  const outcome = await checkState(
    { state: { kind, contract: TOKEN, block: 7 }, expect },
    { resolveAddress: (text: string) => text, nameOf, index: { contracts: [] } } as never,
    {
      ...{ client: { getBlockNumber: async () => 7n } as never, now: 0 },
      fetchState: async () => state,
      fetchCalledRoles: async () => undefined,
    },
  );
  return { ...outcome, named };
}

describe('a check of state with many rows', () => {
  it('describes the first differences, and counts the others', async () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => ({
      ...({ kind: 'balance', holder: addressOf(index + 1), balance: 5n } as const),
    }));
    const { state, reasons, named } = await check(rows, {
      holders: [addressOf(2), addressOf(40_000)],
      count: 2,
    });
    assert.equal(state, 'differs');
    const texts = reasons.map(formatMessage);
    assert.match(texts[0] ?? '', /^The count is 30,?000\. Expected: 2\.$/);
    assert.match(texts[1] ?? '', /^0x0+1 is a holder too\.$/);
    assert.ok(named < 100, `${named} addresses`);
    const [rest = ''] = texts.slice(-1);
    const left = Number(/^There are ([\d,]+) more differences\.$/.exec(rest)?.[1]?.replace(',', ''));
    // The count, 29,999 others, and the one that is missing.
    assert.equal(left + texts.length - 1, 30_001);
  });

  it('records the members of each role under its name, or its hash where roles share the name', async () => {
    const member = (of: number, roleName: string | undefined, who: number) => ({
      ...({ kind: 'role', role: role(of), roleName, member: addressOf(who) } as const),
    });
    const { state, update } = await check([
      ...[member(1, 'MINTER', 8), member(1, 'MINTER', 3), member(2, 'SHARED', 4), member(3, 'SHARED', 5)],
      member(4, undefined, 6),
    ]);
    assert.equal(state, 'ok');
    assert.deepEqual(update, {
      members: {
        MINTER: [addressOf(3), addressOf(8)],
        [role(2)]: [addressOf(4)],
        [role(3)]: [addressOf(5)],
        [role(4)]: [addressOf(6)],
      },
    });
  });
});
