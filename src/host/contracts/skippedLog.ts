import type * as vscode from 'vscode';
import type { ProjectIndexer } from '../../core/index.ts';

/** Lines of one update: what is over is counted. */
const MOST_LINES = 50;

/** Tells in the output which files were left out, each reason once. */
export function createSkippedLog(log: vscode.LogOutputChannel) {
  let told = new Map<string, string>();
  return {
    tell({ skipped, skippedCount }: ProjectIndexer): void {
      const fresh = skipped.filter(({ path, why }) => told.get(path) !== why);
      for (const { path, why } of fresh.slice(0, MOST_LINES)) log.warn(`${path || 'Workspace'}: ${why}`);
      const more = fresh.length - MOST_LINES + Math.max(0, skippedCount - skipped.length);
      if (fresh.length > MOST_LINES) log.warn(`${more} more files are left out.`);
      told = new Map(skipped.map(({ path, why }) => [path, why]));
    },
  };
}
