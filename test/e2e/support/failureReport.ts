import { describeFailure } from '../../../scripts/support/workbench/describeWindow.ts';
import type { Workbench } from './workbench.ts';

/** What the window of a failed test showed, said and logged, with the errors in its console. */
export async function failureReport(workbench: Workbench, title: string): Promise<string> {
  const { page, logs, errors } = workbench;
  const report = await describeFailure(page, { title, logs, picture: title });
  return [report, ...errors.slice(-5).map((error) => `  Error in the console: ${error}`)].join('\n');
}
