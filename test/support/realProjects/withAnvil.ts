import { startAnvil } from '../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';

/** A node with nothing on it, which mines each transaction at once, for as long as `work` takes. */
export async function withAnvil(work: (url: string) => Promise<void>): Promise<void> {
  const anvil = await startAnvil({ port: 0, genesisTime: Date.UTC(2026, 0, 5) / 1000 });
  try {
    await createNodeRpc(anvil.url).call('evm_setAutomine', [true]);
    await work(anvil.url);
  } finally {
    await anvil.stop();
  }
}
