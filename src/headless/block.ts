import { type ChainClient, formatIsoTime } from '../core/index.ts';
import { printLines, say } from './line/output.ts';

/**
 * Prints the number of the newest block; with a time, in milliseconds since the Unix epoch, the last block by then, or
 * which end of the chain stands for it.
 */
export async function printBlock(
  client: ChainClient,
  time: number | undefined,
  options: { readonly signal: AbortSignal },
): Promise<void> {
  if (time === undefined) {
    await printLines([{ block: (await client.latestBlock(options)).toString() }]);
    return;
  }
  const found = await client.blockAt({ time, closest: 'before' }, options);
  const { block, source, outside } = found;
  const timestamp = formatIsoTime(found.time) ?? null;
  await printLines([{ block: block.toString(), ...(outside && { outside }), timestamp, source }]);
  if (outside === 'afterHead') say('the chain has not come to that time: this is its newest block');
  if (outside === 'beforeFirst') say('the chain begins after that time: this is its first block');
}
