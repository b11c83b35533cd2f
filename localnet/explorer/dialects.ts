import type { BalanceRules } from './balance.ts';
import type { Dialect, HttpRules } from './dialect.ts';
import { envelopeFromV12, envelopeFromV610, envelopeToV68 } from './envelopeRules.ts';
import { type FirstMethodRules, firstMethods } from './firstMethods.ts';
import { commonMethods, extendedMethods } from './forwardedMethods.ts';
import { renderEntry, renderOldEntry } from './logEntry.ts';
import type { LogFilterRules } from './logFilter.ts';
import {
  logsOfV12,
  logsToV54,
  logsToV67,
  logsToV69,
  logsToV94,
  logsToV102,
  logsToV521,
  logsToV1127,
} from './logRules.ts';

// Facts are those of the named Blockscout releases: apps/explorer/lib/explorer/eth_rpc.ex and
// etherscan/logs.ex, and apps/block_scout_web for what is HTTP.

const filterToV521: LogFilterRules = { bareBlockNumber: 'hex', pending: 'orphan', cursorKeys: 'three' };
const filterToV67: LogFilterRules = { ...filterToV521, cursorKeys: 'two' };
const filterToV11: LogFilterRules = { ...filterToV67, pending: 'head' };
const filterOfV12: LogFilterRules = { ...filterToV11, bareBlockNumber: 'refused' };

const balanceToV531: BalanceRules = { latest: 'recordedUpToHead', hexBlock: 'refused' };
const balanceToV11: BalanceRules = { latest: 'lastFetched', hexBlock: 'refused' };
const balanceOfV12: BalanceRules = { latest: 'lastFetched', hexBlock: 'read' };

const httpToV62: HttpRules = {
  maxBatch: Number.POSITIVE_INFINITY,
  malformedJson: { contentType: 'text/html; charset=utf-8', body: 'Bad request' },
  backendVersion: undefined,
  rateLimit: { message: '429 Too Many Requests', headers: false },
  singleMethodRoutes: {},
};
const httpToV8: HttpRules = { ...httpToV62, maxBatch: 5 };
const httpToV94: HttpRules = {
  ...httpToV8,
  malformedJson: { contentType: 'application/json; charset=utf-8', body: '"Bad request"' },
  rateLimit: { message: 'Too Many Requests', headers: true },
};
const httpFromV10: HttpRules = {
  ...httpToV94,
  rateLimit: {
    message: 'Too many requests. Increase limits now at https://dev.blockscout.com',
    headers: true,
  },
};

const methodsSinceV63 = (rules: FirstMethodRules) => ({ ...commonMethods, ...firstMethods(rules) });
const today = { filter: filterToV11, entry: renderEntry, balance: balanceToV11 } as const;

export const dialects = {
  // The last version reported for the explorer of the Palm network.
  'v5.1.4': {
    name: 'v5.1.4',
    envelope: envelopeToV68,
    methods: firstMethods({
      ...{ filter: filterToV521, logs: logsToV521 },
      ...{ entry: renderOldEntry, balance: balanceToV531 },
    }),
    moduleLogs: logsToV521,
    rest: 'v5',
    http: httpToV62,
  },
  'v5.4': {
    name: 'v5.4',
    envelope: envelopeToV68,
    methods: firstMethods({
      ...{ filter: filterToV67, logs: logsToV54 },
      ...{ entry: renderOldEntry, balance: balanceToV11 },
    }),
    moduleLogs: logsToV54,
    rest: 'v5',
    http: { ...httpToV62, backendVersion: 'v5.4.0-beta.+commit.2b5f7fd5' },
  },
  'v6.3': {
    name: 'v6.3',
    envelope: envelopeToV68,
    methods: methodsSinceV63({ ...today, filter: filterToV67, logs: logsToV67 }),
    moduleLogs: logsToV67,
    rest: 'v5',
    http: { ...httpToV8, backendVersion: 'v6.3.0-beta.+commit.6177a972' },
  },
  'v6.8': {
    name: 'v6.8',
    envelope: envelopeToV68,
    methods: methodsSinceV63({ ...today, logs: logsToV69 }),
    moduleLogs: logsToV69,
    rest: 'v5',
    http: { ...httpToV8, backendVersion: 'v6.8.0-beta.+commit.b4b8ecf4' },
  },
  'v6.10': {
    name: 'v6.10',
    envelope: envelopeFromV610,
    methods: methodsSinceV63({ ...today, logs: logsToV94 }),
    moduleLogs: logsToV94,
    rest: 'v5',
    http: { ...httpToV8, backendVersion: 'v6.10.1.+commit.53184c7f' },
  },
  'v9.1': {
    name: 'v9.1',
    envelope: envelopeFromV610,
    methods: methodsSinceV63({ ...today, logs: logsToV94 }),
    moduleLogs: logsToV94,
    rest: 'v8',
    http: { ...httpToV94, backendVersion: 'v9.1.1.+commit.72d6791e' },
  },
  'v10.2': {
    name: 'v10.2',
    envelope: envelopeFromV610,
    methods: methodsSinceV63({ ...today, logs: logsToV102 }),
    moduleLogs: logsToV102,
    rest: 'v10',
    http: { ...httpFromV10, backendVersion: 'v10.2.6.+commit.90f7dd8e' },
  },
  'v11.2': {
    name: 'v11.2',
    envelope: envelopeFromV610,
    methods: methodsSinceV63({ ...today, logs: logsToV1127 }),
    moduleLogs: logsToV1127,
    rest: 'v10',
    http: { ...httpFromV10, backendVersion: 'v11.2.7.+commit.86092e0c' },
  },
  v12: {
    name: 'v12',
    envelope: envelopeFromV12,
    methods: {
      ...methodsSinceV63({
        ...{ filter: filterOfV12, logs: logsOfV12 },
        ...{ entry: renderEntry, balance: balanceOfV12 },
      }),
      ...extendedMethods,
    },
    moduleLogs: logsOfV12,
    rest: 'v12',
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

/** What speaks when nothing else is asked for. */
export const defaultDialect: DialectName = 'v11.2';
