/** The one way in which a signal is passed: in an object of options. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}
