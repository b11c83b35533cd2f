import {
  endsExpression,
  findDeclarations,
  matchBrackets,
  skipExpression,
  skipType,
} from './moduleDeclarations.ts';
import { type ModuleToken, replaceEscapes, tokenizeModule } from './moduleScan.ts';

/** In a file; real configurations have some thousand. */
const MAX_TOKENS = 100_000;
/** Expressions in one another, and constants that refer to one another. */
const MAX_DEPTH = 32;
/** Characters of a text, and of a literal as written. */
const MAX_TEXT_CHARS = 4_096;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const NUMBER = /^(?:0x[0-9a-f]{1,13}|[0-9]{1,15})$/i;

/** The value of an expression as far as it is known without running anything; undefined if it is not. */
export type ModuleValue = boolean | number | ModuleTemplate | ModuleObject | undefined;

/** A text with `${NAME}` for environment variables. No other dollar sign is in it. */
export interface ModuleTemplate {
  readonly template: string;
  /** What the expression has instead while a variable of `template` is not set: `process.env.X ?? 'text'`. */
  readonly fallback?: string | undefined;
}

/**
 * An object literal: where the values of its members begin; a list has the members `0`, `1` and so on. `environment` is
 * `process.env`, with any member.
 */
export type ModuleObject = ReadonlyMap<string, number> | 'environment';

export interface ModuleExpressions {
  /** The default export, or the constant of a type that is named. */
  readonly roots: readonly ModuleObject[];
  /** The value of a member; undefined if it is unknown or missing. */
  getMember(object: ModuleValue, name: string): ModuleValue;
}

/** A value, and the index of the token behind it. */
interface ReadValue {
  readonly value: ModuleValue;
  readonly next: number;
}

export function isModuleTemplate(value: ModuleValue): value is ModuleTemplate {
  return typeof value === 'object' && 'template' in value;
}

export function isModuleObject(value: ModuleValue): value is ReadonlyMap<string, number> {
  return value instanceof Map;
}

/**
 * Reads the object that a module exports by default, in ECMAScript or CommonJS, or declares as a constant of the type
 * `typeName`. Nothing is run: a value is a literal, an environment variable, a text of both, an object literal, or a
 * constant of the module. Anything else, such as other calls and what is imported, is unknown. Spreads are ignored, so
 * that members beside one count as written.
 *
 * @param typeName a type as annotated: `const config: HardhatUserConfig = {…}`.
 */
export function readModuleExpressions(text: string, typeName: string): ModuleExpressions {
  const tokens: ModuleToken[] = [];
  for (const token of tokenizeModule(text)) {
    if (tokens.push(token) > MAX_TOKENS) return { roots: [], getMember: () => undefined };
  }
  const closes = matchBrackets(tokens);
  const { constants, exported, typed } = findDeclarations(tokens, closes, typeName);
  const values = new Map<number, ModuleValue>();
  const objects = new Map<number, ModuleObject>();
  const textAt = (at: number) => tokens[at]?.text;

  /** The value of the complete expression at `start`. */
  function readAll(start: number, depth: number): ModuleValue {
    if (!values.has(start)) {
      // A constant that refers to itself is unknown.
      values.set(start, undefined);
      const read = readChoice(start, depth);
      values.set(start, read && isEnd(tokens[read.next]) ? read.value : undefined);
    }
    return values.get(start);
  }

  /** `a`, `a || b`, `a ?? b`, and a type after it, which is skipped. */
  function readChoice(start: number, depth: number): ReadValue | undefined {
    let read = readSum(start, depth);
    for (;;) {
      const sign = read && textAt(read.next);
      if (!read || (sign !== '||' && sign !== '??')) return read;
      const other = readSum(read.next + 1, depth);
      if (!other) return undefined;
      read = { value: choose(read.value, other.value), next: other.next };
    }
  }

  function readSum(start: number, depth: number): ReadValue | undefined {
    let read = readTyped(start, depth);
    while (read && textAt(read.next) === '+') {
      const other = readTyped(read.next + 1, depth);
      if (!other) return undefined;
      read = { value: concatenate(read.value, other.value), next: other.next };
    }
    return read;
  }

  /** An operand with its members, `!` and `as X`. */
  function readTyped(start: number, depth: number): ReadValue | undefined {
    let read = depth < MAX_DEPTH ? readOperand(start, depth + 1) : undefined;
    while (read) {
      const { value, next } = read;
      const sign = textAt(next);
      const name = tokens[next + 1];
      if ((sign === '.' || sign === '?.') && name?.kind === 'word') {
        read = { value: getMember(value, name.text, depth + 1), next: next + 2 };
      } else if (sign === '[' && name?.kind === 'string' && closes.get(next) === next + 2) {
        read = { value: getMember(value, parseText(name.text) ?? '', depth + 1), next: next + 3 };
      } else if (sign === '!') read = { value, next: next + 1 };
      else if (sign === 'as' || sign === 'satisfies') return { value, next: skipType(tokens, next + 1) };
      else return read;
    }
    return undefined;
  }

  function readOperand(start: number, depth: number): ReadValue | undefined {
    const token = tokens[start];
    const close = closes.get(start);
    if (token === undefined) return undefined;
    if (token.kind === 'string') return { value: toTemplate(parseText(token.text)), next: start + 1 };
    if (token.kind === 'template') return readTemplate(start, depth);
    if (token.text === '(' && close !== undefined) {
      const read = readChoice(start + 1, depth);
      return read?.next === close ? { value: read.value, next: close + 1 } : undefined;
    }
    if (token.text === '{' && close !== undefined) return { value: readObject(start), next: close + 1 };
    if (token.text === '[' && close !== undefined) return { value: readList(start, close), next: close + 1 };
    if (token.kind !== 'word') return undefined;
    const digits = token.text.replaceAll('_', '');
    if (NUMBER.test(digits)) return { value: Number(digits), next: start + 1 };
    if (/^(?:true|false)$/.test(token.text)) return { value: token.text === 'true', next: start + 1 };
    return readNamed(start, token.text, depth);
  }

  /** A call that is known, `process.env`, or a constant. */
  function readNamed(start: number, name: string, depth: number): ReadValue | undefined {
    const isMember = textAt(start + 1) === '.';
    const call = isMember ? `${name}.${textAt(start + 2)}` : name;
    const open = isMember ? start + 3 : start + 1;
    const close = textAt(open) === '(' ? closes.get(open) : undefined;
    if (close !== undefined) {
      if (call === 'defineConfig') return { value: readChoice(open + 1, depth)?.value, next: close + 1 };
      const isVariable = call === 'configVariable' || call === 'vars.get';
      return isVariable ? { value: readVariable(open, call, depth), next: close + 1 } : undefined;
    }
    const isProcess = name === 'process' && (isMember || textAt(start + 1) === '?.');
    if (isProcess && textAt(start + 2) === 'env') return { value: 'environment', next: start + 3 };
    const constant = constants.get(name);
    if (constant === undefined) return undefined;
    const value = readAll(constant.start, depth);
    if (constant.member === undefined) return { value, next: start + 1 };
    const member = getMember(value, constant.member, depth);
    const fallback = constant.fallback === undefined ? undefined : readAll(constant.fallback, depth);
    return { value: fallback ? choose(member, fallback) : member, next: start + 1 };
  }

  /**
   * A configuration variable of Hardhat. Its store of secrets is not read, but the variable of the environment that
   * Hardhat prefers to it. https://hardhat.org/docs/explanations/configuration-variables
   * https://v2.hardhat.org/hardhat-runner/docs/guides/configuration-variables
   */
  function readVariable(open: number, call: string, depth: number): ModuleValue {
    const name = readChoice(open + 1, depth);
    if (!name || !isModuleTemplate(name.value)) return undefined;
    const isVars = call === 'vars.get';
    const variable = toVariable(`${isVars ? 'HARDHAT_VAR_' : ''}${name.value.template}`);
    if (textAt(name.next) !== ',' || closes.get(open) === name.next + 1) return variable;
    const option = readChoice(name.next + 1, depth)?.value;
    if (isVars) return choose(variable, option);
    const [format, initial] = isModuleTemplate(option)
      ? [option]
      : [getMember(option, 'format', depth), getMember(option, 'default', depth)];
    const insert = (value: ModuleValue) => {
      if (!isModuleTemplate(format) || !isModuleTemplate(value)) return value;
      const parts = format.template.split('{variable}');
      // Each part may stand for a text of thousands of characters.
      return (parts.length - 1) * value.template.length > MAX_TEXT_CHARS
        ? undefined
        : toBounded(parts.join(value.template));
    };
    const isUnknown = isModuleObject(option) ? option.has('format') && !format : !isModuleTemplate(option);
    return isUnknown ? undefined : choose(insert(variable), insert(initial) ?? { template: '' });
  }

  function readTemplate(start: number, depth: number): ReadValue | undefined {
    let value: ModuleValue = { template: '' };
    let at = start;
    for (;;) {
      const part = tokens[at];
      if (part?.kind !== 'template') return undefined;
      const isLast = part.text.length > 1 && part.text.endsWith('`');
      const isOpen = part.text.endsWith('$' + '{');
      if (!isLast && !isOpen) return undefined;
      value = concatenate(value, toTemplate(parseText(part.text, isOpen ? 2 : 1)));
      if (!isOpen) return { value, next: at + 1 };
      const inner = readChoice(at + 1, depth);
      if (!inner) return undefined;
      value = concatenate(value, inner.value);
      at = inner.next;
    }
  }

  /** The members of an object literal. A later one replaces an earlier one of the same name; spreads and methods are left out. */
  function readObject(open: number): ModuleObject {
    const known = objects.get(open);
    if (known) return known;
    const members = new Map<string, number>();
    const close = closes.get(open) ?? open;
    for (let at = open + 1; at < close; at = skipExpression(tokens, closes, at) + 1) {
      const key = tokens[at];
      const sign = textAt(at + 1);
      if (key?.kind !== 'word' && key?.kind !== 'string') continue;
      const name = key.kind === 'string' ? parseText(key.text) : key.text;
      if (name === undefined) continue;
      if (sign === ':') members.set(name, at + 2);
      else if (sign === ',' || at + 1 === close) members.set(name, at);
      // A method or getter replaces it too.
      else members.delete(name);
    }
    objects.set(open, members);
    return members;
  }

  /** Undefined with a spread: how many elements it has is unknown. */
  function readList(open: number, close: number): ModuleObject | undefined {
    const known = objects.get(open);
    if (known) return known;
    const elements = new Map<string, number>();
    for (let at = open + 1; at < close; at = skipExpression(tokens, closes, at) + 1) {
      if (textAt(at)?.startsWith('.')) return undefined;
      elements.set(String(elements.size), at);
    }
    objects.set(open, elements);
    return elements;
  }

  function getMember(object: ModuleValue, name: string, depth = 0): ModuleValue {
    if (object === 'environment') return toVariable(name);
    const start = isModuleObject(object) ? object.get(name) : undefined;
    return start === undefined ? undefined : readAll(start, depth);
  }

  const roots = [exported, typed].flatMap((start) => {
    const value = start === undefined ? undefined : readAll(start, 0);
    return isModuleObject(value) ? [value] : [];
  });
  return { roots, getMember: (object, name) => getMember(object, name) };
}

/** Where an expression may end: nothing is called, indexed, compared or computed with it. */
function isEnd(token: ModuleToken | undefined): boolean {
  if (token === undefined || endsExpression(token.text)) return true;
  return token.startsLine && (token.kind === 'word' || token.text === '@');
}

/** `a || b`: nothing is known of it unless both are, and an empty text is no fallback. */
function choose(value: ModuleValue, other: ModuleValue): ModuleValue {
  if (!isModuleTemplate(value) || !isModuleTemplate(other)) return undefined;
  if (value.fallback !== undefined || !value.template.includes('$') || other.template === '') return value;
  return { template: value.template, fallback: other.template };
}

/** `a + b` of texts. A fallback of a part is left out: the variable is then required. */
function concatenate(value: ModuleValue, other: ModuleValue): ModuleValue {
  if (!isModuleTemplate(value) && !isModuleTemplate(other)) return undefined;
  const [first, second] = [value, other].map((each) =>
    typeof each === 'number' ? toTemplate(`${each}`) : each,
  );
  if (!isModuleTemplate(first) || !isModuleTemplate(second)) return undefined;
  return toBounded(first.template + second.template);
}

function toBounded(template: string): ModuleTemplate | undefined {
  return template.length <= MAX_TEXT_CHARS ? { template } : undefined;
}

/** A literal text. One with a dollar sign could be read as a variable. */
function toTemplate(text: string | undefined): ModuleTemplate | undefined {
  return text === undefined || text.includes('$') ? undefined : { template: text };
}

function toVariable(name: string): ModuleTemplate | undefined {
  return VARIABLE_NAME.test(name) ? { template: `\${${name}}` } : undefined;
}

/** The text of a literal, or of a part of a template; undefined if it is not closed, or too long. */
function parseText(written: string, endChars = 1): string | undefined {
  const isQuoted = written[0] !== "'" && written[0] !== '"' ? true : written.at(-1) === written[0];
  if (!isQuoted || written.length < 1 + endChars || written.length > MAX_TEXT_CHARS) return undefined;
  const inner = written.slice(1, -endChars);
  return inner.includes('\\') ? replaceEscapes(inner) : inner;
}
