import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFunctionData } from 'viem';
import { startAnvil } from '../../localnet/chain/anvil.ts';
import { createNodeRpc, type NodeRpc } from '../../localnet/chain/nodeRpc.ts';
import { compileSolidity } from '../../localnet/chain/solidity.ts';
import { type Address, createSend } from '../../localnet/chain/transactions.ts';
import { removeFolder } from '../../scripts/support/script.ts';
import { ledgerSource } from './ledger.ts';
import { writeFiles } from './writeFiles.ts';

interface LedgerContracts {
  readonly ledger: Address;
  readonly proxy: Address;
  readonly stranger: Address;
  /** A ledger that no file of the project names. */
  readonly unlisted: Address;
  readonly deployer: Address;
}

export interface LedgerChain {
  readonly url: string;
  /** Of a Foundry project with the contracts and their deployments. */
  readonly folder: string;
  readonly contracts: LedgerContracts;
  stop(): Promise<void>;
}

/** A chain of five blocks with a ledger and a proxy of it, and their project. */
export async function startLedgerChain(): Promise<LedgerChain> {
  const anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
  const folder = await mkdtemp(join(tmpdir(), 'chainside-ledger-'));
  const contracts = await prepare(createNodeRpc(anvil.url), folder);
  return {
    url: anvil.url,
    folder,
    contracts,
    async stop() {
      await anvil.stop();
      await removeFolder(folder);
    },
  };
}

/** Block 1 deploys, block 2 and 3 add 5 and 7, block 4 upgrades the proxy. */
async function prepare(node: NodeRpc, folder: string): Promise<LedgerContracts> {
  const compiled = await compileSolidity({ 'Ledger.sol': { content: ledgerSource } }, [
    'abi',
    'evm.bytecode.object',
  ]);
  const find = (name: string) => compiled.contracts.find((one) => one.name === name) ?? assert.fail(name);
  const [deployer] = (await node.call('eth_accounts', [])) as [Address];
  const send = createSend(node);
  const mine = () => node.call('evm_mine', []);
  const addressOf = async (hash: string) =>
    ((await node.call('eth_getTransactionReceipt', [hash])) as { contractAddress: Address }).contractAddress;
  const deploy = (name: string, argument = '') =>
    send({ from: deployer, data: `${find(name).bytecode}${argument}` as Address });
  const hashes = [await deploy('Ledger'), await deploy('NewLedger'), await deploy('Ledger')];
  await mine();
  const [ledger, newLedger, unlisted] = (await Promise.all(hashes.map(addressOf))) as [
    Address,
    Address,
    Address,
  ];
  const abi = find('Ledger').abi as never;
  const add = (by: bigint) =>
    send({
      from: deployer,
      to: ledger,
      data: encodeFunctionData({ abi, functionName: 'add', args: [by] } as never),
    });
  await add(5n);
  const proxied = await deploy('Proxy', ledger.slice(2).padStart(64, '0'));
  await mine();
  await add(7n);
  await mine();
  const proxy = await addressOf(proxied);
  const upgrade = encodeFunctionData({
    abi: find('Proxy').abi as never,
    functionName: 'set',
    args: [newLedger],
  } as never);
  await send({ from: deployer, to: proxy, data: upgrade });
  await mine();
  await mine();
  const deployments = { Ledger: ledger, NewLedger: newLedger };
  const artifacts = ['Ledger', 'NewLedger'].map((name) => {
    const { abi: ofName, bytecode } = find(name);
    return [`out/Ledger.sol/${name}.json`, { abi: ofName, bytecode: { object: bytecode } }] as const;
  });
  const files: Readonly<Record<string, string | object>> = {
    'foundry.toml': '[profile.default]\nsrc = "src"\nout = "out"\n',
    'src/Ledger.sol': ledgerSource,
    'deployments/local/.chainId': '31337',
    ...Object.fromEntries(artifacts),
    ...Object.fromEntries(
      Object.entries(deployments).map(([name, address]) => [
        `deployments/local/${name}.json`,
        { address, abi: find(name).abi },
      ]),
    ),
    '.chainside/labels.json': {
      labels: [
        { address: deployer, name: 'Deployer' },
        { address: proxy, name: 'LedgerProxy' },
      ],
    },
  };
  const texts = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'string' ? content : JSON.stringify(content),
  ]);
  await writeFiles(folder, Object.fromEntries(texts));
  return { ledger, proxy, stranger: newLedger, unlisted, deployer };
}
