import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Abi } from 'viem';
import { createLogDecoder, decodedLogToJson, type ProjectIndexer } from '../../../../../src/core/index.ts';
import { describeInFullRun } from '../../../../support/fullRun.ts';
import { pick } from '../../../../support/pick.ts';
import { hardhat3Project } from '../../../../support/realProjects/hardhat3Project.ts';
import {
  decodedByViem,
  hashesOfAbi,
  hashesOfItems,
  indexedProject,
  type MinedLog,
  readJson,
} from '../../../../support/realProjects/indexedProject.ts';

interface Artifact {
  readonly abi: Abi;
}
interface Message {
  readonly type: string;
  readonly futureId?: string;
  readonly hash?: string;
  readonly receipt?: { readonly blockNumber: number; readonly logs: readonly MinedLog[] };
}

const deployment = 'ignition/deployments/chain-31337';

describeInFullRun('the index of a Hardhat 3 project made by Hardhat and Ignition', () => {
  let folder: string;
  let indexer: ProjectIndexer;
  const journal = (): readonly Message[] =>
    readFileSync(join(folder, deployment, 'journal.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const confirmed = (future: string) =>
    journal().find(({ type, futureId }) => type === 'TRANSACTION_CONFIRM' && futureId === future);

  before(async () => {
    folder = await hardhat3Project();
    indexer = await indexedProject(folder);
  });

  it('has each contract once, though Ignition keeps artifacts too, with source, line and all of its ABI', () => {
    assert.deepEqual(pick(indexer.index.contracts, 'name', 'source', 'line', 'artifact', 'isOwn'), [
      ['Archive', 'contracts/Archive.sol', 7, 'artifacts/contracts/Archive.sol/Archive.json', true],
      ['Orders', 'contracts/Orders.sol', 27, 'artifacts/contracts/Orders.sol/Orders.json', true],
    ]);
    for (const { artifact = '', abi } of indexer.index.contracts) {
      assert.deepEqual(hashesOfItems(abi), hashesOfAbi(readJson<Artifact>(folder, artifact).abi));
    }
    assert.deepEqual(indexer.skipped, []);
  });

  it('has each future that was deployed, by the contract that it is of, with block and transaction', () => {
    const addresses = readJson<Readonly<Record<string, string>>>(
      folder,
      deployment,
      'deployed_addresses.json',
    );
    const expected = Object.entries(addresses).map(([future, address]) => {
      const { hash, receipt } = confirmed(future) ?? {};
      return {
        ...{ chainId: '31337', address: address.toLowerCase(), contract: contractOf(future) },
        ...{ block: receipt && BigInt(receipt.blockNumber), transaction: hash, commit: undefined },
        file: `${deployment}/deployed_addresses.json`,
      };
    });
    // Ignition sends what does not depend on each other at once, and the node mines it in the order of arrival.
    assert.deepEqual(pick(expected, 'contract'), ['Orders', 'Orders', 'Archive']);
    assert.deepEqual(expected.map(({ block }) => String(block)).sort(), ['1', '2', 'undefined']);
    const byAddress = (a: { readonly address: string }, b: { readonly address: string }) =>
      a.address < b.address ? -1 : 1;
    assert.deepEqual([...indexer.index.deployments].sort(byAddress), expected.sort(byAddress));
  });

  it('decodes the logs of what was deployed as viem does with its ABI', () => {
    const decoder = createLogDecoder({ lookup: indexer.index.lookup, chainId: 31337 });
    const logs = journal().flatMap(({ receipt }) => receipt?.logs ?? []);
    assert.equal(logs.length, 1);
    const { abi } = readJson<Artifact>(folder, 'artifacts/contracts/Orders.sol/Orders.json');
    for (const { address, topics, data } of logs) {
      const log = { address: address.toLowerCase() as MinedLog['address'], topics, data };
      const decoded = decodedLogToJson(decoder.decode(log));
      assert.ok('args' in decoded, JSON.stringify(decoded));
      assert.deepEqual([decoded.source, decoded.from], ['deployment', 'contracts/Orders.sol']);
      const own = { name: decoded.name, values: decoded.args.map(({ value }) => value) };
      assert.deepEqual(own, decodedByViem(abi, log));
    }
  });
});

/** In the module, `SpareOrders` is the id of a second `Orders`. */
function contractOf(future: string): string {
  return future === 'Harbor#SpareOrders' ? 'Orders' : future.slice('Harbor#'.length);
}
