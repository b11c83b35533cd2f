import assert from 'node:assert/strict';
import { formatMessage } from '../../../../src/core/base/text.ts';
import type { Address, ContractState } from '../../../../src/core/index.ts';
import { isFullRun } from '../../../support/fullRun.ts';
import { COLLECTOR, type Habit, habits, oddTokens } from '../../../support/state/oddTokens.ts';
import { type StateChain, startStateChain, type TestContract } from '../../../support/state/stateChain.ts';

const ZERO: Address = `0x${'00'.repeat(20)}`;
const DEAD: Address = '0x000000000000000000000000000000000000dead';

/** Numbers that are the same on every run. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('holders of tokens with odd habits, on a node', () => {
  let chain: StateChain;
  before(async () => {
    chain = await startStateChain({ 'Odd.sol': oddTokens });
  });
  after(() => chain.stop());

  async function live(token: TestContract, seed: number, steps: number): Promise<void> {
    const random = createRandom(seed);
    const people = chain.accounts.slice(0, 6);
    const anyone = () => people[random(people.length)] ?? assert.fail();
    await chain.send(token, 'mint', [anyone(), 10_000n]);
    for (let step = 0; step < steps; step++) {
      const from = anyone();
      const value = BigInt(random(2000));
      const act = [
        () => chain.send(token, 'mint', [anyone(), value], { from }),
        () => chain.send(token, 'transfer', [anyone(), value], { from }),
        () => chain.send(token, 'transfer', [anyone(), value / 3n], { from }),
        () => chain.send(token, 'transfer', [random(2) === 0 ? ZERO : from, value / 5n], { from }),
        () => chain.send(token, 'burn', [value / 7n], { from }),
        () => chain.send(token, 'wipe', [anyone()]),
        () => chain.send(token, 'rebase', []),
        () => chain.send(token, 'deposit', [], { from, value }),
        () => chain.send(token, 'withdraw', [value / 2n], { from }),
        () => chain.send(token, 'loan', [value], { from }),
      ][random(10)];
      await act?.();
    }
    const [first, second] = people;
    await chain.send(token, 'mint', [first, 5000n]);
    await chain.send(token, 'transfer', [second, 2000n]);
    await chain.send(token, 'burn', [50n]);
    await chain.send(token, 'wipe', [second]);
  }

  /** Whether the rows are what the contract says of everyone who could hold it, and of its supply. */
  async function isTrue(token: TestContract, { rows, query }: ContractState): Promise<boolean> {
    const everyone = [...chain.accounts, token.address, COLLECTOR, ZERO, DEAD] as const;
    const listed = new Map(
      rows.map((row) => (row.kind === 'balance' ? [row.holder, row.balance] : assert.fail())),
    );
    const [supply, ...balances] = await Promise.all([
      chain.read(token, 'totalSupply', [], query.block),
      ...everyone.map((person) => chain.read(token, 'balanceOf', [person], query.block)),
    ]);
    let sum = 0n;
    for (const [index, person] of everyone.entries()) {
      const balance = (balances[index] ?? 0n) as bigint;
      if (balance !== (listed.get(person) ?? 0n)) return false;
      listed.delete(person);
      sum += balance;
    }
    return listed.size === 0 && supply === sum;
  }

  /** Why holders are not confirmed, of three blocks. */
  async function check(seed: number, ...chosen: readonly Habit[]) {
    const flags = chosen.reduce((sum, habit) => sum | habits[habit], 0n);
    const token = await chain.deploy('Odd', [flags]);
    const born = await chain.block();
    await live(token, seed, 24);
    const last = await chain.block();
    const told: string[] = [];
    for (const block of [born, (born + last) / 2n, last]) {
      const state = await chain.fetchState({ kind: 'holders', address: token.address, block });
      const { verdict } = state;
      const reasons = verdict.reasons.map(formatMessage).join(' ');
      const what = `${chosen.join(', ')} in block ${block}: ${reasons}`;
      assert.equal(verdict.confirmed, await isTrue(token, state), what);
      assert.equal(verdict.confirmed, reasons === '', what);
      assert.equal(verdict.state === 'complete', reasons === '', what);
      told.push(reasons);
    }
    return told;
  }

  for (const chosen of [
    [],
    ['loggedFee'],
    ['loggedBurnFee'],
    ['unindexed'],
    ['indexedValue'],
    ['stake'],
    ['zeroHolds'],
    ['wrap'],
    ['loggedWrap'],
    ['loanReversed'],
    ['loggedFee', 'zeroHolds', 'stake', 'unindexed'],
  ] as const)
    it(`are confirmed: ${chosen.join(', ') || 'none'}`, async () => {
      assert.deepEqual(await check(7, ...chosen), ['', '', '']);
    });

  for (const [reason, ...chosen] of [
    ['The contract says', 'silentFee'],
    ['The total supply is', 'silentBurnFee'],
    ['The contract says', 'rebasing'],
    ['The total supply is', 'silentMint'],
    ['The contract says', 'silentBurn'],
    ['The contract says 0', 'wipe'],
    ['below zero', 'minterLogged'],
    ['The contract says', 'interest'],
    ['The contract says', 'spam'],
    ['has no total supply', 'noSupply'],
    ['The contract says nothing', 'brokenBalance', 'loggedFee'],
  ] as const)
    it(`are said not to follow from logs: ${chosen.join(', ')}`, async () => {
      const told = await check(11, ...chosen);
      assert.ok(told.at(-1)?.includes(reason), told.at(-1));
    });

  it('are never confirmed where the contract says something else, with mixes of habits', async () => {
    const random = createRandom(32);
    const all = Object.keys(habits) as Habit[];
    for (let mix = 0; mix < (isFullRun ? 20 : 5); mix++) {
      const chosen = new Set(
        Array.from({ length: 1 + random(4) }, () => all[random(all.length)] ?? assert.fail()),
      );
      await check(mix, ...chosen);
    }
  });
});
