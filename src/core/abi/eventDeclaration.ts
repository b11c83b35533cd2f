/** An event as it is declared, in two forms. */
interface EventDeclaration {
  /** As written, without `event`, needless spaces and the semicolon. */
  readonly written: string;
  /** Name and types alone, aliases resolved; undefined where a type is none of the ABI's own. */
  readonly signature: string | undefined;
}

const LONGEST_DECLARATION = 4096;
const LONGEST_NAME = 256;
const DEEPEST_TUPLE = 16;
const WORDS = /[\w$]+|\S/g;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const ELEMENTARY =
  /^(?:address|bool|string|function|bytes(?:[1-9]|[12]\d|3[0-2])?|u?int(?:8|16|24|32|40|48|56|64|72|80|88|96|1(?:04|12|20|28|36|44|52|60|68|76|84|92)|2(?:00|08|16|24|32|40|48|56))?)$/;
const NO_NAME = /^(?:indexed|memory|storage|calldata|payable|tuple)$/;

/**
 * Reads `event Name(type indexed name, …);`, of which `event`, `indexed`, the names of parameters and the semicolon
 * may be missing. Each character is looked at once, whatever the text is; one over 4096 characters is `malformed`.
 * Types: https://docs.soliditylang.org/en/latest/abi-spec.html#types
 *
 * @example
 * readEventDeclaration('event Paid(uint  amount);')
 * // { written: 'Paid(uint amount)', signature: 'Paid(uint256)' }
 */
export function readEventDeclaration(text: string): EventDeclaration | 'malformed' | 'anonymous' {
  const words = text.length > LONGEST_DECLARATION ? [] : (text.match(WORDS) ?? []);
  if (words.at(-1) === ';') words.pop();
  if (words[0] === 'event' && words[1] !== '(') words.shift();
  const anonymous = words.at(-1) === 'anonymous';
  if (anonymous) words.pop();
  const [name = ''] = words;
  if (!isName(name) || words[1] !== '(') return 'malformed';
  const reader: Reader = { words, at: 1, unknown: false };
  const types = readTuple(reader, 0);
  if (types === undefined || reader.at !== words.length) return 'malformed';
  if (anonymous) return 'anonymous';
  return { written: joined(words), signature: reader.unknown ? undefined : name + types };
}

/** Words as a person writes them: a space where two would run together and after a comma. */
function joined(words: readonly string[]): string {
  let text = '';
  let previous = '';
  for (const word of words) {
    const apart = previous === ',' || (IDENTIFIER.test(word) && !['', '(', '['].includes(previous));
    text += apart ? ` ${word}` : word;
    previous = word;
  }
  return text;
}

interface Reader {
  readonly words: readonly string[];
  at: number;
  /** Whether a type was met that the ABI does not know. */
  unknown: boolean;
}

/** Types in parentheses, from the opening one on; only the event itself may have none. */
function readTuple(reader: Reader, depth: number): string | undefined {
  if (depth > DEEPEST_TUPLE) return undefined;
  reader.at++;
  if (depth === 0 && take(reader, ')')) return '()';
  const types: string[] = [];
  do {
    const type = readParameter(reader, depth);
    if (type === undefined) return undefined;
    types.push(type);
  } while (take(reader, ','));
  return take(reader, ')') ? `(${types.join(',')})` : undefined;
}

/** One parameter, of which the canonical type counts. */
function readParameter(reader: Reader, depth: number): string | undefined {
  const type = reader.words[reader.at] === '(' ? readTuple(reader, depth + 1) : readType(reader);
  if (type === undefined) return undefined;
  const dimensions = readDimensions(reader);
  if (dimensions === undefined) return undefined;
  if (depth === 0) take(reader, 'indexed');
  const name = reader.words[reader.at] ?? '';
  if (isName(name)) {
    if (ELEMENTARY.test(name) || NO_NAME.test(name)) reader.unknown = true;
    reader.at++;
  }
  return type + dimensions;
}

function readType(reader: Reader): string | undefined {
  const word = reader.words[reader.at] ?? '';
  if (!isName(word)) return undefined;
  reader.at++;
  if (word === 'address') take(reader, 'payable');
  if (!ELEMENTARY.test(word)) reader.unknown = true;
  return word === 'uint' || word === 'int' ? `${word}256` : word;
}

/** `[]` and `[4]`, as many as there are. */
function readDimensions(reader: Reader): string | undefined {
  let dimensions = '';
  while (take(reader, '[')) {
    const word = reader.words[reader.at] ?? '';
    const size = /^\d+$/.test(word) ? word : '';
    if (size) reader.at++;
    if (!take(reader, ']')) return undefined;
    dimensions += `[${size}]`;
  }
  return dimensions;
}

function take(reader: Reader, word: string): boolean {
  if (reader.words[reader.at] !== word) return false;
  reader.at++;
  return true;
}

function isName(word: string): boolean {
  return word.length <= LONGEST_NAME && IDENTIFIER.test(word);
}
