import type { Localizer } from '../../../host/words/localizer.ts';
import type { GridColumn } from '../../../messaging/panel.ts';

export const columnIds = ['kind', 'block', 'time', 'from', 'to', 'amount', 'transaction'] as const;
export type Column = (typeof columnIds)[number];

/** All columns that the grid of transfers can have, in its order. */
export function gridColumns(l10n: Localizer): readonly GridColumn<Column>[] {
  return [
    { id: 'kind', name: l10n.t('Kind'), width: 100 },
    { id: 'block', name: l10n.t('Block'), width: 90, alignEnd: true },
    { id: 'time', name: l10n.t('Time'), width: 166 },
    { id: 'from', name: l10n.t('From'), width: 125 },
    { id: 'to', name: l10n.t('To'), width: 125 },
    { id: 'amount', name: l10n.t('Amount'), width: 80, alignEnd: true },
    { id: 'transaction', name: l10n.t('Transaction'), width: 130 },
  ];
}
