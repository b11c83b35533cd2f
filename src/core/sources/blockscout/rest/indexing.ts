import * as z from 'zod/mini';
import type { CompletenessReason } from '../../../holdings/completeness.ts';
import { optionalField } from '../../../values/outsideFields.ts';
import { moneyField } from './fields.ts';

// Ratios are strings in older releases, with two digits: of a list they say less than the flag beside them.
const Status = z.object({
  finished_indexing_blocks: optionalField(z.boolean()),
  finished_indexing: optionalField(z.boolean()),
  indexed_blocks_ratio: moneyField,
});

/**
 * What `/main-page/indexing-status` says against the lists of the explorer; undefined where it has indexed every block.
 */
export function readIndexing(data: unknown): CompletenessReason | undefined {
  const status = Status.safeParse(data).data;
  const ratio = status?.indexed_blocks_ratio;
  const finished = status?.finished_indexing_blocks ?? status?.finished_indexing;
  if (finished === undefined && ratio === undefined) return { code: 'indexingUnknown' };
  if (ratio !== undefined && ratio >= 0 && ratio < 1) return { code: 'indexing', ratio };
  return finished === false ? { code: 'indexing', ratio: undefined } : undefined;
}
