import { readResultToJson } from '../../core/index.ts';
import { errorToJson, printLines } from '../output.ts';
import type { CheckResult } from './checkFiles.ts';
import type { CheckReport } from './checkReport.ts';

/** One line of JSON for each query, on standard output. */
export function createJsonReport(): CheckReport {
  return {
    async add({ result }) {
      await printLines([resultToJson(result)]);
    },
    async end(error) {
      if (error) await printLines([{ error: errorToJson(error) }]);
    },
  };
}

function resultToJson({ error, read, ...result }: CheckResult) {
  return {
    ...result,
    ...(read !== undefined && { read: read && readResultToJson(read) }),
    ...(error && { error: errorToJson(error) }),
  };
}
