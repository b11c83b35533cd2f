import type { Localizer } from '../../../host/words/localizer.ts';
import type { GridColumn } from '../../../messaging/panel.ts';

export const columnIds = ['time', 'block', 'from', 'to', 'amount', 'transaction'] as const;
export type Column = (typeof columnIds)[number];

/** The columns of the grid of transfers, in its order. */
export function gridColumns(l10n: Localizer): readonly GridColumn<Column>[] {
  return [
    { id: 'time', name: l10n.t('Time'), width: 220 },
    { id: 'block', name: l10n.t('Block'), width: 100, alignEnd: true },
    { id: 'from', name: l10n.t('From'), width: 350 },
    { id: 'to', name: l10n.t('To'), width: 350 },
    { id: 'amount', name: l10n.t('Amount'), width: 80, alignEnd: true },
    { id: 'transaction', name: l10n.t('Transaction'), width: 200 },
  ];
}
