import { isHashed } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import { argumentColumnOf, type LogColumn, ownColumnOf } from '../protocol/columns.ts';
import type { Shape } from './shape.ts';

/** Pixels for an address that is told by its name or in short. */
const SHORT_ADDRESS = 170;

/** The columns of the grid, in order. */
export function shapeColumns(
  shape: Shape,
  l10n: Localizer,
  { timesHint }: { readonly timesHint: string },
): readonly LogColumn[] {
  const address = (width?: number) => (shape.showsAddress ? [ownColumnOf('address', l10n, { width })] : []);
  const place = [ownColumnOf('block', l10n), ownColumnOf('time', l10n, { hint: timesHint })];
  switch (shape.kind) {
    case 'raw':
      return [
        ...place,
        ...(['index', 'transaction'] as const).map((id) => ownColumnOf(id, l10n)),
        ...address(),
        ...(['topics', 'data'] as const).map((id) => ownColumnOf(id, l10n)),
      ];
    case 'mixed':
      return [
        ...place,
        ownColumnOf('event', l10n),
        ...address(SHORT_ADDRESS),
        ownColumnOf('transaction', l10n),
        ownColumnOf('index', l10n),
      ];
    case 'event':
      return [
        ...place,
        ...shape.event.inputs.map((input, index) =>
          argumentColumnOf(index, { ...input, isHashed: isHashed(input) }, l10n),
        ),
        ownColumnOf('transaction', l10n),
        ...address(SHORT_ADDRESS),
        ownColumnOf('index', l10n),
      ];
  }
}
