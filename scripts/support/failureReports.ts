import { stripVTControlCharacters } from 'node:util';

/** Characters of one test: so that all that failed stay in sight, however much one of them says. */
const LONGEST = 1_500;

/** The passage that Mocha ends a report with, up to the blank lines behind it. */
const failed = /^ {2}\d+ failing\n\n(.*?)(?:\n\n\n|\n\d+ passed, \d+ failed$|$(?!\n))/gms;
const nextTest = /^ {2}(?=\d+\) )/m;

/** What is printed at the moment when a test fails in a window: its titles, and where its picture is. */
const picture = /^On the screen when it failed: (.*)\n( {2}Picture: .*)$/gm;

/** What the reports of a run say of its failed tests: of each its titles, its error, where that came from, its picture. */
export function failureReports(output: string): readonly string[] {
  const text = stripVTControlCharacters(output);
  const tests = [...text.matchAll(failed)].flatMap(([, report = '']) => report.split(nextTest));
  const pictures = [...text.matchAll(picture)].map(([, title = '', path = '']) => ({ title, path }));
  return tests
    .map((test) => test.trim())
    .filter((test) => test !== '')
    .map((test) => {
      const titles = test.replace(/^\d+\) /, '').replaceAll(/\s+/g, ' ');
      const path = pictures.find(({ title }) => titles.startsWith(`${title}:`))?.path;
      const report = test.slice(0, LONGEST);
      return path === undefined ? report : `${report}\n${path}`;
    });
}
