import type { SourceFacts } from '../../src/core/project/source/declarations.ts';
import { createSolidityParser } from '../../src/core/project/source/solidity.ts';
import { createVyperParser } from '../../src/core/project/source/vyper.ts';

/** The declarations of a source, without the slices of time in which the program reads them. */
export function parseSource(path: string, text: string): SourceFacts {
  const parser = /\.vyi?$/.test(path) ? createVyperParser(path, text) : createSolidityParser(text);
  while (parser.next());
  return parser.getFacts();
}
