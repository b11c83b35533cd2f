/** A file of a project whose text is there. */
export interface FactsFile {
  /** From the root of the project, '/'-separated. */
  readonly path: string;
  readonly text: string;
  /** The text of the file that `besideOf` names for it, where there is one. */
  readonly beside?: string | undefined;
}
