import { type BalanceRules, readBalance } from './balance.ts';
import type { Method } from './dialect.ts';
import type { LogEntry } from './logEntry.ts';
import { type LogFilterRules, readLogFilter } from './logFilter.ts';
import { type LogRow, type LogRules, selectLogs } from './logQuery.ts';

export type FirstMethodRules = {
  readonly filter: LogFilterRules;
  readonly logs: LogRules;
  readonly entry: (row: LogRow) => LogEntry;
  readonly balance: BalanceRules;
};

/** The three methods that every Blockscout has, answered from the index. */
export function firstMethods(rules: FirstMethodRules): Readonly<Record<string, Method>> {
  return {
    eth_blockNumber: {
      minParams: 0,
      maxParams: 0,
      run: (_params, { index }) => `0x${(index.head() ?? 0).toString(16)}`,
    },
    eth_getBalance: {
      minParams: 1,
      maxParams: 2,
      run: (params, { index }) => readBalance(params, index, rules.balance),
    },
    eth_getLogs: {
      minParams: 1,
      maxParams: 1,
      run: ([param], { index, plannerOrder }) => {
        const filter = readLogFilter(param, index, rules.filter);
        return filter ? selectLogs(index, filter, rules.logs, plannerOrder).map(rules.entry) : [];
      },
    },
  };
}
