/** The part of `vscode.l10n` that turns an English sentence into the user's language. */
export interface Localizer {
  t(message: string, ...args: (string | number | boolean)[]): string;
}
