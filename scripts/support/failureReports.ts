import { stripVTControlCharacters } from 'node:util';

/** So that the names of all that failed stay in sight, however much one of them says. */
const LONGEST_REPORT = 4_000;

const startsSuite = /^ {2}(?!\d+\) )\S/;
const countsOnly = /^\d+ passed, \d+ failed$/;

/** What the reports of a run say of its failed tests: each with its titles, its error and where that came from. */
export function failureReports(output: string): readonly string[] {
  const lines = stripVTControlCharacters(output).split('\n');
  return lines.flatMap((line, index) => {
    if (!/^ {2}\d+ failing$/.test(line)) return [];
    const after = lines.slice(index + 1);
    const end = after.findIndex((each) => startsSuite.test(each) || countsOnly.test(each));
    const report = after.slice(0, end < 0 ? undefined : end).join('\n');
    return [report.trim().slice(0, LONGEST_REPORT)];
  });
}
