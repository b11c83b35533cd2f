import * as z from 'zod/mini';
import {
  type DocumentPiece,
  type EditedPiece,
  formatDocument,
  isAppError,
  type OriginalPiece,
  parseDocument,
} from '../../../core/index.ts';
import type { FileCell, NotebookFormat } from '../../../host/ui/notebooks.ts';

/** JSON gives query cells the editor's schema support. */
export const QUERY_LANGUAGE = 'json';
const PROSE_LANGUAGE = 'markdown';

/** Documents are written by hand. {@link parseDocument} bounds their lines and queries. */
const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;
const text = z.string().check(z.maxLength(MAX_DOCUMENT_BYTES));

const originalPieceSchema = z.object({
  place: z.int().check(z.minimum(0)),
  value: text,
  before: text,
  source: text,
  after: text,
  indent: z.string().check(z.maxLength(1000)),
});

/** Metadata of a cell, from reading the document to writing it. */
const cellMetadataSchema = z.object({
  read: z.optional(originalPieceSchema),
  verdict: z.optional(z.string().check(z.maxLength(300), z.regex(/^<!-- [\w ,]{1,200} -->$/))),
});

/**
 * Converts a Markdown document to cells and back. Parts that were not edited stay the same byte for byte.
 */
export function createDocumentFormat(messages: {
  readonly notText: string;
  readonly tooLong: string;
}): NotebookFormat {
  return {
    read(bytes) {
      if (bytes.length > MAX_DOCUMENT_BYTES) throw new Error(messages.tooLong);
      const pieces = readPieces(decodeText(bytes, messages.notText), messages.tooLong);
      return pieces.map(({ kind, value, before, source, after, indent }, place) => {
        const read: OriginalPiece = { place, value, before, source, after, indent };
        return kind === 'question'
          ? { kind: 'code', languageId: QUERY_LANGUAGE, text: value, metadata: { read } }
          : { kind: 'prose', languageId: PROSE_LANGUAGE, text: value, metadata: { read } };
      });
    },
    write(cells) {
      const pieces = cells.map(toPiece);
      const isWindows = pieces.some(({ read }) => read && /\r\n/.test(read.before + read.after));
      return new TextEncoder().encode(formatDocument(pieces, isWindows ? '\r\n' : '\n'));
    },
  };
}

/** The verdict line that a run recorded in the cell, and the text after the query in the document. */
export function getRecordedVerdict(metadata: FileCell['metadata']): {
  readonly verdict: string | undefined;
  readonly after: string;
} {
  const { read, verdict } = cellMetadataSchema.safeParse(metadata).data ?? {};
  return { verdict, after: read?.after ?? '' };
}

function readPieces(text: string, tooLong: string): readonly DocumentPiece[] {
  try {
    return parseDocument(text);
  } catch (cause) {
    throw isAppError(cause, 'badInput') ? new Error(tooLong, { cause }) : cause;
  }
}

function decodeText(bytes: Uint8Array, notText: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Error(notText, { cause });
  }
}

function toPiece({ kind, languageId, text: value, metadata }: FileCell): EditedPiece {
  const { read, verdict } = cellMetadataSchema.safeParse(metadata).data ?? {};
  if (kind === 'prose') return { kind: 'prose', value, read };
  if (languageId === QUERY_LANGUAGE) return { kind: 'question', value, read, verdict };
  // Code in another language stays a Markdown code block, with a fence that nothing in it ends.
  const runs = value.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, { length }) => Math.max(longest, length + 1), 3));
  return { kind: 'prose', value: `${fence}${languageId}\n${value}\n${fence}` };
}
