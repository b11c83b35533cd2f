import type { AppError } from '../base/errors.ts';
import type { Expectation } from './question.ts';

/** A question as it stands in a file, not yet read, or why there is none. */
export type FoundQuestion = {
  /** What it is called; after its file, where it has no name of its own. */
  readonly title: string;
  /** Where it begins, or what is wrong with it: from 1. */
  readonly line: number;
} & (
  | { readonly json: unknown; readonly problem?: undefined }
  | { readonly json?: undefined; readonly problem: AppError }
);

/** How one kind of file holds its questions. */
export interface QuestionReader {
  /** How the names of such files end, in lower case. */
  readonly ends: string;
  find(text: string, path: string): readonly FoundQuestion[];
  /** The text with what the answer to the question at a line is to be. */
  withExpectation(text: string, line: number, expectation: Expectation): string;
}
