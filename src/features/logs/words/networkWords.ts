import type { Localizer } from '../../../host/words/localizer.ts';
import type { PanelNetworkWords } from '../protocol/logsSnapshot.ts';

interface ShownNetwork {
  readonly network: { readonly id: string; readonly name: string };
  /** The active one, where it is another. */
  readonly other: { readonly name: string } | undefined;
  readonly lost: { readonly name: string; readonly how: 'removed' | 'changed' } | undefined;
  readonly hasRows: boolean;
}

/** Which network the panel asks, where that is to be said, and how to move it over to the active one. */
export function networkWords(
  { network, other, lost, hasRows }: ShownNetwork,
  l10n: Localizer,
): PanelNetworkWords {
  const { id, name } = network;
  return {
    id,
    mark: lost && hasRows ? lost.name : other && name,
    note: lost ? lossText(lost, name, l10n) : other && l10n.t('Active network: {0}', other.name),
    move: other && l10n.t('Move to {0}', other.name),
  };
}

function lossText({ name, how }: NonNullable<ShownNetwork['lost']>, next: string, l10n: Localizer): string {
  return how === 'removed'
    ? l10n.t('{0} was removed from the settings. Run the query to ask {1}.', name, next)
    : l10n.t('The endpoint of {0} was changed in the settings. Run the query to ask it.', name);
}
