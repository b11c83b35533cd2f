import type * as vscode from 'vscode';
import { isForbiddenOnWindows } from '../../core/index.ts';

export function getFileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Builds a file name from untrusted parts: `HUSD-Transfer-0-598.csv`. Every file system accepts it, and it is no
 * path, hidden file or device.
 */
export function suggestFileName(parts: readonly (string | undefined)[], extension: string): string {
  const names = parts.map((part) => part && toNamePart(part)).filter((part) => part);
  const fileName = `${trimSeparators(truncate(names.join('-'), MAX_NAME_BYTES)) || 'file'}.${extension}`;
  return isForbiddenOnWindows(fileName) ? `_${fileName}` : fileName;
}

/** Bytes in UTF-8. File systems allow 255; the rest is left for temporary files beside it. */
const MAX_PART_BYTES = 60;
const MAX_NAME_BYTES = 200;
/**
 * Everything except letters, digits, `_` and `.` becomes a dash, since a file system, a shell or a reader may
 * interpret it.
 */
const NON_NAME_CHARS = /[^\p{L}\p{M}\p{N}_.]+/gu;

function toNamePart(part: string): string {
  const safe = part
    .slice(0, 1000)
    .normalize('NFC')
    .replace(NON_NAME_CHARS, '-')
    .replace(/\.{2,}/g, '.');
  return trimSeparators(truncate(trimSeparators(safe), MAX_PART_BYTES));
}

/** The whole characters that fit into `bytes`. */
function truncate(text: string, bytes: number): string {
  const length = new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read;
  return text.slice(0, length);
}

/** Removes dashes and dots from both ends. */
function trimSeparators(text: string): string {
  const isNameChar = (at: number) => !'-.'.includes(text.charAt(at));
  let start = 0;
  let end = text.length;
  while (start < end && !isNameChar(start)) start++;
  while (end > start && !isNameChar(end - 1)) end--;
  return text.slice(start, end);
}
