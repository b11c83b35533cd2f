import { isAppError } from '../base/errors.ts';
import { type DocumentQuery, findDocumentQueries } from './document.ts';
import { findFieldPath, locateQueryParts, type QueryLocations, type QueryPath } from './queryText.ts';
import { parseVerdictLine } from './recordedVerdict.ts';

/**
 * Finds lines in the text of a query file or document: that of a field, as errors name it, of the query at a place in
 * `findQueries`. The line of `expect` is that of the recorded result, where a document has one behind the query.
 *
 * @returns the line from 1; undefined if the query lacks the field.
 * @example createLineFinder('{\n"chainId": 1\n}', 'all.chainlog.json')(0, 'chainId') // 2
 */
export function createLineFinder(
  text: string,
  path: string,
): (place: number, field: string) => number | undefined {
  let queries: readonly QueryPlace[] | undefined;
  return (place, field) => {
    queries ??= path.toLowerCase().endsWith('.md') ? findQueriesOrNone(text) : [{ text, offset: 0 }];
    const query = queries[place];
    if (!query) return undefined;
    const locations = locateQueryParts(query.text.replace(/^\ufeff/, ' '));
    const offset = findKey(locations, findFieldPath(field, locations));
    if (offset !== undefined) return countLines(text, query.offset + offset);
    return field === 'expect' && query.verdict ? findVerdictLine(text, query) : undefined;
  };
}

type QueryPlace = Pick<DocumentQuery, 'text' | 'offset'> & Partial<Pick<DocumentQuery, 'verdict'>>;

/** The error of a document that is too long stands at its beginning. */
function findQueriesOrNone(text: string): readonly QueryPlace[] {
  try {
    return findDocumentQueries(text);
  } catch (error) {
    if (isAppError(error, 'badInput')) return [];
    throw error;
  }
}

/** The offset of a member or of an item of a list, or of the nearest one that contains it. */
function findKey(locations: QueryLocations, path: QueryPath): number | undefined {
  for (let depth = path.length; depth > 0; depth--) {
    const part = path.slice(0, depth);
    const found = typeof part.at(-1) === 'number' ? locations.valueAt(part) : locations.keyAt(part);
    if (found) return found.offset;
  }
  return undefined;
}

function findVerdictLine(text: string, { offset, text: query }: QueryPlace): number {
  let at = offset + query.length;
  for (const line of text.slice(at).split(LINE_START)) {
    if (parseVerdictLine(line)) break;
    at += line.length;
  }
  return countLines(text, at);
}

function countLines(text: string, offset: number): number {
  return text.slice(0, offset).split(LINE_END).length;
}

const LINE_START = /(?<=\n|\r(?!\n))(?!$)/;
const LINE_END = /\r\n|\n|\r/;
