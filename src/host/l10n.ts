import type { AppError, Message } from '../core/index.ts';

/** The language of messages, and the format of numbers and times. */
export interface Language {
  readonly l10n: Localizer;
  /** A BCP 47 tag. */
  readonly locale: string;
}

/** The part of `vscode.l10n` that translates an English message. */
export interface Localizer {
  t(message: string, ...args: (string | number | boolean)[]): string;
}

/** A message of core in the user's language. */
export function localize({ template, args }: Message, l10n: Localizer): string {
  return l10n.t(
    template,
    ...args.map((arg) => {
      if (typeof arg !== 'object') return arg;
      return 'foreign' in arg ? arg.foreign : localize(arg, l10n);
    }),
  );
}

/** What is wrong with an input, in the user's language. */
export function formatValidationError({ message, details }: AppError, l10n: Localizer): string {
  return details.validation ? localize(details.validation, l10n) : message;
}
