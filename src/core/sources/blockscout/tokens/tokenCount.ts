import * as z from 'zod/mini';
import type { CompletenessReason } from '../../../holdings/completeness.ts';
import { optionalField } from '../../../values/outsideFields.ts';
import { countField } from '../rest/fields.ts';

const Counters = z.object({ token_balances_count: optionalField(countField) });

/**
 * Whether `tabs-counters` counts more tokens than are listed: what is hidden for scam is counted there, up to 51.
 */
export function readTokenCount(data: unknown, listed: number): CompletenessReason | undefined {
  const counted = Counters.safeParse(data).data?.token_balances_count;
  return counted !== undefined && counted > listed ? { code: 'scamHidden', listed, counted } : undefined;
}
