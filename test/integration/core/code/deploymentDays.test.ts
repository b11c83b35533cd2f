import assert from 'node:assert/strict';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import {
  type Address,
  type ContractIndex,
  createChainClient,
  createDeploymentChecker,
  createProjectIndexer,
  type IndexedDeployment,
  systemClock,
} from '../../../../src/core/index.ts';
import { type DeploymentDay, startDay } from '../../../support/deploymentDay.ts';
import { runs } from '../../../support/fullRun.ts';
import { memoryProject } from '../../../support/memory.ts';

const CHAIN_ID = 31337;
const STEPS = 12;

describe('days of deployments on a chain that is started anew', () => {
  let anvil: Anvil;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
  });
  after(() => anvil.stop());

  async function checkDay(seed: number): Promise<void> {
    const project = memoryProject({});
    const day = await startDay(createNodeRpc(anvil.url), seed, async (path, text) =>
      project.write(path, text),
    );
    const client = createChainClient({ url: anvil.url, fetch, clock: systemClock });
    const indexer = createProjectIndexer({ files: project, roots: [''], clock: systemClock });
    const { index } = indexer;
    const checker = createDeploymentChecker({
      ...{ client, chainId: CHAIN_ID, index, files: project, clock: systemClock },
    });
    const done: string[] = [];
    for (let step = 0; step <= STEPS; step++) {
      if (step > 0) done.push(await day.next());
      await indexer.update('all');
      const block = await client.getBlockNumber();
      const recorded = index.deploymentRecords.map(({ address }) => address);
      const addresses = [...new Set([...recorded, ...day.truth.keys()])];
      index.settleDeployments(CHAIN_ID, await checker.check({ addresses, block }));
      const message = `seed ${seed}: ${done.join(', ')}`;
      assert.deepEqual(listFound(index), listTrue(day, index.deployments), message);
    }
  }

  for (let seed = 1; seed <= runs(500); seed++)
    it(`names what is there, on day ${seed}`, () => checkDay(seed));
});

/** By the contract at each address: scripts of hardhat-deploy give deployments names of their own. */
function listFound({ deployments, contractOf }: ContractIndex): readonly string[] {
  const here = deployments.filter(({ chainId }) => chainId === String(CHAIN_ID));
  return here.map((deployment) => {
    const { address, contract, contractType = contract, runs: run = [] } = deployment;
    return [
      address,
      contractOf(deployment)?.name ?? contractType,
      ...run.map(({ implementation, contract: of }) => `${implementation} ${of?.name}`),
    ].join(' ');
  });
}

/** What must be found. What no file or build can say may be found too: the same transaction may be in an older file. */
function listTrue({ truth }: DeploymentDay, found: readonly IndexedDeployment[]): readonly string[] {
  const isFound = (address: Address) => found.some((one) => one.address === address);
  const nameOf = (address: Address) => {
    const place = truth.get(address);
    return place && (place.isKnown() || isFound(address)) ? place.name : undefined;
  };
  return [...truth.keys()].sort().flatMap((address) => {
    const name = nameOf(address);
    const implementation = truth.get(address)?.implementation;
    if (name === undefined) return [];
    return [address, name, ...(implementation ? [`${implementation} ${nameOf(implementation)}`] : [])].join(
      ' ',
    );
  });
}
