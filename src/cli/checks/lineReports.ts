import { comparisonToJson, contractStateToJson, readResultToJson } from '../../core/index.ts';
import { errorToJson, formatMessageLine, type Output } from '../output.ts';
import {
  type CheckReport,
  formatChosenNames,
  formatResultLine,
  formatSummary,
  type WriteReport,
} from './checkReport.ts';
import type { CheckResult, CheckState } from './checkResult.ts';

/** One line for each query with its file and line, its reasons below it, and a summary. */
export function createTextReport(write: WriteReport): CheckReport {
  const states: CheckState[] = [];
  return {
    async add({ result, failedLine }) {
      states.push(result.state);
      const lines = [
        formatResultLine(`${result.file}:${failedLine}`, result),
        ...result.reasons.map((reason) => formatMessageLine(`- ${reason}`)),
        ...formatChosenNames(result).map((line) => `- ${line}`),
      ];
      await write(lines.map((line) => `${line}\n`).join(''));
    },
    async end(error) {
      if (states.length > 0) await write(`${formatSummary(states)}\n`);
      if (error) await write(`${formatMessageLine(`The check ended early: ${error.message}`)}\n`);
    },
  };
}

/** One line of JSON for each query, on standard output. */
export function createJsonReport({ printLines }: Output): CheckReport {
  return {
    async add({ result }) {
      await printLines([resultToJson(result)]);
    },
    async end(error) {
      if (error) await printLines([{ error: errorToJson(error) }]);
    },
  };
}

function resultToJson({ error, read, code, contractState, ...result }: CheckResult) {
  return {
    ...result,
    ...(read !== undefined && { read: read && readResultToJson(read) }),
    ...(code !== undefined && { code: code && comparisonToJson(code) }),
    ...(contractState !== undefined && {
      contractState: contractState && contractStateToJson(contractState),
    }),
    ...(error && { error: errorToJson(error) }),
  };
}
