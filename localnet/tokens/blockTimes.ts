import * as z from 'zod/mini';

const Block = z.object({ timestamp: z.string() });

/** When blocks were made, as the REST interface of explorers writes it. */
export async function readBlockTimes(
  { ask }: { readonly ask: (method: string, params: readonly unknown[]) => Promise<unknown> },
  numbers: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const distinct = [...new Set(numbers)];
  const blocks = await Promise.all(
    distinct.map((number) => ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])),
  );
  return new Map(
    distinct.flatMap((number, at) => {
      const block = Block.safeParse(blocks[at]).data;
      return block ? [[number, microseconds(new Date(Number(block.timestamp) * 1000))] as const] : [];
    }),
  );
}

export function microseconds(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}
