import type { VisibleBackoff } from '../../core/index.ts';
import type { Localizer } from './localizer.ts';

/** Until when and why the server is not asked. By the end and not by what is left, so that it is read out once. */
export function waitText({ endsAt, byServer }: VisibleBackoff, l10n: Localizer, locale: string): string {
  const end = new Date(endsAt).toLocaleTimeString(locale);
  return byServer
    ? l10n.t('Waiting until {0}, as the server requests.', end)
    : l10n.t('Waiting until {0} to try again: the server failed.', end);
}
