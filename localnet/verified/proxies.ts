import { AbiFunction, type Hex } from 'ox';

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

export type FoundProxy = {
  readonly kind: 'eip1167' | 'eip1967' | 'eip2535';
  readonly leads: readonly Hex.Hex[];
};

const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const minimalProxy = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/;
const facetAddresses = AbiFunction.from('function facetAddresses() view returns (address[])');

/** Where the contract at an address leads by the chain as it is: a minimal proxy, the slot of EIP-1967, a diamond. */
export async function findProxy(ask: Ask, address: Hex.Hex): Promise<FoundProxy | undefined> {
  const code = await ask('eth_getCode', [address, 'latest']);
  const [, target] = typeof code === 'string' ? (minimalProxy.exec(code) ?? []) : [];
  if (target !== undefined) return { kind: 'eip1167', leads: [`0x${target}`] };

  const slot = await ask('eth_getStorageAt', [address, implementationSlot, 'latest']);
  if (typeof slot === 'string' && BigInt(slot) !== 0n) {
    return { kind: 'eip1967', leads: [`0x${slot.slice(-40)}`] };
  }
  const call = { to: address, data: AbiFunction.encodeData(facetAddresses) };
  const facets = await ask('eth_call', [call, 'latest']);
  try {
    const leads = AbiFunction.decodeResult(facetAddresses, facets as Hex.Hex);
    return leads.length > 0 ? { kind: 'eip2535', leads } : undefined;
  } catch {
    return undefined;
  }
}
