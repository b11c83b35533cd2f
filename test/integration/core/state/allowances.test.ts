import assert from 'node:assert/strict';
import { formatMessage } from '../../../../src/core/base/text.ts';
import {
  type Address,
  createTimeSlices,
  joinStates,
  stateRowToJson,
  systemClock,
} from '../../../../src/core/index.ts';
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
      restsOn: verdict.restsOn.map(formatMessage).join(' '),
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
    const joined = await joinStates(before.rows, now.rows, { slices: createTimeSlices(systemClock) });
    assert.deepEqual(
      joined.map(({ after, isChanged }) => [after && stateRowToJson(after), isChanged]),
      [
        [{ ...parties, value: '6' }, true],
        [undefined, true],
      ],
    );
  });

  it('are found where nothing is indexed', async () => {
    const coin = await chain.deploy('Unindexed');
    await chain.send(coin, 'approve', [person(1), 3n]);
    assert.equal((await fetchAllowances(coin.address)).json[0]?.value, '3');
  });

  it('are found where only one parameter is indexed, or the value', async () => {
    for (const name of ['OwnerIndexed', 'SpenderIndexed', 'ValueIndexed']) {
      const coin = await chain.deploy(name);
      await chain.send(coin, 'approve', [person(1), 2n ** 200n]);
      const { json, confirmed, reasons } = await fetchAllowances(coin.address);
      const expected = { token: coin.address, owner: person(0), spender: person(1), value: `${2n ** 200n}` };
      assert.deepEqual([json, confirmed, reasons], [[expected], true, []], name);
    }
  });

  it('are uncertain with approvals that cannot be decoded', async () => {
    const coin = await chain.deploy('Wordless');
    await chain.send(coin, 'approve', [person(1), 3n]);
    const { json, confirmed, reasons } = await fetchAllowances(coin.address);
    assert.deepEqual([json, confirmed], [[], false]);
    assert.match(reasons.join(), /^An approval in block \d+ could not be decoded/);
  });

  it('of a token are not taken for those of an account', async () => {
    const before = await chain.block();
    const coin = await chain.deploy('Proud');
    await chain.send(coin, 'approve', [person(1), 10n]);
    const found = await fetchAllowances(coin.address);
    assert.deepEqual([found.json.map(({ value }) => value), found.confirmed], [['10'], true]);
    const early = await fetchAllowances(coin.address, undefined, before);
    assert.deepEqual([early.json, early.confirmed], [[], false]);
    assert.match(early.reasons.join(), /^There is no code at 0x[0-9a-f]{40} in block \d+, but there is now/);
    const kindless = await chain.deploy('Kindless');
    const { confirmed, reasons } = await fetchAllowances(kindless.address);
    assert.equal(confirmed, false);
    assert.match(reasons.join(), /has a total supply, as a token has, but returns no allowances/);
  });

  it('of an account that is a contract say so', async () => {
    const wallet = await chain.deploy('Wallet');
    const { confirmed, reasons, restsOn } = await fetchAllowances(wallet.address);
    assert.deepEqual([confirmed, reasons], [true, []]);
    assert.match(restsOn, new RegExp(`${wallet.address} returns no allowances of its own`));
    assert.doesNotMatch((await fetchAllowances(person(9))).restsOn, /of its own/);
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
