import { blocksOf, type HandedQuery } from './handover.ts';

const LONGEST = 160;
/** Without what any of the languages, or a shell that takes comments for commands, would act on. */
const OTHERS = /[^A-Za-z0-9 .,:/_-]+/g;

/**
 * A text for a comment of one line in a language of any kind. A shell may take a pasted comment for a command, so that
 * nothing stays that means something to one.
 *
 * @example commentText('a`rm -rf`\n$(b)') // 'a rm -rf b'
 */
export function commentText(text: string): string {
  return text
    .slice(0, LONGEST * 4)
    .replace(OTHERS, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, LONGEST);
}

/** What a query asks for, in a few words. */
export function aboutQuery(query: HandedQuery): string {
  const { event, filter, network } = query;
  const blocks = blocksOf(query);
  const topic0 = filter.topics[0]?.length === 1 ? `Logs of ${filter.topics[0][0]}` : 'Logs';
  const range = blocks ? `, blocks ${blocks.from} to ${blocks.to}` : '';
  return commentText(`${event?.name ?? topic0} on ${network.name}, chain ${network.chainId}${range}`);
}
