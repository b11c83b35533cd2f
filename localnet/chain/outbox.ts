import { ContractAddress, Hex } from 'ox';
import * as z from 'zod/mini';
import type { NodeRpc } from './nodeRpc.ts';
import { type Address, createSend, quantity } from './transactions.ts';

const receiptSchema = z.object({
  status: z.string(),
  blockNumber: z.string(),
  logs: z.array(z.object({ address: z.string(), logIndex: z.string() })),
});

/** A transaction that was mined, with what its sender has noted of it. */
export type Mined<Note> = {
  readonly hash: Hex.Hex;
  /** Of the contract that it has created, in lower case, if it was to create one. */
  readonly address: Address;
  readonly note: Note;
  readonly receipt: z.infer<typeof receiptSchema>;
};

/** What one account sends, all of it into one block. */
export type Outbox<Note> = {
  /** Resolves to the address that a contract will have which it creates. */
  send(transaction: { readonly to?: Address; readonly data: Hex.Hex }, note: Note): Promise<Address>;
  /** Mines what was sent since the last time. Throws where something of it failed, or found no room in the block. */
  mine(): Promise<readonly Mined<Note>[]>;
};

/** An outbox of an account without a key, at a node that mines when it is told; nobody else sends from that account. */
export async function createOutbox<Note>(
  node: NodeRpc,
  { from, gas }: { readonly from: Address; readonly gas: bigint },
): Promise<Outbox<Note>> {
  await node.call('anvil_setBalance', [from, quantity(10n ** 20n)]);
  await node.call('anvil_impersonateAccount', [from]);
  const send = createSend(node);
  const waiting: Omit<Mined<Note>, 'receipt'>[] = [];
  let nonce = Hex.toBigInt((await node.call('eth_getTransactionCount', [from, 'latest'])) as Hex.Hex);
  return {
    async send(transaction, note) {
      const hash = await send({ from, gas, ...transaction });
      const address = ContractAddress.fromCreate({ from, nonce: nonce++ }).toLowerCase() as Address;
      waiting.push({ hash, address, note });
      return address;
    },
    async mine() {
      await node.call('evm_mine', []);
      const mined: Mined<Note>[] = [];
      for (const sent of waiting.splice(0)) {
        const found = await node.call('eth_getTransactionReceipt', [sent.hash]);
        const { data: receipt } = receiptSchema.safeParse(found);
        if (receipt?.status !== quantity(1)) {
          throw new Error(`${receipt ? 'failed' : 'not mined'}: ${sent.hash}`);
        }
        mined.push({ ...sent, receipt });
      }
      return mined;
    },
  };
}
