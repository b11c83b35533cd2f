import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFunctionData } from 'viem';
import { startAnvil } from '../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../localnet/chain/nodeRpc.ts';
import { compileSolidity } from '../../localnet/chain/solidity.ts';
import { type Address, createSend } from '../../localnet/chain/transactions.ts';
import { removeFolder } from '../../scripts/support/script.ts';
import { writeFiles } from './writeFiles.ts';

/** `amount` has a unit in its doc comment, `fee`, `reserve` and what `total` returns have none. */
export const vaultSource = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Pebble {
  string public symbol = "PBL";
  uint8 public decimals = 6;
}

contract Vault {
  /// @custom:unit amount PBL
  event Deposited(address indexed from, uint256 amount, uint256 fee);

  /// @custom:unit given PBL
  error TooMuch(uint256 given);

  uint256 public total;
  /// @custom:unit PBL
  uint256 public limit = 5000000000;

  /// @custom:unit amount PBL
  function deposit(uint256 amount, uint256 fee) external {
    if (amount > limit) revert TooMuch(amount);
    total += amount;
    emit Deposited(msg.sender, amount, fee);
  }
}
`;

export interface VaultChain {
  readonly url: string;
  /** Of a Foundry project with the contracts and their deployments. */
  readonly folder: string;
  readonly token: Address;
  readonly vault: Address;
  /** The hashes of the deposits, of which the last failed. */
  readonly deposits: readonly string[];
  /** Replaces the units in the labels of the project. */
  writeUnits(units: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

/** A chain with a token, and a vault with deposits of 1,250, 3,000.5 and 0.25 tokens, and one above its limit. */
export async function startVaultChain(): Promise<VaultChain> {
  const anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
  const node = createNodeRpc(anvil.url);
  const compiled = await compileSolidity({ 'Vault.sol': { content: vaultSource } }, [
    'abi',
    'evm.bytecode.object',
  ]);
  const find = (name: string) => compiled.contracts.find((one) => one.name === name) ?? assert.fail(name);
  const [deployer] = (await node.call('eth_accounts', [])) as [Address];
  const send = createSend(node);
  const mine = () => node.call('evm_mine', []);
  const deploy = async (name: string) => {
    const hash = await send({ from: deployer, data: find(name).bytecode as Address });
    await mine();
    return ((await node.call('eth_getTransactionReceipt', [hash])) as { contractAddress: Address })
      .contractAddress;
  };
  const [token, vault] = [await deploy('Pebble'), await deploy('Vault')];
  const deposits: string[] = [];
  for (const [amount, fee] of [
    [1_250_000_000n, 50n],
    [3_000_500_000n, 25n],
    [250_000n, 0n],
    [6_000_000_000n, 0n],
  ] as const) {
    const args = [amount, fee];
    const data = encodeFunctionData({
      abi: find('Vault').abi as never,
      functionName: 'deposit',
      args,
    } as never);
    deposits.push(await send({ from: deployer, to: vault, data, gas: 200_000n }));
    await mine();
  }
  const folder = await mkdtemp(join(tmpdir(), 'chainside-vault-'));
  const files: Record<string, object | string> = {
    'foundry.toml': '[profile.default]\nsrc = "src"\nout = "out"\n',
    'src/Vault.sol': vaultSource,
    'deployments/local/.chainId': '31337',
  };
  for (const [name, address] of [
    ['Pebble', token],
    ['Vault', vault],
  ] as const) {
    const { abi, bytecode } = find(name);
    files[`out/Vault.sol/${name}.json`] = { abi, bytecode: { object: bytecode } };
    files[`deployments/local/${name}.json`] = { address, abi };
  }
  await writeFiles(folder, files);
  return {
    ...{ url: anvil.url, folder, token, vault, deposits },
    writeUnits: (units) => writeFiles(folder, { '.chainside/labels.json': { labels: [], units } }),
    async stop() {
      await anvil.stop();
      await removeFolder(folder);
    },
  };
}
