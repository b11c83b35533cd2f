/** What sentences are made in: their words, and how numbers and times are written. */
export interface Language {
  readonly l10n: Localizer;
  /** As BCP 47 names it. */
  readonly locale: string;
}

/** The part of `vscode.l10n` that turns an English sentence into the user's language. */
export interface Localizer {
  t(message: string, ...args: (string | number | boolean)[]): string;
}
