import { describeWindow } from '../../../scripts/support/workbench/describeWindow.ts';
import { lastLogLines } from '../../../scripts/support/workbench/lastLogLines.ts';
import type { Workbench } from './workbench.ts';

/** What is needed to understand a failed test from its log alone: what is on the screen, was told, logged and went wrong. */
export async function failureReport(workbench: Workbench, name: string): Promise<string> {
  const picture = await workbench.screenshot(`failed-${name.replaceAll(/\W+/g, '-')}`).catch(String);
  const output = await lastLogLines(workbench.logs).catch(String);
  return [
    `On the screen when it failed: ${name}`,
    `  Picture: ${picture}`,
    await describeWindow(workbench.page),
    `  Output of the extension:\n${output.replaceAll(/^/gm, '    ')}`,
    ...workbench.errors.slice(-5).map((error) => `  Error in the console: ${error}`),
  ].join('\n');
}
