import { stripVTControlCharacters } from 'node:util';

/** Characters of one test: so that all that failed stay in sight, however much one of them says. */
const LONGEST = 1_500;

/** The passage that Mocha ends a report with, up to the blank lines behind it. */
const failed = /^ {2}\d+ failing\n\n(.*?)(?:\n\n\n|\n\d+ passed, \d+ failed$|$(?!\n))/gms;
const nextTest = /^ {2}(?=\d+\) )/m;

/** What the reports of a run say of its failed tests: of each its titles, its error and where that came from. */
export function failureReports(output: string): readonly string[] {
  const reports = stripVTControlCharacters(output).matchAll(failed);
  const tests = Array.from(reports).flatMap(([, report = '']) => report.split(nextTest));
  return tests.map((test) => test.trim().slice(0, LONGEST)).filter((test) => test !== '');
}
