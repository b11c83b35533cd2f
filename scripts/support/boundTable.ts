import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BOUNDS } from './boundRows.ts';
import { fromRoot } from './paths.ts';

/** The rows of the table of bounds, in which each number is a constant of the source. */
export function boundRows(): readonly (readonly string[])[] {
  return BOUNDS.map(([what, bound, ...tests]) => [what, fillIn(bound), tests.map(linkTest).join(', ')]);
}

function linkTest(test: string): string {
  if (!existsSync(fromRoot('test', test)))
    throw new Error(`The table of bounds names test/${test}, which is not there.`);
  return `[${test}](test/${test})`;
}

/** `{core/http/exchange.ts:DEFAULT_MAX_BYTES}` is `32 MiB`; a unit can follow: `{…:MAX_FORKS as spelled}`. */
function fillIn(bound: string): string {
  return bound.replaceAll(/\{([^:{}]+):([\w.]+)(?: as ([^{}]+))?\}/g, (_, file, name, unit) => {
    const value = readConstant(`src/${file}`, name);
    const text = UNITS[unit ?? unitOf(name)]?.(value);
    if (text === undefined)
      throw new Error(`${file}: ${name} is ${value}, which cannot be written as ${unit}.`);
    return text;
  });
}

/**
 * The value of `const NAME = …`, or of a member of `const NAME = { … }`. Operands can be constants that the file declares
 * or imports.
 *
 * @example readConstant('src/core/http/response.ts', 'JSON_LIMITS.maxDepth') // 64
 */
export function readConstant(file: string, path: string): number {
  const text = readSource(file);
  const [name = '', member] = path.split('.');
  const [, declared] =
    new RegExp(String.raw`^(?:export )?const ${name}(?:: [^=]+)? = (\{[^}]*|[^;]+)`, 'm').exec(text) ?? [];
  if (declared === undefined) return readConstant(findOrigin(file, text, name), path);
  const [, value] =
    member === undefined
      ? ['', declared]
      : (new RegExp(String.raw`\b${member}: ([^,}]+)`).exec(declared) ?? []);
  if (value === undefined) throw new Error(`${file}: ${name} has no ${member}.`);
  return evaluate(value, file);
}

const texts = new Map<string, string>();

function readSource(file: string): string {
  const text = texts.get(file) ?? readFileSync(fromRoot(file), 'utf8');
  texts.set(file, text);
  return text;
}

/** Sums of products of powers, of numbers and constants. */
function evaluate(text: string, file: string): number {
  for (const [sign, apply] of OPERATORS) {
    const operands = text.split(sign);
    if (operands.length > 1) return operands.map((operand) => evaluate(operand, file)).reduce(apply);
  }
  return readOperand(text.trim(), file);
}

/** From the one that binds least. */
const OPERATORS: readonly (readonly [RegExp, (left: number, right: number) => number])[] = [
  [/\+/, (left, right) => left + right],
  [/(?<!\*)\*(?!\*)/, (left, right) => left * right],
  [/\*\*/, (left, right) => left ** right],
];

function readOperand(operand: string, file: string): number {
  if (/^[A-Z][A-Z\d_]*$/.test(operand)) return readConstant(file, operand);
  if (/^\d[\d_]*(?:\.\d+)?n?$/.test(operand)) return Number(operand.replaceAll(/[_n]/g, ''));
  throw new Error(`${file}: ${operand} is neither a number nor a constant.`);
}

function findOrigin(file: string, text: string, name: string): string {
  const [, origin] =
    new RegExp(String.raw`^(?:import|export) \{[^}]*\b${name}\b[^}]*\} from '(\.[^']+)';`, 'm').exec(text) ??
    [];
  if (origin === undefined)
    throw new Error(`${file} has no constant ${name}, which the table of bounds names.`);
  return join(dirname(file), origin).replaceAll('\\', '/');
}

function unitOf(name: string): string {
  return /_(BYTES|CHARS|MS)$/.exec(name)?.[1] ?? 'number';
}

const KI = 1024;
const MI = KI * KI;
const NUMERALS = ['none', 'one', 'two', 'three', 'four', 'five'];

const groupDigits = (value: number) => value.toLocaleString('en-US');

/** In `Mi` or `Ki` if it is a multiple, from 64 Ki. */
function shorten(value: number): string {
  if (value % MI === 0) return `${groupDigits(value / MI)} Mi`;
  return value % KI === 0 && value >= 64 * KI ? `${value / KI} Ki` : groupDigits(value);
}

function formatBytes(value: number): string {
  if (value % MI === 0) return `${value / MI} MiB`;
  if (value % 1_000_000 === 0) return `${value / 1_000_000} MB`;
  return value % KI === 0 ? `${value / KI} KiB` : groupDigits(value);
}

const UNITS: Readonly<Record<string, (value: number) => string | undefined>> = {
  BYTES: formatBytes,
  CHARS: shorten,
  MS: (value) =>
    value === 60_000
      ? 'one minute'
      : value < 60_000
        ? `${value / 1000} seconds`
        : `${value / 60_000} minutes`,
  number: groupDigits,
  bytes: formatBytes,
  /** Bytes that so many hex digits write, with or without `0x`. */
  digits: (value) => formatBytes((value - (value % KI)) / 2),
  Mi: (value) => groupDigits(value / MI),
  spelled: (value) => NUMERALS[value],
};
