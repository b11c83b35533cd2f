import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hash, Hex } from 'ox';
import { run } from '../../../scripts/support/childProcess.ts';
import { hasForge, ownEnvironment } from '../../../scripts/support/foundry/forge.ts';
import { projectRoot } from '../../../scripts/support/paths.ts';
import { foundryProject } from '../../support/realProjects/foundryProject.ts';

interface Input {
  readonly name: string;
  readonly type: string;
  readonly indexed: boolean;
  readonly internalType: string;
  readonly components?: readonly Input[];
}
interface Artifact {
  readonly abi: readonly {
    readonly type: string;
    readonly name: string;
    readonly inputs: readonly Input[];
  }[];
  readonly metadata: { readonly settings: { readonly compilationTarget: unknown } };
}
interface Transaction {
  readonly hash: string;
  readonly transactionType: string;
  readonly contractName: string | null;
  readonly contractAddress: string | null;
  readonly function: string | null;
  readonly additionalContracts: readonly { readonly contractName: string | null; readonly address: string }[];
}
interface Receipt {
  readonly transactionHash: string;
  readonly status: string;
  readonly blockNumber: string;
  readonly contractAddress: string | null;
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[] }[];
}
interface Broadcast {
  readonly transactions: readonly Transaction[];
  readonly receipts: readonly Receipt[];
  readonly chain: number;
  readonly timestamp: number;
  readonly commit: string | null;
}

const depositedTopic = Hash.keccak256(Hex.fromString('Deposited(address,address,uint256)'));

// Where the lockfile has no forge for the system there is nothing of it to look at.
if (hasForge()) {
  describe('a Foundry project made by forge', () => {
    let folder: string;
    const json = async <T>(...path: readonly string[]): Promise<T> =>
      JSON.parse(await readFile(join(folder, ...path), 'utf8'));
    const newestRun = (script: string) =>
      json<Broadcast>('broadcast', `${script}.s.sol`, '31337', 'run-latest.json');

    before(async () => {
      folder = await foundryProject();
    });

    it('has a build whose artifacts name their source in the metadata alone', async () => {
      const artifact = await json<Artifact>('out', 'Orders.sol', 'Orders.json');
      assert.deepEqual(Object.keys(artifact).sort(), [
        ...['abi', 'bytecode', 'deployedBytecode', 'id', 'metadata', 'methodIdentifiers', 'rawMetadata'],
      ]);
      assert.deepEqual(artifact.metadata.settings.compilationTarget, { 'src/Orders.sol': 'Orders' });
      const placed = artifact.abi.find(({ name }) => name === 'OrderPlaced');
      assert.deepEqual(
        placed?.inputs.map(({ name, type, indexed, internalType }) => [name, type, indexed, internalType]),
        [
          ['id', 'bytes32', true, 'OrderId'],
          ['memo', 'string', true, 'string'],
          ['order', 'tuple', false, 'struct Order'],
        ],
      );
      assert.deepEqual(
        placed?.inputs[2]?.components?.map(({ type, internalType }) => [type, internalType]),
        [
          ['address', 'address'],
          ['uint8', 'enum Side'],
          ['tuple', 'struct Leg'],
          ['tuple[]', 'struct Leg[]'],
          ['bytes32', 'bytes32'],
        ],
      );
      assert.ok(artifact.abi.some(({ type, name }) => type === 'error' && name === 'WrongAmounts'));
    });

    it('has the deployment with its chain, blocks and commit', async () => {
      const { transactions, receipts, chain, commit } = await newestRun('Deploy');
      assert.equal(chain, 31337);
      const git = await run('git', ['rev-parse', 'HEAD~1'], { cwd: folder, env: ownEnvironment() });
      assert.match(commit ?? '', /^[0-9a-f]{7,40}$/);
      assert.ok(git.startsWith(commit ?? '-'));
      const created = transactions.filter(({ transactionType }) => transactionType === 'CREATE');
      assert.deepEqual(
        created.map(({ contractName }) => contractName),
        [
          ...['HarborDollar', 'Tide', 'Badge', 'Items', 'Disperse'],
          ...['Orders', 'Vault', 'ERC1967Proxy', 'Rewards'],
        ],
      );
      for (const { hash, contractAddress } of created) {
        const receipt = receipts.find(({ transactionHash }) => transactionHash === hash);
        assert.equal(receipt?.status, '0x1');
        assert.match(receipt?.blockNumber ?? '', /^0x[0-9a-f]+$/);
        assert.equal(receipt?.contractAddress, contractAddress);
      }
    });

    it('gives a call the name of the contract that it calls, and what that creates beside it', async () => {
      const { transactions } = await newestRun('Deploy');
      const orders = transactions.find(({ contractName }) => contractName === 'Orders');
      const [call, ...others] = transactions.filter(({ transactionType }) => transactionType === 'CALL');
      assert.deepEqual(others, []);
      assert.equal(call?.contractName, 'Orders');
      assert.equal(call?.contractAddress, orders?.contractAddress);
      assert.equal(call?.function, 'openArchive()');
      assert.deepEqual(
        call?.additionalContracts.map(({ contractName }) => contractName),
        ['Archive'],
      );
      assert.match(call?.additionalContracts[0]?.address ?? '', /^0x[0-9a-f]{40}$/);
    });

    it('has the address of a CREATE2 in the transaction alone', async () => {
      const { transactions, receipts } = await newestRun('Upgrade');
      const [created, upgrade] = transactions;
      assert.equal(created?.transactionType, 'CREATE2');
      assert.equal(created?.contractName, 'VaultV2');
      assert.match(created?.contractAddress ?? '', /^0x[0-9a-f]{40}$/);
      assert.equal(receipts[0]?.contractAddress, null);
      assert.equal(upgrade?.contractName, null);
      assert.equal(upgrade?.function, 'upgradeToAndCall(address,bytes)');
    });

    it('has a deployment that failed with its address, and without a receipt', async () => {
      const { transactions, receipts } = await newestRun('Spare');
      assert.deepEqual(
        transactions.map(({ transactionType, contractName }) => [transactionType, contractName]),
        [['CREATE', 'Disperse']],
      );
      assert.match(transactions[0]?.contractAddress ?? '', /^0x[0-9a-f]{40}$/);
      assert.match(transactions[0]?.hash ?? '', /^0x[0-9a-f]{64}$/);
      assert.deepEqual(receipts, []);
    });

    it('keeps each run, the newest a second time', async () => {
      const runs = globSync('run-*.json', { cwd: join(folder, 'broadcast', 'Trade.s.sol', '31337') }).sort();
      assert.equal(runs.length, 3);
      const [first, second, latest] = await Promise.all(
        runs.map((name) => json<Broadcast>('broadcast', 'Trade.s.sol', '31337', name)),
      );
      assert.deepEqual(latest, second);
      assert.notDeepEqual(latest, first);
    });

    it('has a proxy whose logs have one topic in two layouts, before and after the upgrade', async () => {
      const layouts = await Promise.all(
        ['Vault', 'VaultV2'].map(async (name) => {
          const { abi } = await json<Artifact>('out', `${name}.sol`, `${name}.json`);
          const deposited = abi.find((item) => item.name === 'Deposited');
          return deposited?.inputs.map(({ type, indexed }) => [type, indexed]);
        }),
      );
      assert.deepEqual(layouts, [
        [
          ['address', true],
          ['address', true],
          ['uint256', false],
        ],
        [
          ['address', true],
          ['address', false],
          ['uint256', true],
        ],
      ]);
      const { transactions } = await newestRun('Deploy');
      const proxy = transactions.find(({ contractName }) => contractName === 'ERC1967Proxy')?.contractAddress;
      const tide = transactions.find(({ contractName }) => contractName === 'Tide')?.contractAddress;
      const runs = globSync('run-[0-9]*.json', {
        cwd: join(folder, 'broadcast', 'Trade.s.sol', '31337'),
      }).sort();
      const indexed = await Promise.all(
        runs.map(async (name) => {
          const { receipts } = await json<Broadcast>('broadcast', 'Trade.s.sol', '31337', name);
          const logs = receipts.flatMap((receipt) => receipt.logs);
          const deposit = logs.find(
            ({ address, topics }) => address === proxy && topics[0] === depositedTopic,
          );
          return BigInt(deposit?.topics[2] ?? 0);
        }),
      );
      assert.deepEqual(indexed, [BigInt(tide ?? 0), 200n * 10n ** 18n]);
    });

    it('names no folder of this machine', async () => {
      const files = globSync(['out/**/*.json', 'broadcast/**/*.json'], { cwd: folder });
      assert.ok(files.length > 60);
      for (const file of files) {
        const text = await readFile(join(folder, file), 'utf8');
        assert.ok(!text.includes(JSON.stringify(projectRoot).slice(1, -1)), file);
      }
    });
  });
}
