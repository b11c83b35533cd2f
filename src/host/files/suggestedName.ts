import { isRefusedByWindows } from './windowsNames.ts';

/** Bytes in UTF-8: file systems take 255 for a name, of which some are kept for what stands beside a file. */
const MOST_OF_PART = 60;
const MOST_OF_NAME = 200;
/** Between letters and digits of any script nothing is kept that a file system, a shell or a reader may take otherwise. */
const OTHERS = /[^\p{L}\p{M}\p{N}_.]+/gu;

/**
 * A file name out of what a file is about, of words from anywhere: `HUSD-Transfer-0-598.csv`. No file system refuses it,
 * and it names no other folder, no hidden file and no device.
 */
export function suggestedName(parts: readonly (string | undefined)[], extension: string): string {
  const words = parts.map((part) => part && wordOf(part)).filter((part) => part);
  const whole = `${trimmed(beginning(words.join('-'), MOST_OF_NAME)) || 'file'}.${extension}`;
  return isRefusedByWindows(whole) ? `_${whole}` : whole;
}

function wordOf(part: string): string {
  const kept = part
    .slice(0, 1000)
    .normalize('NFC')
    .replace(OTHERS, '-')
    .replace(/\.{2,}/g, '.');
  return trimmed(beginning(trimmed(kept), MOST_OF_PART));
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
