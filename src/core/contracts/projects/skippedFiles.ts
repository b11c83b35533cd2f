import { compareValues } from '../../base/compareValues.ts';
import { plainText } from '../../values/plainText.ts';
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
  /** As `add`, for a bound that was met when the files were looked for. */
  addBound(path: string, why: string): void;
  /** Forgets those bounds, before all is looked for again. */
  clearBounds(): void;
  /** By path, the first {@link MOST_TOLD}. */
  readonly told: readonly SkippedFile[];
  readonly count: number;
}

/** What was left out, one reason a path; the last counts. */
export function createSkippedFiles(): SkippedFiles {
  const reasons = new Map<string, string>();
  const bounds = new Map<string, string>();
  const both = () => new Map([...reasons, ...bounds]);
  return {
    add: (path, why) => void reasons.set(path, plainText(why, LONGEST_REASON)),
    remove: (path) => void reasons.delete(path),
    addBound: (path, why) => void bounds.set(path, why),
    clearBounds: () => bounds.clear(),
    get told() {
      const all = [...both()].map(([path, why]) => ({ path, why }));
      return all.sort((a, b) => compareValues(a.path, b.path)).slice(0, MOST_TOLD);
    },
    get count() {
      return both().size;
    },
  };
}
