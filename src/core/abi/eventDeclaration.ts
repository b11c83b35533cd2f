import { typeList } from './abiTypes.ts';
import { isKnown, isName, readParameters, splitWords, type WordReader } from './declaredParameters.ts';

/** An event as it is declared, in two forms. */
interface EventDeclaration {
  /** As written, without `event`, needless spaces and the semicolon. */
  readonly written: string;
  /** Name and types alone, aliases resolved; undefined where a type is none of the ABI's own. */
  readonly signature: string | undefined;
}

const LONGEST_DECLARATION = 4096;
const BETWEEN: ReadonlySet<string> = new Set(['indexed']);

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
  const words = text.length > LONGEST_DECLARATION ? [] : splitWords(text);
  if (words.at(-1) === ';') words.pop();
  if (words[0] === 'event' && words[1] !== '(') words.shift();
  const anonymous = words.at(-1) === 'anonymous';
  if (anonymous) words.pop();
  const [name = ''] = words;
  if (!isName(name) || words[1] !== '(') return 'malformed';
  const reader: WordReader = { words, at: 1, between: BETWEEN };
  const parameters = readParameters(reader);
  if (parameters === undefined || reader.at !== words.length) return 'malformed';
  if (anonymous) return 'anonymous';
  return {
    written: joined(words),
    signature: isKnown(parameters) ? name + typeList(parameters) : undefined,
  };
}

/** Words as a person writes them: a space where two would run together and after a comma. */
function joined(words: readonly string[]): string {
  let text = '';
  let previous = '';
  for (const word of words) {
    const apart = previous === ',' || (isName(word) && !['', '(', '['].includes(previous));
    text += apart ? ` ${word}` : word;
    previous = word;
  }
  return text;
}
