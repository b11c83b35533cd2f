import type { Language, Localizer } from '../../src/host/l10n.ts';

/** English as it is written in the program. */
export const l10n: Localizer = {
  t: (message, ...values) => message.replaceAll(/\{(\d+)\}/g, (_, index) => String(values[Number(index)])),
};

export const english: Language = { l10n, locale: 'en' };
