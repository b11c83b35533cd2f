import { type Address, type Hex, toChecksumAddress } from '../../src/core/index.ts';
import { type CompiledContract, getArtifactPath, toFoundryArtifact } from './codeProject.ts';

/** The tools whose records of deployments are read. */
export const DEPLOYMENT_TOOLS = ['foundry', 'hardhatDeploy', 'ignition', 'truffle'] as const;
export type DeploymentTool = (typeof DEPLOYMENT_TOOLS)[number];

/** Writes a file of the project, by its path from the root. */
export type WriteFile = (path: string, text: string) => Promise<void>;

/** A contract that a run of a tool created. */
export interface CreatedContract {
  readonly name: string;
  readonly compiled: CompiledContract;
  readonly address: Address;
  readonly hash: Hex;
  readonly block: Hex;
  readonly from: Address;
}

interface ToolRun {
  readonly contracts: readonly CreatedContract[];
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** Writes what a tool leaves in a project: its builds, and its records of deployments. */
interface RecordWriter {
  build(contracts: Readonly<Record<string, CompiledContract>>): Promise<void>;
  /** @returns the transactions that the files of the tool have then. */
  record(run: ToolRun): Promise<readonly Hex[]>;
}

interface WriterInputs {
  /** The source of all contracts. */
  readonly source: string;
  readonly write: WriteFile;
  /** A whole number below its argument. */
  readonly random: (below: number) => number;
}

export function createRecordWriter(tool: DeploymentTool, inputs: WriterInputs): RecordWriter {
  const create = { foundry, hardhatDeploy, ignition, truffle }[tool];
  return create(inputs);
}

/** Keeps the records of each run, with its time. */
function foundry({ source, write }: WriterInputs): RecordWriter {
  const hashes: Hex[] = [];
  return {
    async build(contracts) {
      await write('foundry.toml', '[profile.default]\nsrc = "src"\nout = "out"\n');
      for (const [name, contract] of Object.entries(contracts))
        await write(getArtifactPath(source, name), JSON.stringify(toFoundryArtifact(contract, 0)));
    },
    async record({ contracts, time }) {
      const sequence = JSON.stringify({
        transactions: contracts.map(({ name, address, hash }) => {
          return { hash, transactionType: 'CREATE', contractName: name, contractAddress: address };
        }),
        receipts: contracts.map(({ address, hash, block }) => {
          return { status: '0x1', transactionHash: hash, contractAddress: address, blockNumber: block };
        }),
        ...{ libraries: [], pending: [], returns: {}, timestamp: time, chain: 31337, commit: 'abc1234' },
      });
      await write(`broadcast/Deploy.s.sol/31337/run-${time}.json`, sequence);
      await write('broadcast/Deploy.s.sol/31337/run-latest.json', sequence);
      hashes.push(...contracts.map(({ hash }) => hash));
      return hashes;
    },
  };
}

/**
 * Has a file for each name that a script gave a deployment, and of a name only the last. The first proxy of a run is
 * deployed as one of its `proxy` option: under the name of what it runs, which has one of its own.
 */
function hardhatDeploy(inputs: WriterInputs): RecordWriter {
  const { write } = inputs;
  const hashes = new Map<string, Hex>();

  async function save(name: string, { compiled, ...created }: CreatedContract, more: object = {}) {
    const { address, hash, block, from } = created;
    const [bytecode, deployedBytecode] = [compiled.evm.bytecode, compiled.evm.deployedBytecode];
    const file = {
      ...{ address: toChecksumAddress(address), abi: compiled.abi, transactionHash: hash },
      receipt: {
        ...{ to: null, from, contractAddress: toChecksumAddress(address), transactionIndex: 0 },
        ...{ gasUsed: '187171', transactionHash: hash, logs: [], blockNumber: Number(block), status: 1 },
      },
      ...{ args: [], numDeployments: 1, solcInputHash: 'ab12', metadata: compiled.metadata },
      ...{ bytecode: `0x${bytecode.object}`, deployedBytecode: `0x${deployedBytecode.object}`, ...more },
    };
    await write(`deployments/localhost/${name}.json`, JSON.stringify(file));
    hashes.set(name, hash);
  }

  return {
    build: (contracts) => buildWithHardhat(contracts, inputs),
    async record({ contracts }) {
      await write('deployments/localhost/.chainId', '31337');
      const proxy = contracts.find(({ name }) => name === 'VaultProxy');
      const run = contracts
        .slice(0, proxy && contracts.indexOf(proxy))
        .findLast(({ name }) => /^Vault/.test(name));
      const counts = new Map<string, number>();
      for (const created of contracts) {
        const { name, address } = created;
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        if (run && created === run) await save('Vault_Implementation', created);
        else if (run && created === proxy) {
          const abi = [...created.compiled.abi, ...run.compiled.abi];
          await save('Vault_Proxy', created);
          await save('Vault', created, { abi, implementation: toChecksumAddress(run.address), address });
        } else await save(count === 1 ? name : `Spare${name}${count}`, created);
      }
      return [...hashes.values()];
    },
  };
}

/** Has one journal. Another run adds futures, wipes what it deploys again, or begins anew, as by `--reset`. */
function ignition(inputs: WriterInputs): RecordWriter {
  const { write, random, source } = inputs;
  const folder = 'ignition/deployments/chain-31337';
  const futures = new Map<string, CreatedContract>();
  let lines: object[] = [];

  async function deploy(id: string, created: CreatedContract) {
    const { name, address, hash, block, from, compiled } = created;
    const futureId = id;
    const contractAddress = toChecksumAddress(address);
    const receipt = {
      blockHash: hash,
      blockNumber: Number(block),
      contractAddress,
      logs: [],
      status: 'SUCCESS',
    };
    lines.push(
      {
        ...{ artifactId: id, constructorArgs: [], contractName: name, dependencies: [], from, futureId },
        ...{ futureType: 'NAMED_ARTIFACT_CONTRACT_DEPLOYMENT', libraries: {}, strategy: 'basic' },
        ...{ type: 'DEPLOYMENT_EXECUTION_STATE_INITIALIZE', value: { _kind: 'bigint', value: '0' } },
      },
      { futureId, networkInteraction: { data: '0x6080', id: 1 }, type: 'NETWORK_INTERACTION_REQUEST' },
      { futureId, networkInteractionId: 1, nonce: 0, type: 'TRANSACTION_PREPARE_SEND' },
      { futureId, networkInteractionId: 1, nonce: 0, transaction: { hash }, type: 'TRANSACTION_SEND' },
      { futureId, hash, networkInteractionId: 1, receipt, type: 'TRANSACTION_CONFIRM' },
      {
        futureId,
        result: { address: contractAddress, type: 'SUCCESS' },
        type: 'DEPLOYMENT_EXECUTION_STATE_COMPLETE',
      },
    );
    futures.set(id, created);
    await write(`${folder}/artifacts/${id}.json`, JSON.stringify(toHardhatArtifact(name, source, compiled)));
  }

  return {
    build: (contracts) => buildWithHardhat(contracts, inputs),
    async record({ contracts }) {
      const isWiped = random(2) === 0;
      if (lines.length === 0 || random(3) === 0) {
        lines = [{ chainId: 31337, type: 'DEPLOYMENT_INITIALIZE' }];
        futures.clear();
      }
      const own = new Set<string>();
      for (const created of contracts) {
        const names = [
          created.name,
          ...Array.from({ length: 500 }, (_, each) => `${created.name}${each + 2}`),
        ];
        const isFree = (id: string) => !own.has(id) && (isWiped || !futures.has(id));
        const id = names.map((name) => `Day#${name}`).find(isFree) ?? '';
        own.add(id);
        if (futures.has(id)) lines.push({ futureId: id, type: 'WIPE_APPLY' });
        await deploy(id, created);
      }
      // An interrupted run leaves an incomplete line.
      const rest = random(4) === 0 ? '{"futureId":"Day#To' : '';
      const journal = `\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n${rest}`;
      await write(`${folder}/journal.jsonl`, journal);
      const addresses = [...futures].map(([id, { address }]) => [id, toChecksumAddress(address)]);
      await write(
        `${folder}/deployed_addresses.json`,
        JSON.stringify(Object.fromEntries(addresses), null, 2),
      );
      return [...futures.values()].map(({ hash }) => hash);
    },
  };
}

/** Has the last deployment of each contract and network in its artifact, without a block. */
function truffle({ source, write }: WriterInputs): RecordWriter {
  let built: Readonly<Record<string, CompiledContract>> = {};
  const deployed = new Map<string, CreatedContract>();
  let time = 0;

  async function save(name: string, { abi, metadata, evm }: CompiledContract) {
    const created = deployed.get(name);
    const { object, immutableReferences } = evm.deployedBytecode;
    const other = {
      events: {},
      links: {},
      address: `0x${'7'.repeat(40)}`,
      transactionHash: `0x${'7'.repeat(64)}`,
    };
    const own = created && {
      ...other,
      address: toChecksumAddress(created.address),
      transactionHash: created.hash,
    };
    const artifact = {
      ...{ contractName: name, abi, metadata, bytecode: `0x${evm.bytecode.object}` },
      ...{ deployedBytecode: `0x${object}`, immutableReferences, sourcePath: `/home/anna/day/${source}` },
      ...{ ast: { absolutePath: `project:/${source}` }, compiler: { name: 'solc', version: '0.8.30' } },
      networks: { ...(own && { 31337: own }), 1796024709377: other },
      ...{ schemaVersion: '3.4.16', updatedAt: new Date(time).toISOString(), networkType: 'ethereum' },
    };
    await write(`build/contracts/${name}.json`, JSON.stringify(artifact));
  }

  return {
    async build(contracts) {
      await write('truffle-config.js', 'module.exports = { contracts_directory: "./src" };\n');
      built = contracts;
      for (const [name, contract] of Object.entries(contracts)) await save(name, contract);
    },
    async record(run) {
      time = run.time;
      for (const created of run.contracts) deployed.set(created.name, created);
      for (const [name, contract] of Object.entries(built)) await save(name, contract);
      return [...deployed.values()].map(({ hash }) => hash);
    },
  };
}

async function buildWithHardhat(
  contracts: Readonly<Record<string, CompiledContract>>,
  { source, write }: WriterInputs,
): Promise<void> {
  await write('hardhat.config.js', 'module.exports = { paths: { sources: "./src" } };\n');
  for (const [name, contract] of Object.entries(contracts))
    await write(
      `artifacts/${source}/${name}.json`,
      JSON.stringify(toHardhatArtifact(name, source, contract)),
    );
}

function toHardhatArtifact(name: string, source: string, { abi, evm }: CompiledContract): object {
  const { object, immutableReferences } = evm.deployedBytecode;
  return {
    ...{ _format: 'hh3-artifact-1', contractName: name, sourceName: source, abi },
    ...{ bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${object}` },
    ...{ linkReferences: {}, deployedLinkReferences: {}, immutableReferences },
    ...{ inputSourceName: `project/${source}`, buildInfoId: 'solc-0_8_30-ab12' },
  };
}
