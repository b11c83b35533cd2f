import { MAX_SOURCE_DECLARATION_CHARS } from './declarations.ts';
import { isSourceName } from './solidityTypes.ts';
import type { Token } from './tokens.ts';

/** Words before a bracket or a brace that call nothing of a source. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['if', 'else', 'for', 'while', 'do', 'return', 'returns', 'try', 'catch', 'unchecked', 'assembly'],
  ...['emit', 'revert', 'require', 'assert', 'new', 'delete', 'type', 'mapping', 'function', 'abi', 'super'],
  ...[
    'external',
    'public',
    'internal',
    'private',
    'pure',
    'view',
    'payable',
    'constant',
    'virtual',
    'override',
  ],
  ...['memory', 'storage', 'calldata', 'address', 'bytes', 'string', 'bool', 'uint256', 'uint', 'this'],
]);
/** What `using {add as +} for T` may bind; comparisons begin with one of them. */
const OPERATORS = /^[-+*/%&|^~<>=!]$/;
/** Of one function. */
const MAX_CALLS = 500;

/** Collects the names that a body calls. */
export interface CallReader {
  take(token: Pick<Token, 'kind' | 'text'>): void;
  /** The names since the last call of this function, each once. */
  takeNames(): readonly string[];
}

/**
 * Reads which functions a body calls: `f(`, `L.f{value: 1}(`, `.f(` for a member of any other expression, and each
 * operator, which a type may define. Assembly calls nothing of the source.
 *
 * @example
 * const reader = createCallReader();
 * for (const token of body) reader.take(token);
 * reader.takeNames(); // ['_check', 'Math.max', '.toUint', '+']
 */
export function createCallReader(): CallReader {
  let names = new Set<string>();
  let path = '';
  let previous = '';
  /** Open braces of an assembly block; undefined outside of one. */
  let assembly: number | undefined;

  function add(name: string): void {
    const [first = ''] = name.split('.', 1);
    if (name !== '' && name !== '.' && !KEYWORDS.has(name) && first !== 'super' && names.size < MAX_CALLS)
      names.add(name);
  }

  /** Whether it is a part of assembly. */
  function takeAssembly(text: string): boolean {
    if (text === 'assembly') assembly = 0;
    if (assembly === undefined) return false;
    if (text === '{') assembly++;
    if (text === '}') assembly--;
    if ((text === '}' && assembly <= 0) || text === ';') assembly = assembly > 0 ? assembly : undefined;
    return true;
  }

  return {
    take({ kind, text }) {
      if (takeAssembly(text)) path = '';
      else if (kind === 'word') {
        const isMember = previous === '.';
        path = isMember && path.length < MAX_SOURCE_DECLARATION_CHARS ? `${path}${text}` : text;
      } else if (text === '.') path += '.';
      else {
        if (text === '(' || text === '{') add(path);
        else if (OPERATORS.test(text)) add(text);
        path = '';
      }
      previous = text;
    },
    takeNames() {
      const taken = [...names];
      names = new Set();
      path = '';
      previous = '';
      assembly = undefined;
      return taken;
    },
  };
}

/** Takes what the head of a function calls: its modifiers, which need no brackets, and their arguments. */
export function takeHead(tokens: readonly string[], reader: CallReader): void {
  for (const [index, text] of tokens.entries()) {
    const isWord = isSourceName(text);
    reader.take({ kind: isWord ? 'word' : 'sign', text });
    if (isWord && tokens[index + 1] !== '.') reader.take({ kind: 'sign', text: '(' });
  }
}
