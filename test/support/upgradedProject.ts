import type { UpgradedContracts } from '../../localnet/upgrades/upgradedContracts.ts';

interface Without {
  /** Contracts whose artifacts are not there. */
  readonly artifacts?: readonly string[];
  /** Contracts whose deployments are not told. */
  readonly deployments?: readonly string[];
}

/** The files of a Foundry project that has built and deployed these contracts, by their paths. */
export function upgradedProject(
  { artifacts, deployed }: UpgradedContracts,
  without: Without = {},
): Readonly<Record<string, string>> {
  const files: Record<string, string> = { 'foundry.toml': '[profile.default]\nsrc = "src"\nout = "out"\n' };
  for (const [name, { source, abi, bytecode }] of Object.entries(artifacts)) {
    if (without.artifacts?.includes(name)) continue;
    const metadata = { settings: { compilationTarget: { [`src/${source}`]: name } } };
    files[`out/${source}/${name}.json`] = JSON.stringify({ abi, bytecode: { object: bytecode }, metadata });
  }
  const told = deployed.filter(({ name }) => !without.deployments?.includes(name));
  files['broadcast/Deploy.s.sol/31337/run-latest.json'] = JSON.stringify({
    transactions: told.map(({ name, address, transaction }) => ({
      ...{ hash: transaction, transactionType: 'CREATE', contractName: name, contractAddress: address },
    })),
    receipts: told.map(({ address, block, transaction }) => ({
      ...{ status: '0x1', transactionHash: transaction, contractAddress: address },
      blockNumber: `0x${block.toString(16)}`,
    })),
    chain: 31337,
  });
  return files;
}
