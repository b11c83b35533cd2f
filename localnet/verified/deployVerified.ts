import { AbiConstructor, AbiFunction, Address, Hash, Hex } from 'ox';
import type { NodeRpc } from '../chain/nodeRpc.ts';
import { createOutbox } from '../chain/outbox.ts';
import { type CompiledContract, compileVerified } from './compileVerified.ts';
import type { VerifiedRecord, VerifiedRegistry } from './registry.ts';

/** Where the contracts are whose sources are verified, and those that look like them. All in lower case. */
export type VerifiedDeployment = {
  /** Exactly verified. */
  readonly harbor: Hex.Hex;
  /** The same code as `harbor`, verified by nobody. */
  readonly twin: Hex.Hex;
  /** Verified, its metadata apart. */
  readonly berths: Hex.Hex;
  /** Verified; its code is another since. */
  readonly changed: Hex.Hex;
  /** A proxy of EIP-1967 to `harbor`, exactly verified. */
  readonly gate: Hex.Hex;
  /** A minimal proxy to `harbor`, verified by nobody. */
  readonly clone: Hex.Hex;
  /** A diamond of `harbor` and thirty facets more, of which `berths` alone is verified. */
  readonly quarry: Hex.Hex;
  /** A contract with code that nobody has verified. */
  readonly hidden: Hex.Hex;
  readonly account: Hex.Hex;
  readonly contracts: ReadonlyMap<string, CompiledContract>;
};

/** What is known of a contract before it is there. */
type Verified = Pick<VerifiedRecord, 'contract' | 'isExact'>;

const constructors = {
  gate: AbiConstructor.from('constructor(address implementation)'),
  quarry: AbiConstructor.from('constructor(address[] facets)'),
};
export const dock = AbiFunction.from('function dock(uint256 berth, uint256 fee, string cargo)');

/**
 * Deploys contracts from an account of its own on top of a node that mines when it is told, in one block, puts into the
 * registry which of them are verified, and lets them emit in the next.
 */
export async function deployVerified(
  node: NodeRpc,
  { registry, chainId }: { readonly registry: VerifiedRegistry; readonly chainId: number },
): Promise<VerifiedDeployment> {
  const contracts = await compileVerified();
  const account = Hex.slice(Hash.keccak256(Hex.fromString('chainside verified')), 12);
  const outbox = await createOutbox<Verified | undefined>(node, { from: account, gas: 5_000_000n });

  const compiled = (name: string): CompiledContract => {
    const contract = contracts.get(name);
    if (!contract) throw new Error(`${name} was not compiled`);
    return contract;
  };
  const deploy = (data: Hex.Hex) => outbox.send({ data }, undefined);
  const verify = (contract: CompiledContract, data: Hex.Hex, isExact = true) =>
    outbox.send({ data }, { contract, isExact });
  const mine = async () => {
    for (const { hash, address, note: verified, receipt } of await outbox.mine()) {
      if (!verified) continue;
      const code = (await node.call('eth_getCode', [address, 'latest'])) as Hex.Hex;
      const deployment = {
        transactionHash: hash,
        blockNumber: Number(receipt.blockNumber),
        deployer: account,
      };
      registry.add({ chainId, address, code, ...verified, deployment });
    }
  };

  const [harborCode, berthsCode] = [compiled('Harbor'), compiled('Berths')];
  const [gateCode, quarryCode] = [compiled('Gate'), compiled('Quarry')];

  const harbor = await verify(harborCode, harborCode.bytecode);
  const twin = await deploy(harborCode.bytecode);
  const berths = await verify(berthsCode, berthsCode.bytecode, false);
  const changed = await verify(berthsCode, berthsCode.bytecode);
  const gate = await verify(
    gateCode,
    AbiConstructor.encode(constructors.gate, { bytecode: gateCode.bytecode, args: [harbor] }),
  );
  const clone = await deploy(minimalProxyTo(harbor));
  const facets = [harbor, berths, ...Array.from({ length: 29 }, (_, i) => facetAddress(i))];
  const quarry = await verify(
    quarryCode,
    AbiConstructor.encode(constructors.quarry, {
      bytecode: quarryCode.bytecode,
      args: [facets.map((facet) => Address.checksum(facet))],
    }),
  );
  const hidden = await deploy(deploymentOf('0x60006000a000'));
  await mine();
  await node.call('anvil_setCode', [changed, '0x6001600255']);

  const data = (berth: bigint) => AbiFunction.encodeData(dock, [berth, 7n, 'salt']);
  for (const to of [harbor, twin, gate, clone, quarry]) await outbox.send({ to, data: data(3n) }, undefined);
  await outbox.send({ to: hidden, data: '0x' }, undefined);
  await mine();
  await node.call('anvil_stopImpersonatingAccount', [account]);
  return { harbor, twin, berths, changed, gate, clone, quarry, hidden, account, contracts };
}

/** Creation code of EIP-1167. */
function minimalProxyTo(implementation: Hex.Hex): Hex.Hex {
  const runtime: Hex.Hex = `0x363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`;
  return deploymentOf(runtime);
}

/** What returns `runtime`, of less than 256 bytes, as the code of a contract. */
function deploymentOf(runtime: Hex.Hex): Hex.Hex {
  const size = Hex.size(runtime).toString(16).padStart(2, '0');
  return `0x60${size}600c60003960${size}6000f3${runtime.slice(2)}`;
}

function facetAddress(index: number): Hex.Hex {
  return Hex.slice(Hash.keccak256(Hex.fromString(`chainside facet ${index}`)), 12);
}
