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
