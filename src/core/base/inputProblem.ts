/** What is wrong with an input, for those who say it in a language of their own. */
export type InputCode =
  | 'anonymousEvent'
  | 'blocksReversed'
  | 'emptyTopics'
  | 'notAddress'
  | 'notBlock'
  | 'notEvent'
  | 'notGateway'
  | 'notTokenId'
  | 'notTopic'
  | 'notTopicOrAddress'
  | 'nothingToSearchBy'
  | 'tooManyTopics'
  | 'unknownType';

/**
 * A code with what its sentence speaks of: `blocksReversed` has the first and the last block, `unknownType` the
 * event as it was written.
 */
export interface InputProblem {
  readonly code: InputCode;
  readonly values?: readonly string[];
}
