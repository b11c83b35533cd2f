import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AbiParameters } from 'ox';
import { type Anvil, startAnvil } from '../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../localnet/chain/nodeRpc.ts';
import { compileSolidity } from '../../localnet/chain/solidity.ts';
import { type Address, createSend } from '../../localnet/chain/transactions.ts';

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\n';
const SOURCES = {
  'src/Vault.sol': `${HEAD}contract Vault {
    error TooMuch(uint256 amount, uint256 most);

    function fee() external pure returns (uint256) { return 50; }
    function legacy() external pure returns (uint256) { return 7; }
    function withdraw(uint256 amount) external pure { if (amount > 5) revert TooMuch(amount, 5); }
}
`,
  'src/VaultV2.sol': `${HEAD}contract VaultV2 {
    error TooMuch(uint256 amount, uint256 most);

    function fee() external pure returns (uint256) { return 60; }
    function paused() external pure returns (bool) { return true; }
    function withdraw(uint256 amount) external pure { if (amount > 9) revert TooMuch(amount, 9); }
}
`,
  'src/VaultProxy.sol': `${HEAD}contract VaultProxy {
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    event Upgraded(address indexed implementation);

    constructor(address code) { upgradeTo(code); }

    function upgradeTo(address code) public {
        assembly { sstore(SLOT, code) }
        emit Upgraded(code);
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
`,
};

const sender: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

export type VaultName = 'Vault' | 'VaultV2' | 'VaultProxy';

/** A proxy on a chain of its own: it runs Vault from `created` on, and VaultV2 from `upgraded` on. */
export interface UpgradedVault {
  readonly url: string;
  readonly addresses: Readonly<Record<VaultName, Address>>;
  readonly created: number;
  readonly upgraded: number;
  /** A withdrawal that fails in Vault, and one that fails in VaultV2. */
  readonly failed: Readonly<Record<'Vault' | 'VaultV2', `0x${string}`>>;
  /** Writes a project with the source, the three deployments and nothing else. */
  writeProject(folder: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startUpgradedVault(): Promise<UpgradedVault> {
  const { contracts } = await compileSolidity(
    Object.fromEntries(Object.entries(SOURCES).map(([path, content]) => [path, { content }])),
    ['abi', 'evm.bytecode.object', 'evm.methodIdentifiers'],
  );
  const anvil: Anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
  const node = createNodeRpc(anvil.url);
  const send = createSend(node);
  const find = (name: VaultName) => {
    const found = contracts.find((contract) => contract.name === name);
    if (!found) throw new Error(`${name} was not compiled.`);
    return found;
  };
  const mine = async (transaction: Parameters<typeof send>[0]) => {
    const hash = await send(transaction);
    await node.call('evm_mine', []);
    return { hash, receipt: (await node.call('eth_getTransactionReceipt', [hash])) as Receipt };
  };
  const deploy = async (name: VaultName, argument = '') => {
    const data = `${find(name).bytecode}${argument}` as `0x${string}`;
    return (await mine({ from: sender, data, gas: 3_000_000n })).receipt;
  };
  const encode = (address: Address) => AbiParameters.encode([{ type: 'address' }], [address]).slice(2);
  const [vault, second] = [await deploy('Vault'), await deploy('VaultV2')];
  const proxy = await deploy('VaultProxy', encode(vault.contractAddress));
  const call = (data: string) =>
    mine({ from: sender, to: proxy.contractAddress, data: data as `0x${string}`, gas: 300_000n });
  const withdraw = `0x2e1a7d4d${(10).toString(16).padStart(64, '0')}`;
  const before = await call(withdraw);
  const upgrade = await call(`0x3659cfe6${encode(second.contractAddress)}`);
  const after = await call(withdraw);
  const addresses = {
    Vault: vault.contractAddress,
    VaultV2: second.contractAddress,
    VaultProxy: proxy.contractAddress,
  };
  return {
    url: anvil.url,
    addresses,
    created: Number(proxy.blockNumber),
    upgraded: Number(upgrade.receipt.blockNumber),
    failed: { Vault: before.hash, VaultV2: after.hash },
    async writeProject(folder) {
      const files = {
        ...SOURCES,
        'deployments/local/.chainId': '31337',
        ...Object.fromEntries(
          Object.entries(addresses).map(([name, address]) => [
            `deployments/local/${name}.json`,
            JSON.stringify({ address, abi: find(name as VaultName).abi }),
          ]),
        ),
      };
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), content);
      }
    },
    stop: () => anvil.stop(),
  };
}

interface Receipt {
  readonly contractAddress: Address;
  readonly blockNumber: string;
}
