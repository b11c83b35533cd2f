import {
  type AppError,
  formatMessage,
  formatQuantity,
  formatReadValues,
  listReadValues,
  type ReadResult,
  sanitizeText,
  summarizeCode,
  summarizeState,
  toChecksumAddress,
} from '../../core/index.ts';
import { formatMessageLine } from '../output.ts';
import type { LocatedResult } from './checkFiles.ts';
import type { CheckResult, CheckState } from './checkResult.ts';

/** Takes the results of a check as they come, and prints them in one format. */
export interface CheckReport {
  add(located: LocatedResult): Promise<void>;
  /** `error` is what ended the check before all was checked. */
  end(error?: AppError): Promise<void>;
}

/** Writes a piece of a report. */
export type WriteReport = (text: string) => Promise<void>;

export const STATE_LABELS: Readonly<Record<CheckState, string>> = {
  ok: 'ok',
  differs: 'differs',
  incomplete: 'incomplete',
  invalid: 'invalid',
  nothingExpected: 'nothing expected',
};

/** How severe a state is; undefined for none. */
export const STATE_LEVELS: Readonly<Record<CheckState, 'error' | 'warning' | undefined>> = {
  ok: undefined,
  differs: 'error',
  incomplete: 'warning',
  invalid: 'error',
  nothingExpected: 'error',
};

/**
 * One line about a result at a place.
 *
 * @example formatResultLine('a.chainlog.json', result) // 'a.chainlog.json: Salaries of Bob: ok, 2 logs'
 */
export function formatResultLine(place: string, result: CheckResult): string {
  return formatMessageLine(
    `${place.slice(0, MAX_PLACE_CHARS)}: ${formatTitle(result)}: ${formatOutcome(result)}`,
  );
}

const MAX_PLACE_CHARS = 1000;

/** `Token is 0x5FbD…0aa3, the newest of 2 deployments.` */
export function formatChosenNames({ names = [] }: CheckResult): readonly string[] {
  return names.map(({ name, address, deployments }) =>
    formatMessageLine(
      `${sanitizeText(name, MAX_TITLE_CHARS)} is ${toChecksumAddress(address)}, the newest of ${deployments} deployments.`,
    ),
  );
}

/** The title of a query, as plain text of bounded length. */
export function formatTitle({ title }: Pick<CheckResult, 'title'>): string {
  return sanitizeText(title, MAX_TITLE_CHARS);
}

const MAX_TITLE_CHARS = 200;

/** `differs, 4 logs` */
export function formatOutcome(result: CheckResult): string {
  const { state, expected, updated, code } = result;
  // Code is always expected to be the same.
  const isExpected = expected !== null || updated || code !== undefined;
  const note = updated ? 'now expected' : state === 'ok' && !isExpected ? 'nothing expected' : '';
  return [STATE_LABELS[state], formatFinding(result), note].filter((part) => part !== '').join(', ');
}

function formatFinding({ count, read, code, contractState }: CheckResult): string {
  if (count !== null) return formatQuantity(count, 'log');
  if (read) return formatReadLine(read);
  if (code) return formatMessage(summarizeCode(code));
  return contractState ? formatMessage(summarizeState(contractState)) : '';
}

/** `12 in block 5` */
function formatReadLine(read: ReadResult): string {
  return `${formatReadValues(listReadValues(read), MAX_VALUES_CHARS)} in block ${read.block}`;
}

const MAX_VALUES_CHARS = 300;

/** Counts the queries by state: `3 queries: 2 ok, 1 differs.` */
export function formatSummary(states: readonly CheckState[]): string {
  const parts = Object.entries(STATE_LABELS).flatMap(([state, label]) => {
    const count = states.filter((one) => one === state).length;
    return count > 0 ? [`${count} ${label}`] : [];
  });
  return `${states.length} ${states.length === 1 ? 'query' : 'queries'}: ${parts.join(', ')}.`;
}
