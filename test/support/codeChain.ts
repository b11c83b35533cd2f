import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAnvil } from '../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../localnet/chain/nodeRpc.ts';
import { type Address, createSend } from '../../localnet/chain/transactions.ts';
import { removeFolder } from '../../scripts/support/script.ts';
import { compileSources, linkBytecode, writeProject } from './traces/buildCorpus.ts';
import { deploy } from './traces/sendFailures.ts';
import { writeFiles } from './writeFiles.ts';

const vault = (comment: string, step: number) => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
${comment}
library Math { function half(uint256 value) external pure returns (uint256) { return value / 2; } }
contract Vault {
  address public immutable owner;
  uint256 public immutable cap;
  bool public immutable isOpen = true;
  uint256 public total;
  constructor(address first, uint256 limit) { owner = first; cap = limit; }
  function add(uint256 by) external { total += Math.half(by) + ${step}; }
}
`;

const token = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Token {
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);
  event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
  event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender);
  bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
  bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");
  string public constant symbol = "TKN";
  uint8 public constant decimals = 18;
  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  mapping(bytes32 => mapping(address => bool)) public hasRole;
  constructor() { grantRole(0, msg.sender); grantRole(MINTER_ROLE, msg.sender); }
  function grantRole(bytes32 role, address account) public { hasRole[role][account] = true; emit RoleGranted(role, account, msg.sender); }
  function revokeRole(bytes32 role, address account) external { hasRole[role][account] = false; emit RoleRevoked(role, account, msg.sender); }
  function getRoleAdmin(bytes32) external pure returns (bytes32) { return 0; }
  function mint(address to, uint256 value) external { totalSupply += value; balanceOf[to] += value; emit Transfer(address(0), to, value); }
  function approve(address spender, uint256 value) external { allowance[msg.sender][spender] = value; emit Approval(msg.sender, spender, value); }
  function steal(address from, address to, uint256 value) external { balanceOf[from] -= value; balanceOf[to] += value; }
}
`;

export interface CodeChain {
  readonly url: string;
  /** Of a Hardhat project with the contracts; its labels name the accounts. */
  readonly folder: string;
  /** The vault of the build, one with other comments, and one with other code; its library; the token. */
  readonly contracts: Readonly<Record<'commented' | 'edited' | 'math' | 'token' | 'vault', Address>>;
  readonly accounts: readonly Address[];
  /** Sends a call of the token from the first account, and mines it. */
  call(data: Address): Promise<void>;
  stop(): Promise<void>;
}

/** A chain with deployed vaults and a token, and the project that they are of. */
export async function startCodeChain(): Promise<CodeChain> {
  const anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
  const folder = await mkdtemp(join(tmpdir(), 'chainside-code-'));
  const node = createNodeRpc(anvil.url);
  const accounts = (await node.call('eth_accounts', [])) as readonly Address[];
  const [deployer = '0x'] = accounts;
  const send = createSend(node);
  const compile = (comment: string, step: number) =>
    compileSources(
      { 'src/Vault.sol': { content: vault(comment, step) }, 'src/Token.sol': { content: token } },
      'optimized',
    );
  const [built, commented, edited] = await Promise.all([
    compile('', 1),
    compile('// Another comment.', 1),
    compile('', 2),
  ]);

  const deployCode = async (data: Address) => (await deploy(node, data, deployer)).address;
  const find = ({ bytecodes }: typeof built, name: string) => {
    const code = bytecodes[name];
    if (!code) throw new Error(`No ${name} was compiled.`);
    return code;
  };
  const math = await deployCode(linkBytecode(find(built, 'Math'), {}));
  const args = `${deployer.slice(2).padStart(64, '0')}${(5n * 10n ** 18n).toString(16).padStart(64, '0')}`;
  const deployVault = (of: typeof built) =>
    deployCode(`${linkBytecode(find(of, 'Vault'), { Math: math })}${args}` as Address);
  const contracts = {
    math,
    vault: await deployVault(built),
    commented: await deployVault(commented),
    edited: await deployVault(edited),
    token: await deployCode(linkBytecode(find(built, 'Token'), {})),
  };
  await writeProject(folder, built, 'hardhat2');
  const labels = [
    { address: deployer, name: 'Deployer' },
    { address: accounts[1], name: 'Safe' },
    { address: contracts.math, name: 'MathLib' },
  ];
  await writeFiles(folder, {
    'deployments/local/.chainId': '31337',
    'deployments/local/Vault.json': JSON.stringify({ address: contracts.vault, abi: [] }),
    'deployments/local/Token.json': JSON.stringify({ address: contracts.token, abi: [] }),
    '.chainside/labels.json': JSON.stringify({ labels }),
  });
  return {
    url: anvil.url,
    folder,
    contracts,
    accounts,
    async call(data) {
      await send({ from: deployer, to: contracts.token, data });
      await node.call('evm_mine', []);
    },
    async stop() {
      await anvil.stop();
      await removeFolder(folder);
    },
  };
}
