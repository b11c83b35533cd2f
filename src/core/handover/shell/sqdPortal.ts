import { itemOf } from '../../logs/portal/portalRows.ts';
import { bodyOf } from '../../portal/portalBodies.ts';
import { aboutQuery } from '../handed/comments.ts';
import { portalOf } from '../handed/endpoint.ts';
import { blocksOf, type Handed, type HandedQuery } from '../handed/handover.ts';
import { postJson } from './curl.ts';
import { shellCommand, shellHeader, shellUrl } from './shellText.ts';

/** A stream request to an SQD Portal, as a command of curl. */
export function handToPortal(query: HandedQuery): Handed {
  const blocks = blocksOf(query);
  const portal = portalOf(query.network);
  if (!portal) return { refused: 'chain' };
  if (!blocks) return { refused: 'blocks' };
  const { addresses, topics } = query.filter;
  const toBlock = blocks.to === 'latest' ? undefined : blocks.to;
  const end = toBlock === undefined ? 'the newest block' : `block ${toBlock}`;
  const logs = [itemOf({ ...(addresses.length > 0 && { address: addresses }), topics })];
  return shellCommand(
    [
      aboutQuery(query),
      `A line is a block. An answer may end before ${end}: ask again from the block after its last line.`,
      ...portal.notes,
    ],
    [
      ...postJson(
        shellUrl(portal),
        bodyOf({ fromBlock: blocks.from, toBlock, logs }),
        portal.header && shellHeader(portal.header),
      ),
      '--compressed',
    ],
  );
}
