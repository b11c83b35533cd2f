import { startSignatures } from '../../localnet/signatures/server.ts';
import { startSourcify } from '../../localnet/sourcify/server.ts';
import type { Localnet } from '../../localnet/start.ts';

/** Who tells of what is verified on a local network, beside its explorer; `chains` are further ones of Sourcify. */
export async function startVerificationServers(
  { node, verified: registry, chain: { chainId } }: Pick<Localnet, 'node' | 'verified' | 'chain'>,
  chains: readonly string[] = [],
) {
  const ask = (method: string, params: readonly unknown[]) =>
    node.call(method, params).catch(() => undefined);
  return {
    sourcify: await startSourcify({ registry, ask, chainId, chains }),
    signatures: await startSignatures({ registry }),
  };
}
