import type { LogQueryRules, LogRules } from './logQuery.ts';
import type { TopicRules } from './topicMatch.ts';

const topicsToV54: TopicRules = {
  oddLength: 'compared',
  earlierAlternatives: 'badRequest',
  emptyLast: 'noRows',
  repeatedValue: 'once',
};
const topicsToV67: TopicRules = { ...topicsToV54, oddLength: 'badRequest' };
const topicsToV1122: TopicRules = { ...topicsToV54, oddLength: 'leftOut' };
const topicsToV1127: TopicRules = {
  oddLength: 'leftOut',
  earlierAlternatives: 'matched',
  emptyLast: 'crash',
  repeatedValue: 'repeatsRows',
};
const topicsOfV12: TopicRules = { ...topicsToV1122, repeatedValue: 'repeatsRows' };

/** What a query should be: the address query since v11.0, the topic query since v6.10. */
const rightQuery: LogQueryRules = {
  join: 'block',
  rangeOf: 'log',
  mainChainOnly: true,
  cursor: 'tuple',
  limitOf: 'rows',
  limitOrder: 'ascending',
};

const joinedByHash: LogQueryRules = {
  ...rightQuery,
  join: 'transaction',
  rangeOf: 'transaction',
  mainChainOnly: false,
  cursor: 'separate',
};

/** v2.0.2 to v5.2.1. The cursor of the topic query names a column that it does not have. */
export const logsToV521: LogRules = {
  byAddress: { ...joinedByHash, join: 'heights', cursor: 'separateWithTransaction' },
  byTopics: { ...joinedByHash, cursor: 'crash' },
  topics: topicsToV54,
};

/** v5.2.2 to v5.4. */
export const logsToV54: LogRules = {
  byAddress: { ...joinedByHash, join: 'heights' },
  byTopics: joinedByHash,
  topics: topicsToV54,
};

/** v6.0 to v6.7. */
export const logsToV67: LogRules = {
  byAddress: { ...joinedByHash, rangeOf: 'log', limitOf: 'logs' },
  byTopics: joinedByHash,
  topics: topicsToV67,
};

/** v6.8 and v6.9: the limit of the address query has lost its order. */
export const logsToV69: LogRules = {
  byAddress: { ...rightQuery, cursor: 'separate', limitOf: 'logs', limitOrder: 'planner' },
  byTopics: { ...rightQuery, cursor: 'separate' },
  topics: topicsToV1122,
};

/** v6.10 to v9.4: the cursor is right. */
export const logsToV94: LogRules = {
  byAddress: { ...rightQuery, limitOf: 'logs', limitOrder: 'planner' },
  byTopics: rightQuery,
  topics: topicsToV1122,
};

/** v10.0 to v10.2: no page is short, which rows it holds is still left to the planner. */
export const logsToV102: LogRules = {
  byAddress: { ...rightQuery, limitOrder: 'planner' },
  byTopics: rightQuery,
  topics: topicsToV1122,
};

/** v11.2.3 to v11.2.7. */
export const logsToV1127: LogRules = {
  byAddress: rightQuery,
  byTopics: rightQuery,
  topics: topicsToV1127,
};

/** v12.0.0 before the migration of its logs has ended: the address query joins by hash alone. */
export const logsOfV12: LogRules = {
  byAddress: { ...rightQuery, join: 'transaction' },
  byTopics: rightQuery,
  topics: topicsOfV12,
};
