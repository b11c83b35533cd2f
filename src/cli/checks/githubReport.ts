import type { AppError } from '../../core/index.ts';
import { pushAll } from '../../core/index.ts';
import { escapeCiCommands, formatMessageLine } from '../output.ts';
import {
  type CheckReport,
  formatOutcome,
  formatResultLine,
  formatSummary,
  formatTitle,
  STATE_LEVELS,
  type WriteReport,
} from './checkReport.ts';
import type { CheckResult, CheckState } from './checkResult.ts';

/**
 * Lines for people, and commands that make annotations of GitHub. It shows ten of each level and step; the reasons of
 * other results are lines: https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
 */
export function createGithubReport(write: WriteReport): CheckReport {
  const states: CheckState[] = [];
  const annotated = { error: 0, warning: 0, notice: 0 };
  return {
    async add({ result, repositoryPath, failedLine }) {
      states.push(result.state);
      const lines = [formatResultLine(`${result.file}:${failedLine}`, result)];
      const level = getLevel(result);
      const reasons = result.updated ? ['The result is now expected. Commit the file.'] : result.reasons;
      if (level && annotated[level]++ < MAX_ANNOTATIONS) {
        const properties = {
          file: repositoryPath,
          line: String(failedLine),
          title: formatMessageLine(`${formatTitle(result)}: ${formatOutcome(result)}`),
        };
        lines.push(formatCommand(level, properties, reasons));
      } else
        pushAll(
          lines,
          result.reasons.map((reason) => formatMessageLine(`- ${reason}`)),
        );
      await write(lines.map((line) => `${line}\n`).join(''));
    },
    async end(error) {
      if (states.length > 0) await write(`${formatSummary(states)}\n`);
      if (error) await write(formatErrorAnnotation(error));
    },
  };
}

/** An annotation without a place, as one line of output. */
export function formatErrorAnnotation({ message }: AppError): string {
  return `${formatCommand('error', { title: 'Chainside' }, [message])}\n`;
}

const MAX_ANNOTATIONS = 10;

function getLevel({ state, updated }: CheckResult): 'error' | 'warning' | 'notice' | undefined {
  return updated ? 'notice' : STATE_LEVELS[state];
}

/** Formats a workflow command. */
function formatCommand(
  level: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string>>,
  lines: readonly string[],
): string {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${level} ${list.join(',')}::${escapeCommandData(lines.map((line) => formatMessageLine(line)).join('\n'))}`;
}

/** Escapes the value of a workflow command, as https://github.com/actions/toolkit (command.ts) does. */
export function escapeCommandData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A path keeps what {@link formatMessageLine} would cut or join: an annotation with another one is in no file. */
function escapeProperty(text: string): string {
  const escaped = escapeCommandData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return escapeCiCommands(escaped.replace(TERMINAL_CONTROLS, '\ufffd'));
}

/** Controls, and characters that a terminal hides or reorders, but for the joiner of emoji. */
const TERMINAL_CONTROLS = /(?!\u200d)[\p{Cc}\p{Cf}\u2028\u2029]/gu;
