import { createVerifiedRegistry, type VerifiedRegistry } from '../../localnet/verified/registry.ts';
import type { Address } from '../../src/core/index.ts';

interface Verified {
  readonly chainId: number;
  readonly address: Address;
  readonly name: string;
  readonly abi: readonly unknown[];
  /** Texts by their paths; the contract is in the first. */
  readonly sources?: Readonly<Record<string, string>>;
}

/** What a service knows of which this contract is verified. */
export function verifiedOf({ chainId, address, name, abi, sources = {} }: Verified): VerifiedRegistry {
  const registry = createVerifiedRegistry();
  const [first = `${name}.sol`] = Object.keys(sources);
  registry.add({
    ...{ chainId, address, isExact: true, code: '0x6001', deployment: null },
    contract: {
      ...{ name, abi, fullyQualifiedName: `${first}:${name}`, storageLayout: null, bytecode: '0x6001' },
      ...{ compilerVersion: '0.8.28', settings: {} },
      sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
    },
  });
  return registry;
}
