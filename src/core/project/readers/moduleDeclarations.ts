import type { ModuleToken } from './moduleScan.ts';

/** The index of the closing bracket for that of each opening one that is closed. */
export function matchBrackets(tokens: readonly ModuleToken[]): ReadonlyMap<number, number> {
  const closes = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === 'string' || kind === 'word') continue;
    const top = open.at(-1);
    const closesTop = top !== undefined && CLOSING.get(tokens[top]?.text.at(-1) ?? '') === text[0];
    if (closesTop && (kind === 'sign' || text[0] === '}')) {
      closes.set(top, at);
      open.pop();
    }
    if (kind === 'template' ? text.endsWith('$' + '{') : CLOSING.has(text)) open.push(at);
  }
  return closes;
}

/** The closing bracket of the one at `start`, at the end of all interpolations of a template; `start` for other tokens. */
function skipBrackets(closes: ReadonlyMap<number, number>, start: number): number {
  let at = start;
  for (let next = closes.get(at); next !== undefined; next = closes.get(at)) at = next;
  return at;
}

export function endsExpression(text: string): boolean {
  return text === ',' || text === ';' || text === ')' || text === ']' || text.startsWith('}');
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** The index of the comma, semicolon or closing bracket that ends the expression at `start`. */
export function skipExpression(
  tokens: readonly ModuleToken[],
  closes: ReadonlyMap<number, number>,
  start: number,
): number {
  let at = start;
  while (at < tokens.length) {
    const close = skipBrackets(closes, at);
    if (close === at && endsExpression(tokens[at]?.text ?? '')) return at;
    at = close + 1;
  }
  return at;
}

/** Past a type such as `string`, `readonly X[]`, `Record<string, X>` or `'a' | 'b'`. */
export function skipType(tokens: readonly ModuleToken[], start: number): number {
  let angles = 0;
  let at = start;
  for (; at < tokens.length; at++) {
    const { kind, text, startsLine } = tokens[at] as ModuleToken;
    if (kind === 'word' || kind === 'string') {
      if (at > start && startsLine && tokens[at - 1]?.kind !== 'sign') return at;
    } else if (text === '<') angles++;
    else if (text === '>' && angles > 0) angles--;
    else if (!(text === ',' && angles > 0) && !['.', '|', '&'].includes(text)) {
      if (text !== '[' || tokens[at + 1]?.text !== ']') return at;
      at++;
    }
  }
  return at;
}

interface Constant {
  /** Where its expression begins. */
  readonly start: number;
  /** The member of it in `const { member: name = fallback } = …`. */
  readonly member?: string;
  readonly fallback?: number;
}

interface Declarations {
  readonly constants: ReadonlyMap<string, Constant>;
  readonly exported: number | undefined;
  readonly typed: number | undefined;
}

/** What is declared and exported outside of all brackets. */
export function findDeclarations(
  tokens: readonly ModuleToken[],
  closes: ReadonlyMap<number, number>,
  typeName: string,
): Declarations {
  const constants = new Map<string, Constant>();
  const texts = (at: number, count: number) =>
    tokens
      .slice(at, at + count)
      .map(({ text }) => text)
      .join(' ');
  let exported: number | undefined;
  let typed: number | undefined;
  for (let at = 0; at < tokens.length; at++) {
    const text = tokens[at]?.text;
    if (tokens[at - 1]?.text === '.') continue;
    if (text === 'export' && texts(at + 1, 1) === 'default') exported = at + 2;
    else if (text === 'export' && texts(at + 1, 1) === '=') exported = at + 2;
    else if (text === 'module' && texts(at, 4) === 'module . exports =') exported = at + 4;
    else if (text === 'const') {
      const target = at + 1;
      const equals = findEquals(tokens, closes, closes.get(target) ?? target);
      if (equals === undefined) continue;
      const start = equals + 1;
      if (tokens[target]?.text === '{') addMembers(target, start);
      else constants.set(tokens[target]?.text ?? '', { start });
      if (tokens.slice(target, equals).some((each) => each.text === typeName)) typed ??= start;
    } else at = skipBrackets(closes, at);
  }

  function addMembers(open: number, start: number): void {
    const close = closes.get(open) ?? open;
    for (let at = open + 1; at < close; at = skipExpression(tokens, closes, at) + 1) {
      const member = texts(at, 1);
      const nameAt = texts(at + 1, 1) === ':' ? at + 2 : at;
      const hasFallback = texts(nameAt + 1, 1) === '=';
      if (tokens[nameAt]?.kind !== 'word') continue;
      constants.set(texts(nameAt, 1), { start, member, ...(hasFallback && { fallback: nameAt + 2 }) });
    }
  }
  return { constants, exported, typed };
}

/** Tokens between the name of a constant and its value; real types have up to twenty. */
const MAX_TYPE_TOKENS = 100;

/** The equals sign behind the name of a constant and its type. */
function findEquals(
  tokens: readonly ModuleToken[],
  closes: ReadonlyMap<number, number>,
  start: number,
): number | undefined {
  let at = start + 1;
  for (let count = 0; count < MAX_TYPE_TOKENS; count++, at++) {
    at = closes.get(at) ?? at;
    const text = tokens[at]?.text;
    if (text === undefined || text === ';') return undefined;
    if (text === '=') return at;
  }
  return undefined;
}
