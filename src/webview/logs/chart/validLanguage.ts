/**
 * Gives the page a language that `Intl` takes. uPlot makes a format of the browser's as it is loaded, which is
 * `en-US@posix` where the system has none.
 */
export function makeLanguageValid(): void {
  try {
    new Intl.NumberFormat(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: document.documentElement.lang });
  }
}
