import type { NodeRpc } from '../../localnet/chain/nodeRpc.ts';
import type { Address, Hex } from '../../src/core/index.ts';
import { type CompiledContract, compile } from './codeProject.ts';
import {
  type CreatedContract,
  createRecordWriter,
  DEPLOYMENT_TOOLS,
  type DeploymentTool,
  type WriteFile,
} from './deploymentRecords.ts';
import { createRandom } from './logDataSets.ts';

/** The source of all contracts of a day. */
export const DAY_SOURCE = 'src/Day.sol';
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

/** `edit` changes the code of each contract, as an edited source does. */
const sourceOf = (edit: number) => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Token {
  event Minted(address indexed to, uint256 value);
  uint256 public total;
  function mint(address to, uint256 value) external { total += value + ${edit}; emit Minted(to, value); }
}
contract Inner {
  event Pinged(uint256 count);
  uint256 public count;
  function ping() external { count += ${1 + edit}; emit Pinged(count); }
}
contract Vault {
  event Deposited(address indexed by, uint256 value);
  address public immutable token;
  uint256 public sum;
  constructor(address of_) { token = of_; }
  function deposit(uint256 value) external { sum += value + ${edit}; emit Deposited(msg.sender, value); }
}
contract VaultV2 {
  event Deposited(address indexed by, uint256 value);
  event Paused(bool isPaused);
  address public immutable token;
  uint256 public sum;
  constructor(address of_) { token = of_; }
  function deposit(uint256 value) external { sum += value + ${edit}; emit Deposited(msg.sender, value); }
  function pause(bool isPaused) external { emit Paused(isPaused); sum += ${edit}; }
}
contract VaultProxy {
  event Upgraded(address indexed implementation);
  constructor(address to) { upgradeTo(to); }
  function upgradeTo(address to) public {
    assembly { sstore(${IMPLEMENTATION_SLOT}, to) }
    emit Upgraded(to);
  }
  fallback() external payable {
    assembly {
      calldatacopy(0, 0, calldatasize())
      let isDone := delegatecall(gas(), sload(${IMPLEMENTATION_SLOT}), 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      switch isDone case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
    }
  }
}
contract Maker {
  event Made(address indexed vault);
  function make() external returns (address made) { made = address(new Inner()); emit Made(made); }
}
`;

const NAMES = ['Token', 'Inner', 'Vault', 'VaultV2', 'VaultProxy', 'Maker'] as const;
type Name = (typeof NAMES)[number];

const EDITS = 3;
let compiled: readonly Readonly<Record<string, CompiledContract>>[] | undefined;

function getCompiled(edit: number): Readonly<Record<string, CompiledContract>> {
  compiled ??= Array.from({ length: EDITS }, (_, each) => {
    return compile({ [DAY_SOURCE]: sourceOf(each) }).contracts[DAY_SOURCE] ?? {};
  });
  return compiled[edit] ?? {};
}

/** What is at an address, and what a proxy runs. */
interface Truth {
  readonly name: Name;
  implementation: Address | undefined;
  /** The edit of the source that its code is of. */
  readonly edit: number;
  /** When a script deployed it, in milliseconds; undefined if none did. */
  readonly run: number | undefined;
  /** Whether a file or the build that is there can say so: of others, the source was edited since. */
  isKnown(): boolean;
}

interface Place {
  readonly implementation: Address | undefined;
  /** Whether a file of a tool has it; some keep only the last deployment of a name. */
  readonly isRecorded: () => boolean;
  /** By default the present one. */
  readonly edit?: number | undefined;
  readonly run?: number | undefined;
}

/** A day of a developer: runs of a deployment script on a chain that is started anew now and then. */
export interface DeploymentDay {
  /** What is on the chain now, by address. */
  readonly truth: ReadonlyMap<Address, Truth>;
  /** Does one thing, chosen at random. @returns what, for a message. */
  next(): Promise<string>;
  /** The last transaction of a factory that created a contract. */
  readonly lastMade: Hex | undefined;
  /** Does these things, one after another. */
  do(...names: readonly DayStep[]): Promise<void>;
}

const STEPS = [
  ...(['run', 'restart and run', 'restart, edit the script and run', 'restart'] as const),
  ...(['edit the script and run', 'edit the source', 'call', 'upgrade', 'make'] as const),
] as const;
type DayStep = (typeof STEPS)[number];

/** One tool after the other, and every fifth day all of them in one project. */
function chooseTools(seed: number): readonly DeploymentTool[] {
  const tool = DEPLOYMENT_TOOLS[seed % 5];
  return tool === undefined ? DEPLOYMENT_TOOLS : [tool];
}

/**
 * Starts a day on a chain of its own, which `node` starts anew by `anvil_reset`.
 *
 * @param tools those that the developer deploys with, chosen at random for each run.
 */
export async function startDay(
  node: NodeRpc,
  seed: number,
  write: WriteFile,
  tools: readonly DeploymentTool[] = chooseTools(seed),
): Promise<DeploymentDay> {
  const random = createRandom(seed);
  const [deployer = '0x'] = (await node.call('eth_accounts', [])) as readonly Address[];
  const truth = new Map<Address, Truth>();
  let edit = 0;
  let lastMade: Hex | undefined;
  /** Of the clock of the tools, which goes on when a chain is started anew. */
  let time = 1_790_000_000_000;
  let script: readonly Name[] = ['Token', 'Vault', 'VaultProxy', 'Inner'];
  const writers = tools.map((tool) => createRecordWriter(tool, { source: DAY_SOURCE, write, random }));
  const recorded = new Map<unknown, ReadonlySet<Hex>>();

  async function build(): Promise<void> {
    await write(DAY_SOURCE, sourceOf(edit));
    for (const writer of writers) await writer.build(getCompiled(edit));
  }

  async function send(to: Address | undefined, data: Hex) {
    const hash = (await node.call('eth_sendTransaction', [
      { from: deployer, to, data, gas: '0x2dc6c0' },
    ])) as Hex;
    await node.call('evm_mine', []);
    const receipt = (await node.call('eth_getTransactionReceipt', [hash])) as {
      readonly blockNumber: Hex;
      readonly contractAddress: Address | null;
      readonly status: Hex;
      readonly logs: readonly { readonly topics: readonly Hex[] }[];
    };
    if (receipt.status !== '0x1') throw new Error(`The transaction ${hash} failed.`);
    return { hash, receipt };
  }

  const word = (value: Address | number) =>
    typeof value === 'number' ? value.toString(16).padStart(64, '0') : value.slice(2).padStart(64, '0');
  const newest = (...names: readonly Name[]) =>
    [...truth].findLast(([, { name }]) => names.includes(name))?.[0] ?? deployer;

  function put(
    address: Address,
    name: Name,
    { implementation, isRecorded, edit: own = edit, run }: Place,
  ): void {
    truth.set(address, { name, implementation, edit: own, run, isKnown: () => isRecorded() || edit === own });
  }

  async function deploy(name: Name, isRecorded: (hash: Hex) => boolean = () => false, run?: number) {
    const target = name === 'VaultProxy' ? newest('Vault', 'VaultV2') : newest('Token');
    const hasArgument = name === 'Vault' || name === 'VaultV2' || name === 'VaultProxy';
    const compiled = getCompiled(edit)[name];
    if (!compiled) throw new Error(`${name} is not compiled.`);
    const code = compiled.evm.bytecode.object;
    const { hash, receipt } = await send(undefined, `0x${code}${hasArgument ? word(target) : ''}`);
    const address = receipt.contractAddress?.toLowerCase() as Address;
    const implementation = name === 'VaultProxy' ? target : undefined;
    put(address, name, { implementation, isRecorded: () => isRecorded(hash), run });
    return { name, compiled, address, hash, block: receipt.blockNumber, from: deployer };
  }

  async function run(): Promise<void> {
    const writer = writers[writers.length > 1 ? random(writers.length) : 0];
    const contracts: CreatedContract[] = [];
    time += 60_000;
    for (const name of script)
      contracts.push(await deploy(name, (hash) => recorded.get(writer)?.has(hash) ?? false, time));
    recorded.set(writer, new Set(await writer?.record({ contracts, time })));
  }

  async function restart(): Promise<void> {
    await node.call('anvil_reset', []);
    truth.clear();
  }

  async function call(): Promise<void> {
    const called = [...truth].filter(([, { name }]) => name !== 'Maker');
    const [address, place] = called[random(called.length)] ?? [];
    if (!address || !place) return;
    const kind = place.name === 'VaultProxy' ? truth.get(place.implementation ?? '0x')?.name : place.name;
    const data: Partial<Record<Name, Hex>> = {
      Token: `0x40c10f19${word(deployer)}${word(5)}`,
      Inner: '0x5c36b186',
      Vault: `0xb6b55f25${word(7)}`,
      VaultV2: `0xb6b55f25${word(7)}`,
    };
    const calldata = kind && data[kind];
    if (!calldata) return;
    await send(address, calldata);
  }

  async function upgrade(): Promise<void> {
    const [proxy, place] = [...truth].findLast(([, { name }]) => name === 'VaultProxy') ?? [];
    if (!proxy || !place) return;
    await deploy('VaultV2');
    place.implementation = newest('VaultV2');
    await send(proxy, `0x3659cfe6${word(place.implementation)}`);
  }

  async function make(): Promise<void> {
    if (![...truth.values()].some(({ name }) => name === 'Maker')) await deploy('Maker');
    const maker = newest('Maker');
    const { hash, receipt } = await send(maker, '0xc6dad082');
    const made = receipt.logs[0]?.topics[1];
    const place = { implementation: undefined, isRecorded: () => false, edit: truth.get(maker)?.edit };
    if (made) put(`0x${made.slice(26)}`, 'Inner', place);
    lastMade = hash;
  }

  function editScript(): void {
    script = Array.from({ length: 3 + random(3) }, () => NAMES[random(NAMES.length)] ?? 'Token');
  }

  const steps: Readonly<Record<DayStep, () => Promise<void>>> = {
    run,
    'restart and run': async () => {
      await restart();
      await run();
    },
    'restart, edit the script and run': async () => {
      await restart();
      editScript();
      await run();
    },
    restart,
    'edit the script and run': async () => {
      editScript();
      await run();
    },
    'edit the source': async () => {
      edit = random(EDITS);
      await build();
    },
    call,
    upgrade,
    make,
  };
  await build();
  await restart();
  await run();
  return {
    get lastMade() {
      return lastMade;
    },
    truth,
    async next() {
      const name = STEPS[random(STEPS.length)] ?? 'run';
      await steps[name]();
      return name;
    },
    async do(...names) {
      for (const name of names) await steps[name]();
    },
  };
}
