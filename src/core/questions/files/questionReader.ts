import type { AppError } from '../../base/errors.ts';
import type { WrittenVerdict } from './verdictLine.ts';

/** A question as it stands in a file, not yet read, or why there is none. */
export type FoundQuestion = {
  /** What it is called; after its file, where it has no name of its own. */
  readonly title: string;
  /** Where it begins, or what is wrong with it: from 1. */
  readonly line: number;
} & (
  | {
      readonly json: unknown;
      /** What it is held against, where its JSON does not say that. */
      readonly kept?: WrittenVerdict | undefined;
      readonly problem?: undefined;
    }
  | { readonly json?: undefined; readonly kept?: undefined; readonly problem: AppError }
);

/** How one kind of file holds its questions. */
export interface QuestionReader {
  /** How the names of such files end, in lower case. */
  readonly ends: string;
  find(text: string, path: string): readonly FoundQuestion[];
  /** The text whose question at a place among those found, from 0, expects an answer. */
  withExpectation(text: string, place: number, answer: WrittenVerdict): string;
}
