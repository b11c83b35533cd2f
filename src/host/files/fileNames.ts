import type * as vscode from 'vscode';

/** The name of a file, without its folder. */
export function getFileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Bytes in UTF-8: file systems take 255 for a name, of which some are kept for what stands beside a file. */
const MAX_PART_BYTES = 60;
const MAX_NAME_BYTES = 200;
/** Between letters and digits of any script nothing is kept that a file system, a shell or a reader may take otherwise. */
const NON_NAME_CHARS = /[^\p{L}\p{M}\p{N}_.]+/gu;

/**
 * A file name out of what a file is about, of words from anywhere: `HUSD-Transfer-0-598.csv`. No file system refuses it,
 * and it names no other folder, no hidden file and no device.
 */
export function suggestFileName(parts: readonly (string | undefined)[], extension: string): string {
  const words = parts.map((part) => part && wordOf(part)).filter((part) => part);
  const whole = `${trimmed(beginning(words.join('-'), MAX_NAME_BYTES)) || 'file'}.${extension}`;
  return isForbiddenOnWindows(whole) ? `_${whole}` : whole;
}

function wordOf(part: string): string {
  const kept = part
    .slice(0, 1000)
    .normalize('NFC')
    .replace(NON_NAME_CHARS, '-')
    .replace(/\.{2,}/g, '.');
  return trimmed(beginning(trimmed(kept), MAX_PART_BYTES));
}

/** As many whole characters as fit. */
function beginning(text: string, bytes: number): string {
  const taken = new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read;
  return text.slice(0, taken);
}

/** Without dashes and dots at its ends. */
function trimmed(text: string): string {
  const isKept = (at: number) => !'-.'.includes(text.charAt(at));
  let start = 0;
  let end = text.length;
  while (start < end && !isKept(start)) start++;
  while (end > start && !isKept(end - 1)) end--;
  return text.slice(start, end);
}

const FORBIDDEN = /[<>:"|?*\p{Cc}]|[. ]$/u;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;

/**
 * Whether Windows takes `name` for something other than a file of that name: a device, a stream of another file, the
 * name without its last dot.
 */
export function isForbiddenOnWindows(name: string): boolean {
  return FORBIDDEN.test(name) || DEVICE.test(name);
}
