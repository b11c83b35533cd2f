import type { AppError, Clock } from '../../core/index.ts';
import { formatMessageLine } from '../output.ts';
import type { LocatedResult } from './checkFiles.ts';
import { type CheckReport, formatOutcome, formatTitle, type WriteReport } from './checkReport.ts';

/**
 * JUnit XML: a test case for each query, in a class named after its file. A result that differs is a failure; one that
 * is incomplete or invalid is an error. https://github.com/testmoapp/junitxml describes what CI systems read.
 */
export function createJunitReport(write: WriteReport, clock: Pick<Clock, 'elapsed'>): CheckReport {
  const cases: TestCase[] = [];
  const names = new Set<string>();
  const startedAt = clock.elapsed();
  let endedAt = startedAt;
  const measure = () => {
    const from = endedAt;
    endedAt = clock.elapsed();
    return endedAt - from;
  };
  return {
    async add(located) {
      cases.push(toTestCase(located, { names, ms: measure() }));
    },
    async end(error) {
      if (error) cases.push(toErrorCase(error, measure()));
      await write(formatTestSuite(cases, endedAt - startedAt));
    },
  };
}

interface TestCase {
  readonly outcome: 'passed' | 'failure' | 'error';
  readonly xml: string;
}

function toTestCase(
  { result, repositoryPath: file, failedLine }: LocatedResult,
  { names, ms }: { readonly names: Set<string>; readonly ms: number },
): TestCase {
  const { state, reasons } = result;
  const title = formatTitle(result);
  // CI systems take test cases of one class and name for one.
  const name = names.has(`${file}\n${title}`) ? `${title} (line ${result.line})` : title;
  names.add(`${file}\n${title}`);
  const attributes = formatAttributes({ name, classname: file, file, time: formatSeconds(ms) });
  const outcome = state === 'ok' ? 'passed' : OUTCOMES[state];
  if (outcome === 'passed') return { outcome, xml: `<testcase${attributes}/>` };
  const message = reasons[0] ?? formatOutcome(result);
  const lines = [
    `${file}:${failedLine}: ${formatOutcome(result)}`,
    ...reasons.map((reason) => `- ${reason}`),
  ];
  return { outcome, xml: formatFailedCase(attributes, { outcome, type: state, message, lines }) };
}

const OUTCOMES = {
  differs: 'failure',
  nothingExpected: 'failure',
  incomplete: 'error',
  invalid: 'error',
} as const;

function toErrorCase({ kind, message }: AppError, ms: number): TestCase {
  const attributes = formatAttributes({ name: 'check', classname: 'chainside', time: formatSeconds(ms) });
  const failure = { outcome: 'error', type: kind, message, lines: [message] } as const;
  return { outcome: 'error', xml: formatFailedCase(attributes, failure) };
}

function formatFailedCase(
  attributes: string,
  {
    outcome,
    type,
    message,
    lines,
  }: {
    readonly outcome: 'failure' | 'error';
    readonly type: string;
    readonly message: string;
    readonly lines: readonly string[];
  },
): string {
  const body = lines.map(escapeXml).join('\n');
  return `<testcase${attributes}>\n<${outcome}${formatAttributes({ message, type })}>${body}</${outcome}>\n</testcase>`;
}

function formatTestSuite(cases: readonly TestCase[], ms: number): string {
  const count = (outcome: TestCase['outcome']) => cases.filter((one) => one.outcome === outcome).length;
  const attributes = formatAttributes({
    name: 'chainside check',
    tests: String(cases.length),
    failures: String(count('failure')),
    errors: String(count('error')),
    time: formatSeconds(ms),
  });
  const suite = [`<testsuite${attributes}>`, ...cases.map(({ xml }) => xml), '</testsuite>'];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes}>\n${suite.join('\n')}\n</testsuites>\n`;
}

function formatSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function formatAttributes(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('');
}

/** One line of XML text. Characters that XML cannot have become visible, or are left out. */
function escapeXml(text: string): string {
  return formatMessageLine(text, MAX_LINE_CHARS)
    .replace(/[\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const MAX_LINE_CHARS = 1000;
