import assert from 'node:assert/strict';
import { formatMessage } from '../../../../src/core/base/text.ts';
import { type Address, compareStates, stateRowToJson } from '../../../../src/core/index.ts';
import { approvalContracts } from '../../../support/state/approvalContracts.ts';
import { type StateChain, startStateChain } from '../../../support/state/stateChain.ts';

const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3';

describe('allowances, on a node', () => {
  let chain: StateChain;
  before(async () => {
    chain = await startStateChain({ 'Approvals.sol': approvalContracts });
  });
  after(() => chain.stop());

  const person = (index: number) => chain.accounts[index] ?? assert.fail();

  async function fetchAllowances(address: Address, owner?: Address, at?: bigint) {
    const block = at ?? (await chain.block());
    const state = await chain.fetchState({ kind: 'allowances', address, block, ...(owner && { owner }) });
    const { verdict, rows } = state;
    return {
      rows,
      json: rows.map(stateRowToJson),
      confirmed: verdict.confirmed,
      reasons: verdict.reasons.map(formatMessage),
    };
  }

  it('are what is left, without those that were spent or taken back', async () => {
    const coin = await chain.deploy('Coin');
    await chain.send(coin, 'approve', [person(1), 10n]);
    await chain.send(coin, 'approve', [person(2), 10n]);
    const block = await chain.block();
    await chain.send(coin, 'spend', [person(0), 4n], { from: person(1) });
    await chain.send(coin, 'spend', [person(0), 10n], { from: person(2) });
    const parties = { token: coin.address, owner: person(0), spender: person(1) };
    const now = await fetchAllowances(coin.address);
    assert.deepEqual([now.json, now.confirmed, now.reasons], [[{ ...parties, value: '6' }], true, []]);
    const before = await fetchAllowances(coin.address, undefined, block);
    assert.deepEqual(
      before.json.map(({ value }) => value),
      ['10', '10'],
    );
    assert.deepEqual(
      compareStates(before.rows, now.rows).map(({ after }) => after && stateRowToJson(after)),
      [{ ...parties, value: '6' }, undefined],
    );
  });

  it('are found where nothing is indexed', async () => {
    const coin = await chain.deploy('Unindexed');
    await chain.send(coin, 'approve', [person(1), 3n]);
    assert.equal((await fetchAllowances(coin.address)).json[0]?.value, '3');
  });

  it('of an account hold for all tokens, whatever one of them does', async () => {
    const owner = person(4);
    const [coin, spam] = [await chain.deploy('Coin'), await chain.deploy('Spam')];
    await chain.send(coin, 'approve', [person(1), 10n], { from: owner });
    assert.equal((await fetchAllowances(owner)).confirmed, true);
    await chain.send(spam, 'lie', [owner]);
    const { json, confirmed, reasons } = await fetchAllowances(owner);
    assert.deepEqual(
      json.map(({ token }) => token),
      [coin.address],
    );
    assert.deepEqual(
      [confirmed, reasons],
      [false, [`${spam.address} logged an approval, but does not say what is left of it.`]],
    );
  });

  it('that a token gives Permit2 without a log are found, or said to be there', async () => {
    const coin = await chain.deploy('OpenCoin');
    await chain.send(coin, 'approve', [person(1), 10n], { from: person(5) });
    await chain.send(coin, 'approve', [person(2), 10n], { from: person(7) });
    const all = await fetchAllowances(coin.address);
    assert.deepEqual([all.json.length, all.confirmed], [2, false]);
    assert.match(all.reasons.join(), /Permit2\) spend for every owner/);
    for (const { json, confirmed } of [
      await fetchAllowances(coin.address, person(5)),
      await fetchAllowances(person(5)),
    ])
      assert.deepEqual([json.map(({ spender }) => spender), confirmed], [[PERMIT2, person(1)], true]);
  });

  it('that Permit2 manages end with their time', async () => {
    const owner = person(6);
    const manager = await chain.deploy('Manager');
    await chain.node.call('anvil_setCode', [
      PERMIT2,
      await chain.node.call('eth_getCode', [manager.address, 'latest']),
    ]);
    const permit2 = { address: PERMIT2, abi: manager.abi };
    const coin = await chain.deploy('Coin');
    const { timestamp } = await chain.viem.getBlock();
    await chain.send(permit2, 'approve', [coin.address, person(1), 100n, Number(timestamp) + 1000], {
      from: owner,
    });
    await chain.send(permit2, 'approve', [coin.address, person(2), 200n, Number(timestamp) + 100_000], {
      from: owner,
    });
    const both = await fetchAllowances(owner);
    assert.deepEqual(
      [both.json.map(({ spender, value }) => [spender, value]), both.confirmed, both.reasons],
      [
        [
          [person(2), '200'],
          [person(1), '100'],
        ],
        true,
        [],
      ],
    );
    assert.equal(both.json[1]?.permit2Until, String(timestamp + 1000n));
    await chain.node.call('evm_increaseTime', [2000]);
    await chain.node.call('evm_mine', []);
    assert.deepEqual(
      (await fetchAllowances(owner)).json.map(({ spender }) => spender),
      [person(2)],
    );
  });
});
