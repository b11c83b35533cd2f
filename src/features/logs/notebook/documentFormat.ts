import * as z from 'zod/mini';
import { type EditedPiece, formatDocument, type OriginalPiece, parseDocument } from '../../../core/index.ts';
import type { FileCell, NotebookFormat } from '../../../host/ui/notebooks.ts';

/** A question is JSON to the editor, with all that this brings. */
export const QUERY_LANGUAGE = 'json';
const PROSE_LANGUAGE = 'markdown';

/** Bytes of a document: prose and questions are written by hand. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const text = z.string().check(z.maxLength(MAX_DOCUMENT_BYTES));

const originalPieceSchema = z.object({
  place: z.int().check(z.minimum(0)),
  value: text,
  before: text,
  source: text,
  after: text,
  indent: z.string().check(z.maxLength(1000)),
});

/** What a cell carries from the document to the document. */
const cellMetadataSchema = z.object({
  read: z.optional(originalPieceSchema),
  verdict: z.optional(z.string().check(z.maxLength(300), z.regex(/^<!-- [\w ,]{1,200} -->$/))),
});

/**
 * A Markdown document as cells and back. What was not edited comes back byte for byte.
 *
 * @param words what to say of a file that is not UTF-8, or too long.
 */
export function createDocumentFormat(words: {
  readonly notText: string;
  readonly tooLong: string;
}): NotebookFormat {
  return {
    read(bytes) {
      if (bytes.length > MAX_DOCUMENT_BYTES) throw new Error(words.tooLong);
      const pieces = parseDocument(textOf(bytes, words.notText));
      return pieces.map(({ kind, value, before, source, after, indent }, place) => {
        const read: OriginalPiece = { place, value, before, source, after, indent };
        return kind === 'question'
          ? { kind: 'code', languageId: QUERY_LANGUAGE, text: value, metadata: { read } }
          : { kind: 'prose', languageId: PROSE_LANGUAGE, text: value, metadata: { read } };
      });
    },
    write(cells) {
      const pieces = cells.map(pieceOf);
      const isWindows = pieces.some(({ read }) => read && /\r\n/.test(read.before + read.after));
      return new TextEncoder().encode(formatDocument(pieces, isWindows ? '\r\n' : '\n'));
    },
  };
}

/** The line that says what came of a question, as a cell carries it; undefined where none is new. */
export function getRecordedVerdict(metadata: FileCell['metadata']): {
  readonly verdict: string | undefined;
  readonly after: string;
} {
  const { read, verdict } = cellMetadataSchema.safeParse(metadata).data ?? {};
  return { verdict, after: read?.after ?? '' };
}

function textOf(bytes: Uint8Array, notText: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Error(notText, { cause });
  }
}

function pieceOf({ kind, languageId, text: value, metadata }: FileCell): EditedPiece {
  const { read, verdict } = cellMetadataSchema.safeParse(metadata).data ?? {};
  if (kind === 'prose') return { kind: 'prose', value, read };
  if (languageId === QUERY_LANGUAGE) return { kind: 'question', value, read, verdict };
  // Code of another language is a block of it, which is prose to whoever reads the document.
  return { kind: 'prose', value: `\`\`\`${languageId}\n${value}\n\`\`\`` };
}
