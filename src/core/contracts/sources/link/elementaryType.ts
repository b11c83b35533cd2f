/** The type of the ABI that a keyword stands for, aliases resolved; undefined of any other word. */
export function elementaryType(word: string): string | undefined {
  if (PLAIN.has(word)) return word;
  if (word === 'uint' || word === 'int') return `${word}256`;
  if (word === 'byte') return 'bytes1';
  const [, kind, digits] = SIZED.exec(word) ?? [];
  const size = Number(digits);
  const exists = kind === 'bytes' ? size <= 32 : size <= 256 && size % 8 === 0;
  return digits !== undefined && exists ? word : undefined;
}

const PLAIN: ReadonlySet<string> = new Set(['address', 'bool', 'string', 'bytes', 'function']);
const SIZED = /^(bytes|u?int)([1-9]\d{0,2})$/;
