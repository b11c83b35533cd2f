import { formatMessageLine } from '../output.ts';
import type { CheckState } from './checkFiles.ts';
import { type CheckReport, formatResultLine, formatSummary, type WriteReport } from './checkReport.ts';

/** One line for each query with its file and line, its reasons below it, and a summary. */
export function createTextReport(write: WriteReport): CheckReport {
  const states: CheckState[] = [];
  return {
    async add({ result, failedLine }) {
      states.push(result.state);
      const lines = [
        formatResultLine(`${result.file}:${failedLine}`, result),
        ...result.reasons.map((reason) => formatMessageLine(`- ${reason}`)),
      ];
      await write(lines.map((line) => `${line}\n`).join(''));
    },
    async end() {
      if (states.length > 0) await write(`${formatSummary(states)}\n`);
    },
  };
}
