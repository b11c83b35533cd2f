import type { FollowedRows } from '../protocol/logsSnapshot.ts';
import type { LogResults } from '../results/logResults.ts';

/** What a snapshot tells of following that the results do not know. */
export type FollowFacts = Pick<FollowedRows, 'canFollow' | 'notify'>;

/** Rows that are named one by one as struck through; a deeper reorg takes its rows without that. */
const MOST_STRUCK = 2000;

/** What the view shows of following. */
export function followWords(
  { isFollowed, following, sequence }: Pick<LogResults, 'isFollowed' | 'following' | 'sequence'>,
  facts: FollowFacts,
): FollowedRows {
  const { struck } = sequence;
  return {
    ...facts,
    state: !isFollowed ? 'off' : following?.isOn ? 'on' : 'starting',
    freshFrom: following?.freshFrom,
    struck: struck.size > MOST_STRUCK ? [] : [...struck],
  };
}
