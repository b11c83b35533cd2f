import { type BalanceRules, readBalance } from './balance.ts';
import type { Dialect, EnvelopeRules, HttpRules, Method, RefusalWords } from './dialect.ts';
import type { Refusal } from './failures.ts';
import { commonMethods, extendedMethods } from './forwardedMethods.ts';
import { type LogEntry, renderEntry, renderOldEntry } from './logEntry.ts';
import { type LogFilterRules, readLogFilter } from './logFilter.ts';
import { type LogQueryRules, type LogRow, type LogRules, selectLogs } from './logQuery.ts';
import type { TopicRules } from './topicMatch.ts';

// Facts are those of the named Blockscout releases: apps/explorer/lib/explorer/eth_rpc.ex and
// etherscan/logs.ex, and apps/block_scout_web for what is HTTP.

const texts: Readonly<Record<Refusal, string>> = {
  idMissing: 'id is a required field',
  wrongVersion: 'invalid rpc version',
  methodOrVersionMissing: 'Method, and jsonrpc are required parameters.',
  paramsNotList: 'Invalid params. Params must be a list.',
  methodNotFound: 'Action not found.',
  paramCount: 'Incorrect number of params.',
  somethingWentWrong: 'Something went wrong.',
  addressOrTopicsMissing: 'Must supply one of address and topics',
  invalidAddress: 'invalid address',
  invalidTopics: 'invalid topics',
  invalidBlockNumber: 'invalid block number',
  invalidBlockHash: 'Invalid Block Hash',
  invalidLogIndex: 'invalid log index',
  invalidBalanceAddress: "Query parameter 'address' is invalid",
  invalidBalanceBlock: "Query parameter 'block' is invalid",
  balanceNotFound: 'Balance not found',
};

const textsToV69 = {
  ...texts,
  methodOrVersionMissing: 'Method, params, and jsonrpc, are all required parameters.',
};

const codedErrors: Readonly<Record<Refusal, RefusalWords>> = {
  idMissing: { code: -32600, message: 'Id is a required field' },
  wrongVersion: { code: -32600, message: texts.wrongVersion },
  methodOrVersionMissing: { code: -32600, message: texts.methodOrVersionMissing },
  paramsNotList: { code: -32602, message: texts.paramsNotList },
  methodNotFound: { code: -32601, message: 'Method not found.' },
  paramCount: { code: -32602, message: 'Incorrect number of params' },
  somethingWentWrong: { code: -32603, message: 'Something went wrong' },
  addressOrTopicsMissing: { code: -32602, message: texts.addressOrTopicsMissing },
  invalidAddress: { code: -32602, message: texts.invalidAddress },
  invalidTopics: { code: -32602, message: texts.invalidTopics },
  invalidBlockNumber: { code: -32602, message: 'Invalid block number' },
  invalidBlockHash: { code: -32602, message: 'Invalid block hash' },
  invalidLogIndex: { code: -32602, message: texts.invalidLogIndex },
  invalidBalanceAddress: { code: -32602, message: texts.invalidBalanceAddress },
  invalidBalanceBlock: { code: -32602, message: texts.invalidBalanceBlock },
  balanceNotFound: { code: -32602, message: texts.balanceNotFound },
};

const envelopeToV68: EnvelopeRules = {
  refusals: textsToV69,
  invalidParam: (text) => text,
  forwardFailed: (reason) => reason,
  id: 'raw',
  paramsOptional: false,
  versionMissing: 'paramsNotList',
};

const envelopeFromV610: EnvelopeRules = {
  ...envelopeToV68,
  refusals: texts,
  id: 'quoted',
  paramsOptional: true,
};

const envelopeFromV12: EnvelopeRules = {
  ...envelopeFromV610,
  refusals: codedErrors,
  invalidParam: (message) => ({ code: -32602, message }),
  forwardFailed: (reason) => ({ code: -32603, message: `:${reason}` }),
  versionMissing: 'methodOrVersionMissing',
};

const topicsOfText: TopicRules = {
  oddLength: 'compared',
  earlierAlternatives: 'badRequest',
  emptyLast: 'noRows',
  repeatedValue: 'once',
};

const topicsFromV6: TopicRules = { ...topicsOfText, oddLength: 'badRequest' };

const topicsFromV1123: TopicRules = {
  oddLength: 'leftOut',
  earlierAlternatives: 'matched',
  emptyLast: 'crash',
  repeatedValue: 'repeatsRows',
};

const topicsFromV12: TopicRules = {
  ...topicsFromV1123,
  earlierAlternatives: 'badRequest',
  emptyLast: 'noRows',
};

const rightQuery: LogQueryRules = {
  join: 'block',
  rangeOf: 'log',
  mainChainOnly: true,
  cursor: 'tuple',
  limitOf: 'rows',
  limitOrder: 'ascending',
};

const byTransaction: LogQueryRules = {
  ...rightQuery,
  join: 'transaction',
  rangeOf: 'transaction',
  mainChainOnly: false,
  cursor: 'separate',
};

const httpToV8: HttpRules = {
  maxBatch: Number.POSITIVE_INFINITY,
  malformedJson: { contentType: 'text/html; charset=utf-8', body: 'Bad request' },
  backendVersion: undefined,
  rateLimit: { message: '429 Too Many Requests', headers: false },
  singleMethodRoutes: {},
};

const httpFromV10: HttpRules = {
  ...httpToV8,
  maxBatch: 5,
  malformedJson: { contentType: 'application/json; charset=utf-8', body: '"Bad request"' },
  rateLimit: {
    message: 'Too many requests. Increase limits now at https://dev.blockscout.com',
    headers: true,
  },
};

const readsHex: LogFilterRules = { bareBlockNumber: 'hex', pending: 'head', cursorKeys: 'two' };

export const dialects = {
  // The last version reported for the explorer of the Palm network.
  'v5.1.4': {
    name: 'v5.1.4',
    envelope: envelopeToV68,
    methods: firstMethods({
      filter: { bareBlockNumber: 'hex', pending: 'orphan', cursorKeys: 'three' },
      logs: {
        byAddress: { ...byTransaction, join: 'heights', cursor: 'separateWithTransaction' },
        byTopics: { ...byTransaction, cursor: 'crash' },
        topics: topicsOfText,
      },
      entry: renderOldEntry,
      balance: { latest: 'recordedUpToHead', hexBlock: 'refused' },
    }),
    http: httpToV8,
  },
  'v6.3': {
    name: 'v6.3',
    envelope: envelopeToV68,
    methods: {
      ...commonMethods,
      ...firstMethods({
        filter: { ...readsHex, pending: 'orphan' },
        logs: {
          byAddress: { ...byTransaction, rangeOf: 'log', limitOf: 'logs' },
          byTopics: byTransaction,
          topics: topicsFromV6,
        },
        entry: renderEntry,
        balance: { latest: 'lastFetched', hexBlock: 'refused' },
      }),
    },
    http: { ...httpToV8, maxBatch: 5, backendVersion: 'v6.3.0-beta.+commit.6177a972' },
  },
  'v11.2': {
    name: 'v11.2',
    envelope: envelopeFromV610,
    methods: {
      ...commonMethods,
      ...firstMethods({
        filter: readsHex,
        logs: { byAddress: rightQuery, byTopics: rightQuery, topics: topicsFromV1123 },
        entry: renderEntry,
        balance: { latest: 'lastFetched', hexBlock: 'refused' },
      }),
    },
    http: { ...httpFromV10, backendVersion: 'v11.2.7.+commit.86092e0c' },
  },
  v12: {
    name: 'v12',
    envelope: envelopeFromV12,
    methods: {
      ...commonMethods,
      ...extendedMethods,
      ...firstMethods({
        filter: { ...readsHex, bareBlockNumber: 'refused' },
        // Until the migration of its logs ends, the address query joins by hash alone.
        logs: {
          byAddress: { ...rightQuery, join: 'transaction' },
          byTopics: rightQuery,
          topics: topicsFromV12,
        },
        entry: renderEntry,
        balance: { latest: 'lastFetched', hexBlock: 'read' },
      }),
    },
    http: {
      ...httpFromV10,
      backendVersion: 'v12.0.0.+commit.35498365',
      singleMethodRoutes: {
        '/api/legacy/eth/eth-block-number': 'eth_blockNumber',
        '/api/legacy/eth/eth-get-balance': 'eth_getBalance',
        '/api/legacy/eth/eth-get-logs': 'eth_getLogs',
      },
    },
  },
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof dialects;

type FirstMethodRules = {
  readonly filter: LogFilterRules;
  readonly logs: LogRules;
  readonly entry: (row: LogRow) => LogEntry;
  readonly balance: BalanceRules;
};

/** The three methods that every version has. */
function firstMethods({ filter, logs, entry, balance }: FirstMethodRules): Readonly<Record<string, Method>> {
  return {
    eth_blockNumber: {
      minParams: 0,
      maxParams: 0,
      run: (_params, { index }) => `0x${(index.head() ?? 0).toString(16)}`,
    },
    eth_getBalance: {
      minParams: 1,
      maxParams: 2,
      run: (params, { index }) => readBalance(params, index, balance),
    },
    eth_getLogs: {
      minParams: 1,
      maxParams: 1,
      run: ([param], { index }) => {
        const read = readLogFilter(param, index, filter);
        return read ? selectLogs(index, read, logs).map(entry) : [];
      },
    },
  };
}
