import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Abi } from 'viem';
import { hasForge } from '../../../../../scripts/support/foundry/forge.ts';
import {
  createLogDecoder,
  decodedLogToJson,
  mergeLookups,
  type ProjectIndexer,
} from '../../../../../src/core/index.ts';
import { getStandardLookup } from '../../../../../src/core/standards/lookup.ts';
import { describeInFullRun } from '../../../../support/fullRun.ts';
import { foundryProject } from '../../../../support/realProjects/foundryProject.ts';
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
  readonly metadata: {
    readonly settings: { readonly compilationTarget: Readonly<Record<string, string>> };
  };
}
interface Run {
  readonly transactions: readonly { readonly hash: string; readonly contractAddress: string | null }[];
  readonly receipts: readonly {
    readonly transactionHash: string;
    readonly blockNumber: string;
    readonly logs: readonly MinedLog[];
  }[];
  readonly commit: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly timestamp: number;
}

const addresses = {
  HarborDollar: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  Tide: '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
  Badge: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0',
  Items: '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
  Disperse: '0xdc64a140aa3e981100a9beca4e685f962f0cf6c9',
  Orders: '0x5fc8d32690cc91d4c39d9d3abcbd16989f875707',
  Vault: '0xa513e6e4b8f2a923d98304ec87f64353c4d5c853',
  ERC1967Proxy: '0x2279b7a0a67db372996a5fab50d91eaa73d2ebe6',
  Rewards: '0x8a791620dd6260079bf849dc5567adc3f2fdc318',
} as const;

if (hasForge()) {
  describeInFullRun('the index of a Foundry project made by forge', () => {
    let folder: string;
    let indexer: ProjectIndexer;
    const artifactAt = (path: string) => readJson<Artifact>(folder, path);
    const newestRun = (script: string) =>
      readJson<Run>(folder, 'broadcast', `${script}.s.sol`, '31337', 'run-latest.json');
    const deploymentOf = (contract: string) =>
      indexer.index.deployments.filter((deployment) => deployment.contract === contract);

    before(async () => {
      folder = await foundryProject();
      indexer = await indexedProject(folder);
    });

    it('has each contract that was compiled, with its artifact, its source and all of its ABI', () => {
      const artifacts = globSync('out/**/*.json', { cwd: folder, exclude: ['out/build-info/**'] });
      const expected = artifacts.map((path) => {
        const { abi, metadata } = artifactAt(path);
        const [[source, name] = []] = Object.entries(metadata.settings.compilationTarget);
        return { name, source, artifact: path.replaceAll('\\', '/'), hashes: hashesOfAbi(abi) };
      });
      const found = indexer.index.contracts.map(({ name, source, artifact, abi }) => ({
        ...{ name, source, artifact, hashes: hashesOfItems(abi) },
      }));
      const byArtifact = (a: { artifact?: string | undefined }, b: { artifact?: string | undefined }) =>
        (a.artifact ?? '') < (b.artifact ?? '') ? -1 : 1;
      assert.ok(found.length > 60);
      assert.deepEqual(found.sort(byArtifact), expected.sort(byArtifact));
      assert.deepEqual(indexer.skipped, []);
    });

    it('has the line of each contract of the project, and of each event, as it stands in the source', () => {
      const own = indexer.index.contracts.filter(({ isOwn }) => isOwn);
      assert.deepEqual(
        indexer.index.contracts.filter(({ isOwn, source }) => isOwn === source?.startsWith('lib/')),
        [],
      );
      let events = 0;
      for (const { name, source = '', line = 0, abi, itemLines } of own) {
        const lines = readFileSync(join(folder, source), 'utf8').split('\n');
        assert.match(
          lines[line - 1] ?? '',
          new RegExp(`^(?:abstract )?(?:contract|library|interface) ${name}\\b`),
        );
        for (const [at, text] of abi.entries()) {
          const declared = lines[(itemLines[at] ?? 0) - 1];
          if (declared === undefined) continue;
          events++;
          // The getter of a public variable is declared as a variable.
          const item = text.slice(text.startsWith('function ') ? text.indexOf(' ') : 0, text.indexOf('('));
          assert.ok(declared.includes(item), `${name}: ${text}`);
        }
      }
      assert.ok(events > 15, `${events} lines`);
    });

    it('has what was deployed, with chain, block, transaction, commit and time', () => {
      for (const [contract, address] of Object.entries(addresses)) {
        const run = newestRun('Deploy');
        const receipt = run.receipts.find(({ transactionHash }) =>
          run.transactions.some(
            (sent) => sent.hash === transactionHash && sent.contractAddress?.toLowerCase() === address,
          ),
        );
        const [deployment, ...others] = deploymentOf(contract);
        assert.deepEqual(others, []);
        assert.match(deployment?.file ?? '', /^broadcast\/Deploy\.s\.sol\/31337\/run-(?:latest|\d+)\.json$/);
        assert.deepEqual(deployment, {
          ...{ chainId: '31337', address, contract, file: deployment?.file },
          block: BigInt(receipt?.blockNumber ?? -1),
          transaction: receipt?.transactionHash,
          commit: run.commit ?? undefined,
          time: run.timestamp,
        });
      }
    });

    it('has what a deployed contract has created, a deployment by CREATE2, and a library that was linked', () => {
      const { commit } = newestRun('Deploy');
      for (const name of ['Archive', 'VaultV2', 'Tally', 'Counter']) {
        const [deployment] = deploymentOf(name);
        assert.match(`${deployment?.address}`, /^0x[0-9a-f]{40}$/);
        assert.deepEqual([deployment?.block !== undefined, deployment?.commit], [true, commit], name);
      }
    });

    it('leaves out a deployment that failed', () => {
      const [failed] = newestRun('Spare').transactions;
      const address = failed?.contractAddress?.toLowerCase();
      assert.match(address ?? '', /^0x/);
      assert.deepEqual(
        deploymentOf('Disperse').map((each) => each.address),
        [addresses.Disperse],
      );
      assert.ok(indexer.index.deployments.every((each) => each.address !== address));
      assert.equal(indexer.index.deployments.length, Object.keys(addresses).length + 4);
    });

    it('decodes every log of what was deployed as viem does with its ABI, and says where that is from', () => {
      const lookup = mergeLookups(indexer.index.lookup, getStandardLookup());
      const decoder = createLogDecoder({ lookup, chainId: 31337 });
      const names = new Set<string>();
      for (const path of globSync('broadcast/**/run-[0-9]*.json', { cwd: folder })) {
        for (const log of readJson<Run>(folder, path).receipts.flatMap(({ logs }) => logs)) {
          const decoded = decodedLogToJson(decoder.decode(log));
          assert.ok('event' in decoded, JSON.stringify(decoded));
          const deployed = indexer.index.deploymentsAt(log.address, 31337)[0]?.contract ?? '';
          names.add(`${deployed}.${decoded.name}`);
          // A proxy's own ABI has little of what its logs say.
          const isBehind = deployed === 'ERC1967Proxy' && decoded.name !== 'Upgraded';
          assert.equal(decoded.source, isBehind ? 'workspace' : 'deployment', decoded.event);
          const { artifact = '' } =
            indexer.index.contracts.find(
              ({ name, source }) => source === decoded.from && (isBehind || name === deployed),
            ) ?? assert.fail(`${deployed}: ${decoded.from}`);
          const { name, values } = decodedByViem(artifactAt(artifact).abi, log);
          const own = decoded.args.map(({ value }) => value);
          assert.deepEqual([decoded.name, own], [name, values]);
          if (decoded.name !== 'Deposited') continue;
          // One topic, two layouts of as many topics: the other one fits too, and is told.
          const from = [decoded.from, ...(decoded.others ?? []).map((other) => other.from)];
          assert.deepEqual(from.sort(), ['src/Vault.sol', 'src/VaultV2.sol']);
        }
      }
      for (const [contract, ...events] of [
        ['Orders', 'ArchiveOpened', 'OrderPlaced', 'OrderFilled', 'OrderNoted'],
        ['ERC1967Proxy', 'Deposited', 'Upgraded'],
        ...[
          ['Archive', 'Kept'],
          ['Rewards', 'Paid'],
          ['Counter', 'Counted'],
        ],
        ...[
          ['HarborDollar', 'Transfer'],
          ['Tide', 'Approval'],
        ],
      ])
        for (const event of events) assert.ok(names.has(`${contract}.${event}`), `${event} in ${[...names]}`);
    });
  });
}
