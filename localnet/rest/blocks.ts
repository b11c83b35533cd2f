import type { ExplorerIndex, IndexedBlock } from '../index/explorerIndex.ts';
import { microseconds } from '../tokens/blockTimes.ts';
import { type ModuleAnswer, moduleReply, type RestRoute, restReply } from './restCall.ts';

// Blockscout's controllers/api/rpc/block_controller.ex, Explorer.Chain.timestamp_to_block_number and
// views/api/v2/block_view.ex.

/** Seconds on either side of a time in which the older releases look for a block. */
const OLDER_REACH = 60;

/** `GET /api/v2/blocks/{number}`: a main-chain block, without what is not indexed here. */
export const blockRoute: RestRoute = {
  pattern: /^\/api\/v2\/blocks\/(\d{1,10})$/,
  async answer({ index }, [number = '']) {
    const block = mainBlocks(index, Number(number), Number(number))[0];
    if (!block) return restReply(404, { message: 'Not found' });
    const timestamp = microseconds(new Date(block.timestamp * 1000));
    return restReply(200, { height: block.number, hash: block.hash, timestamp, type: 'block' });
  },
};

/** `GET /api?module=block`: which block is nearest to a time. v9 wrote its number as a bare string for a while. */
export const blockModule: ModuleAnswer = async ({ query, index, era }, action) => {
  if (action !== 'getblocknobytime') return undefined;
  const [timestamp, closest] = [query.get('timestamp') ?? '', query.get('closest') ?? ''];
  if (timestamp === '') return moduleReply('0', "Query parameter 'timestamp' is required", null);
  if (!/^\d{1,12}$/.test(timestamp)) return moduleReply('0', 'Invalid `timestamp` param', null);
  if (closest !== 'before' && closest !== 'after') {
    return moduleReply(
      '0',
      closest === '' ? "Query parameter 'closest' is required" : 'Invalid `closest` param',
      null,
    );
  }
  const number = blockAt(index, Number(timestamp), {
    closest,
    reach: era === 'v5' ? OLDER_REACH : undefined,
  });
  if (number === undefined) return moduleReply('0', 'Block does not exist', null);
  return moduleReply('1', 'OK', era === 'v8' ? `${number}` : { blockNumber: `${number}` });
};

/**
 * The nearest block in time, or the one beside it: also one that is not there, and of `after` never one of that very
 * second.
 */
function blockAt(
  index: ExplorerIndex,
  second: number,
  { closest, reach }: { readonly closest: 'before' | 'after'; readonly reach: number | undefined },
): number | undefined {
  const away = (block: IndexedBlock) => Math.abs(block.timestamp - second);
  const [nearest] = mainBlocks(index, 0, index.head() ?? -1)
    .filter((block) => reach === undefined || away(block) <= reach)
    .sort((a, b) => away(a) - away(b));
  if (!nearest) return undefined;
  const isBefore = nearest.timestamp <= second;
  if (closest === 'before') return isBefore ? nearest.number : nearest.number - 1;
  return isBefore ? nearest.number + 1 : nearest.number;
}

function mainBlocks(index: ExplorerIndex, from: number, to: number): IndexedBlock[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => index.blocksAt(from + place))
    .flat()
    .filter(({ consensus }) => consensus);
}
