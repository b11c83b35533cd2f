/** Of one length. */
const MAX_TOKENS = 64;
const MAX_BITS = 256;
const UNITS: Readonly<Record<string, bigint>> = {
  ...{ wei: 1n, gwei: 10n ** 9n, ether: 10n ** 18n },
  ...{ seconds: 1n, minutes: 60n, hours: 3600n, days: 86_400n, weeks: 604_800n },
};
const NUMBER =
  /^(?:(0x[\da-fA-F]{1,64})|(\d{1,77})(?:[eE](\d{1,2}))?)(wei|gwei|ether|seconds|minutes|hours|days|weeks)?$/;
const TOKEN = /\*\*|<<|>>|\/\/|[-+*/%&|^~()]|[\w$]+(?:\.[\w$]+)*|\S/g;

/** From what binds least; `**` binds from the right. */
const LEVELS: readonly (readonly string[])[] = [
  ...[['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/', '%', '//'], ['**']],
];

/** A number, and whether a constant is in it: two literals divide exactly, a constant has the type of an integer. */
interface Value {
  readonly value: bigint;
  readonly isTyped: boolean;
}

/**
 * Evaluates the length of an array: numbers, names and the operators of integers, `(N + 1) * 2`. Undefined for anything
 * else, and if a name has no value.
 *
 * @param constant the value of a name.
 * @example evaluateLength('2 * N - 1', () => 3n) // 5n
 */
export function evaluateLength(
  written: string,
  constant: (name: string) => bigint | undefined,
): bigint | undefined {
  const tokens = written.match(TOKEN) ?? [];
  if (tokens.length > MAX_TOKENS) return undefined;
  let at = 0;

  function readLevel(level: number): Value | undefined {
    const operators = LEVELS[level];
    if (!operators) return readUnary();
    let left = readLevel(level + 1);
    while (left && operators.includes(tokens[at] ?? '')) {
      const operator = tokens[at++] ?? '';
      const right = readLevel(operator === '**' ? level : level + 1);
      left = right && apply(operator, left, right);
    }
    return left;
  }

  function readUnary(): Value | undefined {
    const token = tokens[at++] ?? '';
    if (token === '(') {
      const inner = readLevel(0);
      return tokens[at++] === ')' ? inner : undefined;
    }
    if (token === '-' || token === '~') {
      const operand = readUnary();
      return operand && { ...operand, value: token === '-' ? -operand.value : ~operand.value };
    }
    const literal = parseNumber(token);
    if (literal !== undefined) return { value: literal, isTyped: false };
    const value = /^[A-Za-z_$]/.test(token) ? constant(token) : undefined;
    return value === undefined ? undefined : { value, isTyped: true };
  }

  const result = readLevel(0);
  return at === tokens.length ? result?.value : undefined;
}

function apply(operator: string, left: Value, right: Value): Value | undefined {
  const value = calculate(operator, left.value, right.value);
  const isTyped = left.isTyped || right.isTyped;
  if (value === undefined || value.toString(2).length > MAX_BITS + 1) return undefined;
  // Literals are fractions, which no list has as its length.
  if (operator === '/' && !isTyped && value * right.value !== left.value) return undefined;
  return { value, isTyped };
}

function calculate(operator: string, left: bigint, right: bigint): bigint | undefined {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
    case '//':
      return right === 0n ? undefined : left / right;
    case '%':
      return right === 0n ? undefined : left % right;
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
  }
  if (right < 0n || right > MAX_BITS) return undefined;
  if (operator === '<<') return left << right;
  return operator === '>>' ? left >> right : left ** right;
}

function parseNumber(written: string): bigint | undefined {
  const [, hex, digits, exponent = '0', unit] = NUMBER.exec(written.replaceAll('_', '')) ?? [];
  const number = hex ?? digits;
  if (number === undefined) return undefined;
  return BigInt(number) * 10n ** BigInt(exponent) * (UNITS[unit ?? ''] ?? 1n);
}
