import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeInFullRun } from '../../support/fullRun.ts';
import { hardhat3Project } from '../../support/realProjects/hardhat3Project.ts';

interface Entry {
  readonly type: string;
  readonly futureId?: string;
  readonly contractName?: string;
  readonly contractAddress?: string;
  readonly chainId?: number;
  readonly hash?: string;
  readonly result?: { readonly type: string; readonly address?: string };
  readonly receipt?: {
    readonly blockNumber: number;
    readonly status: string;
    readonly contractAddress?: string;
  };
}

const deployment = ['ignition', 'deployments', 'chain-31337'];

describeInFullRun('a Hardhat 3 project made by Hardhat and Ignition', () => {
  let folder: string;
  const text = (...path: readonly string[]) => readFile(join(folder, ...path), 'utf8');
  const journal = async (): Promise<readonly Entry[]> =>
    (await text(...deployment, 'journal.jsonl'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  before(async () => {
    folder = await hardhat3Project();
  });

  it('has artifacts of the third format, which name contract and source', async () => {
    const artifact = JSON.parse(await text('artifacts', 'contracts', 'Orders.sol', 'Orders.json'));
    assert.equal(artifact._format, 'hh3-artifact-1');
    assert.equal(artifact.contractName, 'Orders');
    assert.equal(artifact.sourceName, 'contracts/Orders.sol');
    assert.equal(artifact.inputSourceName, 'project/contracts/Orders.sol');
    assert.match(artifact.buildInfoId, /^solc-/);
    const events = artifact.abi.filter(({ type }: { type: string }) => type === 'event');
    assert.deepEqual(
      events.map(({ name }: { name: string }) => name),
      ['ArchiveOpened', 'OrderFilled', 'OrderNoted', 'OrderPlaced'],
    );
  });

  it('has addresses by the id of their future, which is not always the name of the contract', async () => {
    const addresses = JSON.parse(await text(...deployment, 'deployed_addresses.json'));
    assert.deepEqual(Object.keys(addresses).sort(), [
      'Harbor#Archive',
      'Harbor#Orders',
      'Harbor#SpareOrders',
    ]);
    for (const address of Object.values<string>(addresses)) assert.match(address, /^0x[0-9a-fA-F]{40}$/);
  });

  it('has a journal that tells chain, contract, transaction, block and address of each deployment', async () => {
    const entries = await journal();
    assert.deepEqual(entries[0], { chainId: 31337, type: 'DEPLOYMENT_INITIALIZE' });
    const of = (type: string) =>
      entries.find((entry) => entry.type === type && entry.futureId === 'Harbor#SpareOrders');
    assert.equal(of('DEPLOYMENT_EXECUTION_STATE_INITIALIZE')?.contractName, 'Orders');
    const confirmed = of('TRANSACTION_CONFIRM');
    assert.match(confirmed?.hash ?? '', /^0x[0-9a-f]{64}$/);
    assert.equal(typeof confirmed?.receipt?.blockNumber, 'number');
    assert.equal(confirmed?.receipt?.status, 'SUCCESS');
    const result = of('DEPLOYMENT_EXECUTION_STATE_COMPLETE')?.result;
    assert.deepEqual(result, { type: 'SUCCESS', address: confirmed?.receipt?.contractAddress });
  });

  it('has what a contract has created as one that was attached, without transaction', async () => {
    const attached = (await journal()).filter(
      ({ type }) => type === 'CONTRACT_AT_EXECUTION_STATE_INITIALIZE',
    );
    assert.deepEqual(
      attached.map(({ contractName, futureId }) => [contractName, futureId]),
      [['Archive', 'Harbor#Archive']],
    );
    const addresses = JSON.parse(await text(...deployment, 'deployed_addresses.json'));
    assert.equal(attached[0]?.contractAddress, addresses['Harbor#Archive']);
  });
});
