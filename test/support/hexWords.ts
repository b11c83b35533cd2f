import assert from 'node:assert/strict';
import { type Address, encodeParameters, type Hex, parseAbiItem } from '../../src/core/index.ts';
import type { MeaningFormat } from '../../src/features/decode/formatMeaning.ts';
import { l10n } from './english.ts';

/** English, with one address that has a name; what is not of a bundled list is declared in line 6 of its file. */
export function createWording(treasury: Address): MeaningFormat {
  return {
    l10n,
    nameOf: (address) => (address === treasury ? 'Treasury' : undefined),
    placeOf: ({ trust, from }) => (trust === 'bundled' ? undefined : { file: `file:///${from}`, line: 6 }),
  };
}

/** Data of a call or a revert. */
export function encodeItem(item: string, ...values: Parameters<typeof encodeParameters>[1]): Hex {
  const parsed = parseAbiItem(item);
  if (!parsed || parsed.kind === 'event') return assert.fail(item);
  return `${parsed.selector}${encodeParameters(parsed.inputs, values).slice(2)}` as Hex;
}
