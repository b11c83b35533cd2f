import type { Localizer } from '../../../host/words/localizer.ts';
import type { RowsFormat } from '../protocol/selectedRows.ts';

/** Rows as tables; what copies them says so. */
export function tableOffers(l10n: Localizer, copy: (format: RowsFormat) => Promise<void>) {
  const offer = (label: string, purpose: string, format: RowsFormat) => ({
    ...{ label, purpose },
    copy: () => copy(format),
  });
  return [
    offer('Markdown', l10n.t('Table of what is shown'), 'markdown'),
    offer('CSV', l10n.t('Table of exact values'), 'csv'),
    offer('TSV', l10n.t('The same, to paste into a spreadsheet'), 'tsv'),
    offer('JSON', l10n.t('As eth_getLogs gives it'), 'json'),
  ];
}
