declare const isOwn: unique symbol;

/**
 * A text written by Chainside or its user, or without room for a sentence. Any other text is from a server, a file or
 * the chain.
 */
export type OwnText = string & { readonly [isOwn]: true };

/** Only literals: a `string`, also as a part of a template, may come from anywhere. */
export type Literal<Text extends string> = Record<never, never> extends Record<Text, unknown> ? never : Text;

/**
 * A word of Chainside's own.
 *
 * @example ownWord('known') // 'known'
 */
export function ownWord<const Text extends string>(word: Text & Literal<Text>): OwnText {
  return asOwn(word);
}

/**
 * A sentence of Chainside's own, as a template with numbers, hex and other texts of its own.
 *
 * @example ownText`Stopped after ${7} seconds.` // 'Stopped after 7 seconds.'
 */
export function ownText(
  parts: TemplateStringsArray,
  ...values: readonly (OwnText | bigint | number | `0x${string}`)[]
): OwnText {
  return asOwn(String.raw({ raw: parts }, ...values));
}

export function joinTexts(texts: readonly OwnText[], separator: string): OwnText {
  return asOwn(texts.join(separator));
}

/** An integer in decimal. */
export function decimal(value: bigint | number): OwnText {
  return asOwn(value.toString());
}

function asOwn(text: string): OwnText {
  return text as OwnText;
}
