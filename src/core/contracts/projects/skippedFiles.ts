import { plainText } from '../../values/plainText.ts';
import { compareTexts } from '../index/indexed.ts';
import { MOST_TOLD } from './bounds.ts';

const LONGEST_REASON = 300;

/** A file or folder that was left out, and why, in one line. */
export interface SkippedFile {
  readonly path: string;
  readonly why: string;
}

export interface SkippedFiles {
  add(path: string, why: string): void;
  remove(path: string): void;
  /** By path, the first {@link MOST_TOLD}. */
  readonly told: readonly SkippedFile[];
  readonly count: number;
}

/** What was left out, one reason a path; the last counts. */
export function createSkippedFiles(): SkippedFiles {
  const reasons = new Map<string, string>();
  return {
    add: (path, why) => void reasons.set(path, plainText(why, LONGEST_REASON)),
    remove: (path) => void reasons.delete(path),
    get told() {
      const paths = [...reasons.keys()].sort(compareTexts).slice(0, MOST_TOLD);
      return paths.map((path) => ({ path, why: reasons.get(path) ?? '' }));
    },
    get count() {
      return reasons.size;
    },
  };
}
