import assert from 'node:assert/strict';
import { getCompanionPath } from '../../../../src/core/project/readers/readFacts.ts';
import { address, hash, readDeployments, readFactsOf } from '../../../support/fileFacts.ts';

describe('Hardhat Ignition', () => {
  const folder = 'ignition/deployments/chain-31337';
  const initialize = { chainId: 31337, type: 'DEPLOYMENT_INITIALIZE' };
  const messages = (id: string, digit: string, more: object = {}) => [
    {
      artifactId: id,
      contractName: 'Lock',
      constructorArgs: [{ _kind: 'bigint', value: '1' }],
      futureId: id,
      futureType: 'NAMED_ARTIFACT_CONTRACT_DEPLOYMENT',
      type: 'DEPLOYMENT_EXECUTION_STATE_INITIALIZE',
    },
    { futureId: id, networkInteraction: { data: '0x6080', id: 1 }, type: 'NETWORK_INTERACTION_REQUEST' },
    { futureId: id, nonce: 0, transaction: { hash: hash(digit) }, type: 'TRANSACTION_SEND' },
    {
      futureId: id,
      hash: hash(digit),
      networkInteractionId: 1,
      receipt: { blockNumber: 7, contractAddress: address(digit), logs: [], status: 'SUCCESS' },
      type: 'TRANSACTION_CONFIRM',
    },
    {
      futureId: id,
      result: { address: address(digit), type: 'SUCCESS', ...more },
      type: 'DEPLOYMENT_EXECUTION_STATE_COMPLETE',
    },
  ];
  const journal = (...lines: readonly object[]) =>
    `\n${[initialize, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`;

  it('tells in its journal what was deployed, where and when', () => {
    assert.deepEqual(
      readFactsOf(`${folder}/journal.jsonl`, journal(...messages('Mod#Lock', 'a'))).deployments,
      [
        {
          chainId: '31337',
          address: address('a'),
          contract: 'Lock',
          block: 7n,
          transaction: hash('a'),
          commit: undefined,
        },
      ],
    );
  });

  it('leaves out what failed, was wiped or is under way', () => {
    const lines = [
      ...messages('Mod#A', 'a', { type: 'REVERTED_TRANSACTION' }),
      ...messages('Mod#B', 'b'),
      { futureId: 'Mod#B', type: 'WIPE_APPLY' },
      ...messages('Mod#C', 'c').slice(0, 3),
    ];
    assert.deepEqual(readDeployments(`${folder}/journal.jsonl`, journal(...lines)), []);
  });

  it('has contracts that were there before', () => {
    const line = {
      type: 'CONTRACT_AT_EXECUTION_STATE_INITIALIZE',
      futureId: 'Mod#T',
      contractName: 'Token',
      contractAddress: address('b'),
    };
    assert.deepEqual(readDeployments(`${folder}/journal.jsonl`, journal(line)), [
      `31337 Token ${address('b')}`,
    ]);
  });

  it('passes over a last line that is cut off, but no other', () => {
    const whole = journal(...messages('Mod#Lock', 'a'));
    assert.equal(readDeployments(`${folder}/journal.jsonl`, `${whole}{"futureId":"Mo`).length, 1);
    assert.throws(() => readDeployments(`${folder}/journal.jsonl`, `{"futureId":"Mo\n${whole}`), {
      kind: 'badInput',
    });
  });

  it('lists addresses, whose chain is in the name of the folder or in the journal', () => {
    const list = { 'Mod#Lock': address('a'), 'Mod#Named': address('b'), 'Mod#Bad': '0x12' };
    const path = `${folder}/deployed_addresses.json`;
    assert.deepEqual(readDeployments(path, list), [
      `31337 Lock ${address('a')}`,
      `31337 Named ${address('b')}`,
    ]);
    const staging = 'ignition/deployments/staging/deployed_addresses.json';
    assert.deepEqual(readDeployments(staging, list), []);
    assert.equal(getCompanionPath(staging), 'ignition/deployments/staging/journal.jsonl');
    const beside = journal(...messages('Mod#Named', 'b'));
    assert.deepEqual(readDeployments(staging, list, beside), [
      `31337 Lock ${address('a')}`,
      `31337 Lock ${address('b')}`,
    ]);
    assert.deepEqual(readDeployments(staging, list, '{broken\n{}'), []);
  });
});
