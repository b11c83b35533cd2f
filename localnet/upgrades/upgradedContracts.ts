import { AbiFunction, AbiParameters, Hex } from 'ox';
import { type Artifacts, compileFolder } from '../chain/compile.ts';
import type { NodeRpc } from '../chain/nodeRpc.ts';
import { createOutbox, type Mined } from '../chain/outbox.ts';
import type { Address } from '../chain/transactions.ts';

/** A contract that was deployed, and where. */
export type DeployedContract = {
  readonly name: string;
  readonly address: Address;
  readonly block: bigint;
  readonly transaction: Hex.Hex;
};

/** A call, and the contracts whose code emits its logs, in order. */
type Step = { readonly to: Address; readonly data: Hex.Hex; readonly emits: readonly string[] };

/** What happens to a contract, block by block. */
type Story = readonly (readonly Step[])[];

/** Which contract a transaction creates, if any, and whose code emits its logs. */
type Sent = { readonly creates?: string; readonly emits: readonly string[] };

/** Which contract's code emitted the log at a place. */
export type EmittedBy = {
  readonly block: bigint;
  readonly logIndex: number;
  readonly address: Address;
  readonly contract: string;
};

export type UpgradedContracts = {
  readonly artifacts: Artifacts;
  readonly deployed: readonly DeployedContract[];
  /** The contracts that were upgraded, by what they are. */
  readonly proxies: Readonly<Record<ProxyName, Address>>;
  /** Every log of all these contracts, as the receipts of the node have them. */
  readonly truth: readonly EmittedBy[];
};

export const proxyNames = ['vault', 'ledger', 'sharesA', 'sharesB', 'market', 'wallet', 'rolling'] as const;
export type ProxyName = (typeof proxyNames)[number];

const OWNER: Address = `0x${'00c0ffee'.repeat(5)}`;
const TOKEN: Address = `0x${'7a'.repeat(20)}`;

const act = AbiFunction.from('function act(address who, uint256 amount)');
const note = AbiFunction.from('function note(address about, uint256 number)');
const upgradeToAndCall = AbiFunction.from('function upgradeToAndCall(address implementation, bytes data)');
const upgradeTo = AbiFunction.from('function upgradeTo(address implementation)');
const changeMasterCopy = AbiFunction.from('function changeMasterCopy(address masterCopy)');
const run = AbiFunction.from('function run(address[] targets, bytes[] calls)');
const open = AbiFunction.from('function open(uint256 number)');
const diamondCut = AbiFunction.from(
  'function diamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] cuts, address init, bytes data)',
);
const CUTS = AbiParameters.from('(address facetAddress, uint8 action, bytes4[] functionSelectors)[] cuts');
const ADD = 0;
const REPLACE = 1;
const REMOVE = 2;
const NOBODY: Address = `0x${'0'.repeat(40)}`;

/**
 * Puts contracts on a running node that were upgraded in every way that logs tell of, by an account of their own: each
 * version emits before and after, in one block and in one transaction too. All are made in one block; what happens to
 * one of them goes on beside what happens to the others.
 */
export async function deployUpgrades(node: NodeRpc): Promise<UpgradedContracts> {
  const artifacts = await compileFolder('upgrades');
  const { deploy, send, mine, ...told } = await createSender(node, artifacts);

  const several = await deploy('Several');
  const vaults = [await deploy('VaultV1'), await deploy('VaultV2'), await deploy('VaultV3')] as const;
  const ledgers = [await deploy('LedgerV1'), await deploy('LedgerV2'), await deploy('LedgerV3')] as const;
  const shares = [await deploy('SharesV1'), await deploy('SharesV2')] as const;
  const trades = [await deploy('TradeFacetV1'), await deploy('TradeFacetV2')] as const;
  const notes = await deploy('NoteFacet');
  const init = await deploy('MarketInit');
  const wallets = [await deploy('WalletV1'), await deploy('WalletV2')] as const;
  const rollings = [await deploy('RollingV1'), await deploy('RollingV2')] as const;
  const beacon = await deploy('SharesBeacon', addressArgument(shares[0]), ['SharesBeacon']);
  const proxies: Record<ProxyName, Address> = {
    vault: await deploy('VaultProxy', addressArgument(vaults[0]), ['VaultProxy']),
    ledger: await deploy('OldLedgerProxy', addressArgument(ledgers[0])),
    sharesA: await deploy('SharesProxy', addressArgument(beacon), ['SharesProxy']),
    sharesB: await deploy('SharesProxy', addressArgument(beacon), ['SharesProxy']),
    market: await deploy('Market', AbiParameters.encode(CUTS, [[cut(trades[0], ADD, [act])]]), ['Market']),
    wallet: await deploy('WalletProxy', addressArgument(wallets[0])),
    rolling: await deploy('VaultProxy', addressArgument(rollings[0]), ['VaultProxy']),
  };

  const emit = (to: Address, version: string, amount: bigint): Step => ({
    to,
    data: AbiFunction.encodeData(act, [TOKEN, amount]),
    emits: version.startsWith('Vault') ? [version, version, version] : [version],
  });
  const upgrade = (
    to: Address,
    code: Address,
    by: string,
    then?: { data: Hex.Hex; emits: string[] },
  ): Step => ({
    to,
    data: AbiFunction.encodeData(upgradeToAndCall, [code, then?.data ?? '0x']),
    emits: [by, ...(then?.emits ?? [])],
  });
  const actData = (amount: bigint) => AbiFunction.encodeData(act, [TOKEN, amount]);
  const { vault, ledger, sharesA, sharesB, market, wallet, rolling } = proxies;

  const vaultStory: Story = [
    // Each version in a block of its own.
    [emit(vault, 'VaultV1', 11n)],
    [upgrade(vault, vaults[1], 'VaultV1', { data: actData(12n), emits: Array(3).fill('VaultV2') })],
    [emit(vault, 'VaultV2', 13n)],
    // Before, between and behind two upgrades, in one block; then all of it in one transaction.
    [
      emit(vault, 'VaultV2', 14n),
      upgrade(vault, vaults[0], 'VaultV2'),
      emit(vault, 'VaultV1', 15n),
      upgrade(vault, vaults[2], 'VaultV1'),
      emit(vault, 'VaultV3', 16n),
    ],
    [
      together(several, [
        emit(vault, 'VaultV3', 17n),
        upgrade(vault, vaults[1], 'VaultV3'),
        emit(vault, 'VaultV2', 18n),
        upgrade(vault, vaults[2], 'VaultV2'),
        emit(vault, 'VaultV3', 19n),
      ]),
    ],
    [emit(vault, 'VaultV3', 20n)],
  ];
  const upgradeLedger = (code: Address): Step => ({
    to: ledger,
    data: AbiFunction.encodeData(upgradeTo, [code]),
    emits: ['OldLedgerProxy'],
  });
  const ledgerStory: Story = [
    [emit(ledger, 'LedgerV1', 21n)],
    [emit(ledger, 'LedgerV1', 22n), upgradeLedger(ledgers[1]), emit(ledger, 'LedgerV2', 23n)],
    [emit(ledger, 'LedgerV2', 24n), upgradeLedger(ledgers[2]), emit(ledger, 'LedgerV3', 25n)],
  ];
  const upgradeShares: Step = {
    to: beacon,
    data: AbiFunction.encodeData(upgradeTo, [shares[1]]),
    emits: ['SharesBeacon'],
  };
  const sharesStory: Story = [
    [emit(sharesA, 'SharesV1', 31n), emit(sharesB, 'SharesV1', 32n)],
    [emit(sharesA, 'SharesV1', 33n), upgradeShares, emit(sharesB, 'SharesV2', 34n)],
    [emit(sharesA, 'SharesV2', 35n), emit(sharesB, 'SharesV2', 36n)],
  ];
  const cutMarket = (cuts: readonly Cut[], then?: { data: Hex.Hex; emits: string[] }): Step => ({
    to: market,
    data: AbiFunction.encodeData(diamondCut, [cuts, then ? init : NOBODY, then?.data ?? '0x']),
    emits: ['Market', ...(then?.emits ?? [])],
  });
  const noted: Step = {
    to: market,
    data: AbiFunction.encodeData(note, [TOKEN, 43n]),
    emits: ['NoteFacet'],
  };
  const marketStory: Story = [
    [emit(market, 'TradeFacetV1', 41n)],
    [
      emit(market, 'TradeFacetV1', 42n),
      cutMarket([cut(trades[1], REPLACE, [act]), cut(notes, ADD, [note])], {
        data: AbiFunction.encodeData(open, [7n]),
        emits: ['MarketInit'],
      }),
      noted,
      emit(market, 'TradeFacetV2', 44n),
    ],
    [noted, cutMarket([cut(NOBODY, REMOVE, [note])]), emit(market, 'TradeFacetV2', 45n)],
  ];
  const changeWallet: Step = {
    to: wallet,
    data: AbiFunction.encodeData(changeMasterCopy, [wallets[1]]),
    emits: ['WalletV1'],
  };
  const walletStory: Story = [
    [emit(wallet, 'WalletV1', 51n)],
    [emit(wallet, 'WalletV1', 52n), changeWallet, emit(wallet, 'WalletV2', 53n)],
  ];
  const rollingStory: Story = [
    [emit(rolling, 'RollingV1', 61n)],
    [
      {
        to: rolling,
        data: AbiFunction.encodeData(upgradeToAndCall, [rollings[1], actData(62n)]),
        emits: ['RollingV2', 'RollingV1'],
      },
    ],
    [emit(rolling, 'RollingV2', 63n)],
  ];

  const stories = [vaultStory, ledgerStory, sharesStory, marketStory, walletStory, rollingStory];
  await mine();
  for (let block = 0; block < vaultStory.length; block++) {
    for (const story of stories) await send(story[block] ?? []);
    await mine();
  }
  await node.call('anvil_stopImpersonatingAccount', [OWNER]);
  return { artifacts, proxies, ...told };
}

type Cut = {
  readonly facetAddress: Address;
  readonly action: number;
  readonly functionSelectors: readonly Hex.Hex[];
};

function cut(facetAddress: Address, action: number, functions: readonly AbiFunction.AbiFunction[]): Cut {
  return { facetAddress, action, functionSelectors: functions.map((one) => AbiFunction.getSelector(one)) };
}

function addressArgument(address: Address): Hex.Hex {
  return AbiParameters.encode(AbiParameters.from('address'), [address]);
}

function together(several: Address, steps: readonly Step[]): Step {
  const data = AbiFunction.encodeData(run, [steps.map(({ to }) => to), steps.map((step) => step.data)]);
  return { to: several, data, emits: steps.flatMap(({ emits }) => emits) };
}

/** Sends transactions, mines what was sent when told to, and then notes which contract emitted what. */
async function createSender(node: NodeRpc, artifacts: Artifacts) {
  const outbox = await createOutbox<Sent>(node, { from: OWNER, gas: 6_000_000n });
  const deployed: DeployedContract[] = [];
  const truth: EmittedBy[] = [];

  function tell({ hash, address, note: { creates, emits }, receipt: { blockNumber, logs } }: Mined<Sent>) {
    if (logs.length !== emits.length) throw new Error(`${logs.length} logs in ${hash}`);
    const block = BigInt(blockNumber);
    if (creates !== undefined) deployed.push({ name: creates, address, block, transaction: hash });
    for (const [index, log] of logs.entries()) {
      const contract = emits[index] ?? '';
      truth.push({ block, logIndex: Number(log.logIndex), address: log.address as Address, contract });
    }
  }

  return {
    deployed,
    truth,
    deploy(creates: string, args: Hex.Hex = '0x', emits: readonly string[] = []): Promise<Address> {
      const artifact = artifacts[creates];
      if (!artifact) throw new Error(`${creates} was not compiled`);
      return outbox.send({ data: Hex.concat(artifact.bytecode, args) }, { creates, emits });
    },
    async send(steps: readonly Step[]): Promise<void> {
      for (const { to, data, emits } of steps) await outbox.send({ to, data }, { emits });
    },
    async mine(): Promise<void> {
      for (const mined of await outbox.mine()) tell(mined);
    },
  };
}
