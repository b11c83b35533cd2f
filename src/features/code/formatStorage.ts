import type { StorageChange } from '../../core/index.ts';
import type { Localizer } from '../../host/l10n.ts';
import { formatNumber } from '../../host/numbers.ts';

type Variable = NonNullable<StorageChange['before']>;

const SLOT_BYTES = 32n;
/** A namespace of ERC-7201 begins at a hash. */
const MAX_DECIMAL_SLOT = 1n << 64n;

/**
 * Whether an upgrade leaves stored values where they are.
 *
 * @param isPartial whether some variables are not compared.
 */
export function formatStorageSummary(
  changes: readonly StorageChange[],
  isPartial: boolean,
  l10n: Localizer,
): string {
  const has = (verdict: StorageChange['verdict']) => changes.some((change) => change.verdict === verdict);
  if (has('risk')) return l10n.t('Do not upgrade to this build: stored values would be read as others.');
  if (isPartial) return l10n.t('No compared variable moves. Others may.');
  if (has('review')) return l10n.t('No stored value moves. Review the changes below.');
  return changes.length > 0
    ? l10n.t('No stored value moves.')
    : l10n.t('The storage layout is the same. No stored value moves.');
}

/** `total: from slot 1 to slot 2` */
export function formatStorageChange({ kind, before, after }: StorageChange, l10n: Localizer): string {
  const name = before ? formatName(before) : '';
  const newName = after ? formatName(after) : '';
  const from = before ? formatPlace(before, l10n) : '';
  const to = after ? formatPlace(after, l10n) : '';
  switch (kind) {
    case 'moved':
      return l10n.t('{0} moves from {1} to {2}', name, from, to);
    case 'retyped':
      return formatRetyped({ name, newName, place: from, before, after }, l10n);
    case 'renamed':
      return l10n.t('{0} in {1} becomes {2}', name, from, newName);
    case 'inserted':
      return l10n.t('{0} is inserted in {1}, which another variable wrote', newName, to);
    case 'removed':
      return l10n.t('{0} is removed; its value stays in {1}', name, from);
    case 'appended':
      return l10n.t('{0} is new in {1}', newName, to);
    case 'extended':
      return l10n.t('{0} has new members at the end of its struct', name);
    case 'gap':
      return l10n.t('{0} has {1} instead of {2} slots', name, formatSlots(after), formatSlots(before));
  }
}

function formatRetyped(
  {
    name,
    newName,
    place,
    before,
    after,
  }: {
    readonly name: string;
    readonly newName: string;
    readonly place: string;
    readonly before: Variable | undefined;
    readonly after: Variable | undefined;
  },
  l10n: Localizer,
): string {
  const [one = '', other = ''] = [before?.type.label, after?.type.label];
  if (name !== newName) return l10n.t('{0} in {1} ({2}) becomes {3} ({4})', name, place, one, newName, other);
  return one === other
    ? l10n.t('{0} in {1}: the parts of {2} change', name, place, one)
    : l10n.t('{0} in {1}: {2} becomes {3}', name, place, one, other);
}

function formatName({ label, namespace }: Variable): string {
  return namespace === '' ? label : `${namespace}.${label}`;
}

function formatPlace({ slot, offset }: Variable, l10n: Localizer): string {
  const text = slot < MAX_DECIMAL_SLOT ? formatNumber(slot) : `0x${slot.toString(16)}`;
  return offset === 0 ? l10n.t('slot {0}', text) : l10n.t('slot {0} byte {1}', text, offset);
}

function formatSlots(variable: Variable | undefined): string {
  return formatNumber((variable?.size ?? 0n) / SLOT_BYTES);
}
