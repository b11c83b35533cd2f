import * as z from 'zod/mini';
import type { ContractAsker } from '../rpc/contractAsker.ts';
import type { Address } from '../values/address.ts';
import { parseAddress } from '../values/address.ts';
import { type Hex, parseHexData, parseQuantity } from '../values/hex.ts';
import type { Creation } from './identity.ts';

const Creator = z.object({ hash: z.string(), creator: z.string() });
const Transaction = z.object({ blockNumber: z.string() });

/** Who made a contract, and in which transaction. */
interface Created {
  readonly transaction: Hex;
  readonly deployer: Address | undefined;
}

/**
 * Asks by `ots_getContractCreator` of the Otterscan namespace (erigon, reth, anvil) how a contract came to be.
 *
 * @returns `none` where the node knows of no such transaction, as of the genesis block; undefined where it does not
 *   tell.
 * @throws AppError as the asker's questions do.
 */
export async function askCreator(
  ask: ContractAsker,
  contract: Address,
): Promise<Created | 'none' | undefined> {
  const answer = await ask.method('ots_getContractCreator', [contract]);
  if (answer.state !== 'told') return undefined;
  if (answer.value === null) return 'none';
  const { hash, creator } = Creator.safeParse(answer.value).data ?? {};
  const transaction = parseHexData(hash, 32);
  return transaction && { transaction, deployer: parseAddress(creator) };
}

/**
 * The block of the transaction that made a contract, by `eth_getTransactionByHash`.
 *
 * @throws AppError as the asker's questions do.
 */
export async function askCreationBlock(
  ask: ContractAsker,
  created: Omit<Creation, 'block'>,
): Promise<Creation> {
  if (created.transaction === undefined) return { ...created, block: undefined };
  const answer = await ask.method('eth_getTransactionByHash', [created.transaction]);
  const found = answer.state === 'told' ? Transaction.safeParse(answer.value).data : undefined;
  return { ...created, block: parseQuantity(found?.blockNumber) };
}
