/**
 * A text as a literal of JavaScript, of plain ASCII alone.
 *
 * @example jsString("it's") // "'it\\'s'"
 */
export function jsString(text: string): string {
  const escaped = text.replace(/[^ !#-&(-[\]-~"]/g, (unit) => {
    if (unit === "'" || unit === '\\') return `\\${unit}`;
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `'${escaped}'`;
}

/** Texts as a literal: one alone, or a list. */
export function oneOrList(literals: readonly string[]): string {
  const [first = '', ...others] = literals;
  return others.length === 0 ? first : `[${literals.join(', ')}]`;
}

/** The value of a variable of the environment that holds a URL or a literal with it. */
export function jsUrl(url: string | undefined): string {
  return url === undefined ? 'process.env.RPC_URL' : jsString(url);
}

/** A header's value, of which the secret is in a variable of the environment. */
export function jsHeaderValue({ before }: { readonly before: string }): string {
  return before === '' ? 'process.env.RPC_KEY' : `${jsString(before)} + process.env.RPC_KEY`;
}
