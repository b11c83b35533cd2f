import type { ArgumentOptions } from '../abi/argument.ts';
import { parseArguments } from '../abi/argument.ts';
import { type AbiFunction, parseAbiItem } from '../abi/item.ts';
import type { AbiValue } from '../abi/type.ts';
import { badInput, isAppError } from '../base/errors.ts';
import { createMessage, sanitizeText } from '../base/text.ts';
import { type Hex, parseHexData } from '../eth/hex.ts';

/**
 * A function as a person writes it: by its name, by its selector, or declared. A declaration without `returns` is only a
 * signature: what the function returns is then in an ABI.
 */
export type WrittenFunction =
  | { readonly kind: 'name'; readonly name: string }
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
  const declaration = typed.replace(/^function\s+/, '');
  const item = parseAbiItem(`function ${declaration}`) ?? parseAbiItem(`function ${addReturns(declaration)}`);
  if (item?.kind === 'function') {
    const hasOutputs = item.outputs.length > 0 || /\breturns\b/.test(declaration);
    return { kind: 'declaration', item, hasOutputs };
  }
  throw badInput(
    'function',
    createMessage(
      'Not a function: {0}. Write its name, or declare it: balanceOf(address) view returns (uint256).',
      sanitizeText(typed, 80),
    ),
  );
}

const NAME = /^[A-Za-z_$][\w$]{0,255}$/;

/** `f(address)(uint256)` as `f(address) returns (uint256)`. */
function addReturns(declaration: string): string {
  let depth = 0;
  for (let at = 0; at < declaration.length; at++) {
    if (declaration[at] === '(') depth++;
    else if (declaration[at] === ')' && --depth === 0)
      return `${declaration.slice(0, at + 1)} returns ${declaration.slice(at + 1)}`;
  }
  return declaration;
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
    ? badInput('function', createMessage('Several functions fit. Write one of {0}.', signatures))
    : badInput('args', createMessage('These arguments fit none of {0}.', signatures));
}

const MAX_SUGGESTIONS = 6;
