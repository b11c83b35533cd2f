import { systemClock } from '../core/index.ts';
import type { Localizer } from './l10n.ts';
import { formatNumber } from './numbers.ts';

/** Formats an age in milliseconds: "just now", "4 s ago", "3 min ago", "2 days ago". */
export function formatAge(ageMs: number, l10n: Localizer): string {
  const seconds = Math.floor(ageMs / 1000);
  if (seconds < 1) return l10n.t('just now');
  if (seconds < 60) return l10n.t('{0} s ago', seconds);
  if (seconds < 3600) return l10n.t('{0} min ago', Math.floor(seconds / 60));
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? l10n.t('{0} h ago', hours) : l10n.t('{0} days ago', Math.floor(hours / 24));
}

/** When something was deployed, as far as it is known: "block 14 · 2 min ago". */
export function formatPlacedAge(
  { block, time }: { readonly block?: bigint | undefined; readonly time?: number | undefined },
  l10n: Localizer,
): string | undefined {
  const parts = [
    ...(block === undefined ? [] : [l10n.t('block {0}', formatNumber(block))]),
    ...(time === undefined ? [] : [formatAge(Math.max(0, systemClock.now() - time), l10n)]),
  ];
  return parts.length === 0 ? undefined : parts.join(' · ');
}
