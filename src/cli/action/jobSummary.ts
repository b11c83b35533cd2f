import type { AppError } from '../../core/index.ts';
import type { LocatedResult } from '../checks/checkFiles.ts';
import {
  type CheckReport,
  formatOutcome,
  formatSummary,
  formatTitle,
  STATE_LEVELS,
  type WriteReport,
} from '../checks/checkReport.ts';
import { formatMessageLine } from '../output.ts';

/** Markdown for the summary of a job: a table of all queries, those that are not ok first. */
export function createJobSummary(write: WriteReport): CheckReport {
  const all: LocatedResult[] = [];
  return {
    async add(located) {
      all.push(located);
    },
    end: (error) => write(formatJobSummary(all, error)),
  };
}

function formatJobSummary(all: readonly LocatedResult[], error: AppError | undefined): string {
  let summary = '## Chainside check\n\n';
  if (error) summary += `${LEVEL_ICONS.error} ${escapeMarkdown(error.message)}\n\n`;
  if (all.length === 0) return summary;
  summary += `${formatSummary(all.map(({ result }) => result.state))}\n\n| | Query | Place | Result |\n|---|---|---|---|\n`;
  const isOk = ({ result }: LocatedResult) => result.state === 'ok';
  const rows = [...all.filter((one) => !isOk(one)), ...all.filter(isOk)];
  let bytes = Buffer.byteLength(summary);
  for (const [index, located] of rows.entries()) {
    const row = formatRow(located);
    bytes += Buffer.byteLength(row);
    if (bytes > MAX_BYTES) return `${summary}\n${rows.length - index} more queries are in the log.\n`;
    summary += row;
  }
  return `${summary}\n`;
}

/** GitHub takes 1 MiB of a step: https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions */
const MAX_BYTES = 1_000_000;

const LEVEL_ICONS = { error: '❌', warning: '⚠️' } as const;

function formatRow({ result, repositoryPath, failedLine }: LocatedResult): string {
  const level = STATE_LEVELS[result.state];
  const cells = [
    level ? LEVEL_ICONS[level] : '✅',
    escapeMarkdown(formatTitle(result)),
    `<code>${escapeMarkdown(`${repositoryPath}:${failedLine}`)}</code>`,
    [formatOutcome(result), ...result.reasons].map(escapeMarkdown).join('<br>'),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

/** Makes untrusted text one line of Markdown and HTML without markup: GitHub shows entities as they are. */
function escapeMarkdown(text: string): string {
  return formatMessageLine(text).replace(PUNCTUATION, (character) => `&#${character.charCodeAt(0)};`);
}

/** All of ASCII but comma, hyphen and slash. */
const PUNCTUATION = /[!-+.:-@[-`{-~]/g;
