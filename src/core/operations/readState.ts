import { mergeAbiResolvers } from '../abi/lookup.ts';
import type { Address } from '../eth/hex.ts';
import { fetchReadBlock } from '../reads/readBlock.ts';
import { type ReadResult, readContract } from '../reads/readContract.ts';
import type { OperationDeps, OperationOptions } from './operation.ts';
import { createNameBook, resolveAddress } from './resolveEvents.ts';

/** A call of a view function, with names in place of addresses. */
export interface WrittenRead {
  readonly address: string;
  readonly function: string;
  readonly args: readonly unknown[];
  /** As `fetchReadBlock` reads it; default: the latest. */
  readonly block?: string | number | undefined;
}

/**
 * Reads a view function of a contract, with what the projects and allowed providers know.
 *
 * @throws AppError `badInput` for `address`, `function`, `args…` or `block`; otherwise as {@link readContract} does.
 */
export async function readState(
  { address: text, function: written, args, block = 'latest' }: WrittenRead,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<ReadResult> {
  const { client, clock } = deps;
  const [chainId, knowledge] = await Promise.all([deps.chainId(options), deps.knowledge(options)]);
  const nameBook = createNameBook(knowledge, chainId);
  const resolve = (name: string, field: string): Address => resolveAddress(name, nameBook, field);
  const address = resolve(text, 'address');
  const { index, code, lookup } = knowledge;
  return readContract(
    { address, function: written, args, block: await fetchReadBlock(block, client, clock.now(), options) },
    {
      client,
      chainId: chainId ?? 0,
      code: index ? mergeAbiResolvers(index, code) : code,
      contracts: index?.contracts ?? [],
      lookup,
      prefetchAbis: knowledge.prefetchAbis,
      resolveAddress: resolve,
    },
    options,
  );
}
