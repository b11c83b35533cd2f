import { type ArgumentOptions, parseArguments, requireFewValues } from '../abi/argument.ts';
import { findUnknownTypes, isIdentifier, tokenize } from '../abi/declaration.ts';
import { type AbiFunction, MAX_ITEM_CHARS, parseAbiItem } from '../abi/item.ts';
import type { AbiValue } from '../abi/type.ts';
import { badInput, isAppError } from '../base/errors.ts';
import { createMessage, foreign } from '../base/text.ts';
import { type Hex, parseHexData } from '../eth/hex.ts';

/**
 * A function as a person writes it: by its name, by its selector, or declared. A declaration without `returns` is only a
 * signature: what the function returns is then in an ABI. One with names of structs, enums or contracts is only a name.
 */
export type WrittenFunction =
  | {
      readonly kind: 'name';
      readonly name: string;
      /** Set for a declaration with a type that only its source knows: a contract, an enum or a struct. */
      readonly unknownType?: string;
    }
  | { readonly kind: 'selector'; readonly selector: Hex }
  | { readonly kind: 'declaration'; readonly item: AbiFunction; readonly hasOutputs: boolean };

/**
 * Parses a function: `balanceOf`, `0x70a08231`, `balanceOf(address)`, or a declaration as Solidity, `balanceOf(address
 * owner) view returns (uint256)`, or cast writes it, `balanceOf(address)(uint256)`.
 *
 * @throws AppError `badInput` for `function`.
 * @example parseWrittenFunction('balanceOf') // { kind: 'name', name: 'balanceOf' }
 */
export function parseWrittenFunction(text: string): WrittenFunction {
  const typed = text.trim();
  const selector = parseHexData(typed, 4);
  if (selector !== undefined) return { kind: 'selector', selector };
  if (NAME.test(typed)) return { kind: 'name', name: typed };
  const declared = normalizeDeclaration(typed);
  const item = declared && parseAbiItem(declared.text);
  if (declared && item?.kind === 'function')
    return { kind: 'declaration', item, hasOutputs: declared.hasOutputs };
  const [unknown] = declared ? findUnknownTypes(declared.text) : [];
  if (declared && unknown) return { kind: 'name', name: declared.name, unknownType: unknown.word };
  throw badInput(
    'function',
    createMessage(
      'Not a function: {0}. Enter its name, or declare it: balanceOf(address) view returns (uint256).',
      foreign(typed, 80),
    ),
  );
}

const NAME = /^[A-Za-z_$][\w$]{0,255}$/;

/**
 * A declaration of Solidity, ethers (`tuple(…)`) or cast (`f(address)(uint256)`) in the form of an ABI, without `override(…)`,
 * modifiers of contracts and the body. Undefined if it does not begin as one.
 */
function normalizeDeclaration(text: string) {
  const written = text.length > MAX_ITEM_CHARS ? [] : tokenize(text);
  if (written[0] === 'function' && written[1] !== '(') written.shift();
  const tokens = written.filter((token, index) => token !== 'tuple' || written[index + 1] !== '(');
  const [name = '', open] = tokens;
  if (!isIdentifier(name) || open !== '(') return undefined;
  const inputsEnd = findClosing(tokens, 1);
  const end = tokens.findIndex((token, index) => index > inputsEnd && /^[;{]$/.test(token));
  const rest = tokens.slice(inputsEnd, end < 0 ? undefined : end);
  while (/^[:>→-]$/.test(rest[0] ?? '')) rest.shift();
  const isCast = rest[0] === '(';
  const returns = isCast ? -1 : rest.indexOf('returns');
  const hasOutputs = isCast || returns >= 0;
  const outputs = hasOutputs ? rest.slice(returns + 1) : [];
  const modifiers = hasOutputs ? rest.slice(0, Math.max(returns, 0)) : rest;
  if (!modifiers.every((token) => /^[\w$(),.]+$/.test(token))) return undefined;
  const isView = modifiers.some((token) => /^(?:view|pure|constant)$/.test(token));
  const parts = [
    ...tokens.slice(0, inputsEnd),
    isView ? 'view' : '',
    ...(hasOutputs ? ['returns', ...outputs] : []),
  ];
  return { name, hasOutputs, text: `function ${parts.join(' ')}` };
}

/** The index behind the parenthesis that closes the one at `from`. */
function findClosing(tokens: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    if (tokens[at] === '(') depth++;
    else if (tokens[at] === ')' && --depth === 0) return at + 1;
  }
  return tokens.length;
}

/** The functions that have a written name, selector or signature. */
export function filterFunctions(
  functions: readonly AbiFunction[],
  written: WrittenFunction,
): readonly AbiFunction[] {
  switch (written.kind) {
    case 'name':
      return functions.filter(({ name }) => name === written.name);
    case 'selector':
      return functions.filter(({ selector }) => selector === written.selector);
    case 'declaration':
      return functions.filter(({ selector }) => selector === written.item.selector);
  }
}

/**
 * Chooses the function that takes these arguments, among functions of one name, and parses the arguments.
 *
 * @param functions at least one.
 * @throws AppError `badInput` for `args` and its parts if none fits, for `function` if several do.
 */
export function chooseFunction(
  functions: readonly AbiFunction[],
  args: readonly unknown[],
  options: ArgumentOptions,
): { readonly item: AbiFunction; readonly values: readonly AbiValue[] } {
  const bySelector = new Map(functions.toReversed().map((item) => [item.selector, item]));
  const distinct = [...bySelector.values()].reverse();
  const taking = distinct.filter(({ inputs }) => inputs.length === args.length);
  const [only, ...others] = taking.length > 0 ? taking : distinct;
  if (only && others.length === 0) return { item: only, values: parseArguments(only.inputs, args, options) };
  requireFewValues(args, taking.length);
  const fitting = taking.flatMap((item) => {
    try {
      return [{ item, values: parseArguments(item.inputs, args, options) }];
    } catch (error) {
      if (isAppError(error, 'badInput')) return [];
      throw error;
    }
  });
  const [chosen, ...more] = fitting;
  if (chosen && more.length === 0) return chosen;
  const signatures = (fitting.length > 0 ? fitting.map(({ item }) => item) : distinct)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ signature }) => signature)
    .join('; ');
  throw fitting.length > 0
    ? badInput('function', createMessage('Several functions fit. Enter one of {0}.', foreign(signatures)))
    : badInput('args', createMessage('These arguments fit none of {0}.', foreign(signatures)));
}

const MAX_SUGGESTIONS = 6;
