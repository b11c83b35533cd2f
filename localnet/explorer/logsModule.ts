import type { BlockRange, ExplorerIndex } from '../index/explorerIndex.ts';
import type { Dialect } from './dialect.ts';
import type { LogFilter } from './logFilter.ts';
import { type LogQueryRules, type LogRow, type LogRules, selectLogs } from './logQuery.ts';

// Blockscout's controllers/api/rpc/logs_controller.ex and views/api/rpc/logs_view.ex.

const ADDRESS = /^0x[0-9a-f]{40}$/;
const TOPIC = /^0x[0-9a-f]{64}$/;

/**
 * The answer of `GET /api?module=logs&action=getLogs`, the Etherscan-shaped sibling of `eth_getLogs`: up to 1,000 rows,
 * in order, with no cursor and no block hash. Undefined for another module.
 */
export function answerLogsModule(
  query: URLSearchParams,
  { moduleLogs }: Dialect,
  index: ExplorerIndex,
): string | undefined {
  if (query.get('module') !== 'logs' || query.get('action') !== 'getLogs') return undefined;
  const range = readRange(query, index);
  if (!range) return refusal('Invalid fromBlock format');
  const address = query.get('address')?.toLowerCase();
  const topic0 = query.get('topic0')?.toLowerCase();
  if (address === undefined && topic0 === undefined) {
    return refusal('Required query parameters missing: address and/or topic{x}');
  }
  if (address !== undefined && !ADDRESS.test(address)) return refusal('Invalid address hash');
  if (topic0 !== undefined && !TOPIC.test(topic0)) return refusal('Invalid topic0 format');
  const filter = {
    range,
    address: address as LogFilter['address'],
    topics: topic0 === undefined ? [] : [topic0],
    cursor: undefined,
  };
  const rows = selectLogs(index, filter, inOrder(moduleLogs), () => 'ascending').map(renderRow);
  return rows.length === 0
    ? JSON.stringify({ status: '0', message: 'No logs found', result: [] })
    : JSON.stringify({ status: '1', message: 'OK', result: rows });
}

/** The same tables as `eth_getLogs`, but the limit keeps the first rows on every release. */
function inOrder(rules: LogRules): LogRules {
  const ordered = (query: LogQueryRules): LogQueryRules => ({ ...query, limitOrder: 'ascending' });
  return { ...rules, byAddress: ordered(rules.byAddress), byTopics: ordered(rules.byTopics) };
}

function readRange(query: URLSearchParams, index: ExplorerIndex): BlockRange | undefined {
  const read = (name: string) => {
    const text = query.get(name) ?? '';
    if (text === 'latest') return index.head() ?? 0;
    return /^\d+$/.test(text) ? Number(text) : undefined;
  };
  const [from, to] = [read('fromBlock'), read('toBlock')];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Without the row's gas, which is not indexed here. */
function renderRow({ log, block, transactionIndex }: LogRow) {
  const hex = (value: number) => `0x${value.toString(16)}`;
  return {
    address: log.address,
    topics: Array.from({ length: 4 }, (_, place) => log.topics[place] ?? null),
    data: log.data,
    blockNumber: hex(block?.number ?? log.blockNumber),
    timeStamp: hex(block?.timestamp ?? 0),
    logIndex: hex(log.logIndex),
    transactionHash: log.transactionHash,
    transactionIndex: hex(transactionIndex),
  };
}

function refusal(message: string): string {
  return JSON.stringify({ status: '0', message, result: null });
}
