import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AppError, sanitizeText } from '../../core/index.ts';
import { formatJsonLine } from '../output.ts';
import type { LocatedResult } from './checkFiles.ts';
import {
  type CheckReport,
  formatOutcome,
  formatTitle,
  STATE_LEVELS,
  type WriteReport,
} from './checkReport.ts';
import type { CheckState } from './checkResult.ts';

/**
 * SARIF 2.1.0 for code scanning: a result for each query that is not ok.
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function createSarifReport(write: WriteReport, version: string): CheckReport {
  const results: object[] = [];
  return {
    async add(located) {
      if (located.result.state !== 'ok') results.push(toSarifResult(located));
    },
    async end(error) {
      await write(formatJsonLine(toSarifLog(results, { error, version })));
    },
  };
}

function toSarifLog(
  results: readonly object[],
  { error, version }: { readonly error: AppError | undefined; readonly version: string },
) {
  const driver = { name: 'Chainside', version, informationUri: PROJECT_URL, rules: RULES.map(toSarifRule) };
  const notification = error && { level: 'error', message: { text: formatSarifText(error.message) } };
  const invocation = {
    executionSuccessful: error === undefined,
    ...(notification && { toolExecutionNotifications: [notification] }),
  };
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, invocations: [invocation], columnKind: 'utf16CodeUnits', results }],
  };
}

const PROJECT_URL = 'https://github.com/chainside/chainside';

interface SarifRule {
  readonly id: CheckState;
  readonly name: string;
  readonly text: string;
}

const RULES: readonly SarifRule[] = [
  { id: 'differs', name: 'ResultDiffers', text: 'The result of a query is not as its file expects.' },
  { id: 'incomplete', name: 'ResultIncomplete', text: 'The result of a query is not complete.' },
  {
    id: 'invalid',
    name: 'QueryInvalid',
    text: 'A query or its file cannot be read, or is of another chain.',
  },
  {
    id: 'nothingExpected',
    name: 'NothingExpected',
    text: 'A file does not say what its query should return.',
  },
];

function toSarifRule({ id, name, text }: SarifRule) {
  return {
    id,
    name,
    shortDescription: { text },
    helpUri: `${PROJECT_URL}/blob/main/docs/ci.md`,
    defaultConfiguration: { level: STATE_LEVELS[id] },
  };
}

function toSarifResult({ result, repositoryPath, failedLine }: LocatedResult) {
  const { state, reasons } = result;
  const lines = [`${formatTitle(result)}: ${formatOutcome(result)}`, ...reasons];
  return {
    ruleId: state,
    ruleIndex: RULES.findIndex(({ id }) => id === state),
    level: STATE_LEVELS[state],
    message: { text: lines.map(formatSarifText).join('\n') },
    locations: [
      {
        physicalLocation: {
          artifactLocation: toArtifactLocation(repositoryPath),
          region: { startLine: failedLine },
        },
      },
    ],
  };
}

function toArtifactLocation(path: string) {
  if (isAbsolute(path)) return { uri: pathToFileURL(path).href };
  const parts = path.replace(LONE_SURROGATE, '\ufffd').split('/');
  return { uri: parts.map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
}

const LONE_SURROGATE = /\p{Cs}/gu;

/** A line of a message. Viewers make links of `[text](target)`, so the two parts are set apart. */
function formatSarifText(text: string): string {
  return sanitizeText(text, MAX_LINE_CHARS).replaceAll('](', '] (');
}

const MAX_LINE_CHARS = 1000;
