/** Terms of one length. */
const MOST_TERMS = 16;

/**
 * The value of a length as a source writes it: a number, a name, or a sum of products of both, `2 * COUNT - 1`.
 * Undefined for any other, for what is no whole number above 0, and where a name has no value.
 */
export function lengthOf(
  written: string,
  constant: (name: string) => number | undefined,
): number | undefined {
  const signs = written.split(/([-+])/);
  if (signs.length > 2 * MOST_TERMS) return undefined;
  let sum = 0;
  for (let at = 0; at < signs.length; at += 2) {
    const product = productOf(signs[at] ?? '', constant);
    if (product === undefined) return undefined;
    sum += signs[at - 1] === '-' ? -product : product;
  }
  return Number.isSafeInteger(sum) && sum > 0 ? sum : undefined;
}

function productOf(written: string, constant: (name: string) => number | undefined): number | undefined {
  let product = 1;
  for (const factor of written.split('*', MOST_TERMS + 1)) {
    const value = numberOf(factor.trim()) ?? constant(factor.trim());
    if (value === undefined) return undefined;
    product *= value;
  }
  return product;
}

function numberOf(written: string): number | undefined {
  const digits = written.replaceAll('_', '');
  return /^(?:\d{1,15}|0x[\da-fA-F]{1,12})$/.test(digits) ? Number(digits) : undefined;
}
