let format = new Intl.NumberFormat('en');

/** Sets the language of numbers, as a BCP 47 tag: that of the editor. */
export function setNumberLanguage(language: string): void {
  format = new Intl.NumberFormat(language);
}

/** A count or a block number, for people. Amounts and decoded values are written as in code, by `groupDigits`. */
export function formatNumber(value: bigint | number): string {
  return format.format(value);
}
