import { relative } from 'node:path';
import { projectRoot } from './paths.ts';
import { type StageResult, stageName } from './stage.ts';

const MAX_FILES = 10;
const WIDTHS = [52, 8, 9, 11, 8];

/**
 * The costs of a run: a row for each stage, the files that took most processor time, and for a stage over its budget the
 * files whose tests take more than their level allows.
 *
 * @param seconds of the whole run, whose stages overlap.
 */
export function formatCosts(results: readonly StageResult[], seconds: number): string {
  const rows = results.map(({ stage, counts, ...result }) => [
    stageName(stage),
    String(counts.passed + counts.failed || ''),
    result.seconds.toFixed(0),
    result.processorSeconds.toFixed(0),
    String(stage.budget),
  ]);
  const sum = (of: (result: StageResult) => number) =>
    results.reduce((total, result) => total + of(result), 0).toFixed(0);
  const all = [
    'all',
    sum(({ counts }) => counts.passed + counts.failed),
    seconds.toFixed(0),
    sum(({ processorSeconds }) => processorSeconds),
    sum(({ stage }) => stage.budget),
  ];
  const files = results.flatMap((result) => result.files);
  return [
    ...formatRows([['Stage', 'tests', 'seconds', 'processor', 'budget'], ...rows, all]),
    '',
    ...formatRows([['Most expensive files', 'tests', 'seconds', 'processor'], ...describeFiles(files)]),
    ...results.flatMap(describeGrowth),
  ].join('\n');
}

/** For a stage over its budget, the files that cost more than the level of their tests allows. */
function describeGrowth({ stage, processorSeconds, files }: StageResult): readonly string[] {
  if (processorSeconds <= stage.budget) return [];
  const over = `${stageName(stage)} is over its budget of ${stage.budget} s.`;
  const { perTest } = stage;
  if (perTest === undefined) return ['', over];
  const excess = (file: StageResult['files'][number]) => file.processorSeconds - file.tests * perTest;
  const grown = files.filter((file) => excess(file) > 0).sort((a, b) => excess(b) - excess(a));
  return [
    '',
    `${over} These files take more than ${perTest} s a test:`,
    ...formatRows(grown.slice(0, MAX_FILES).map(describeFile)),
  ];
}

function describeFiles(files: StageResult['files']): readonly (readonly string[])[] {
  const sorted = files.toSorted((a, b) => b.processorSeconds - a.processorSeconds);
  return sorted.slice(0, MAX_FILES).map(describeFile);
}

function describeFile({ file, tests, seconds, processorSeconds }: StageResult['files'][number]) {
  return [relative(projectRoot, file), String(tests), seconds.toFixed(1), processorSeconds.toFixed(1)];
}

function formatRows(rows: readonly (readonly string[])[]): readonly string[] {
  return rows.map((cells) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd : cell.padStart).call(cell, WIDTHS[index] ?? 0))
      .join(''),
  );
}
