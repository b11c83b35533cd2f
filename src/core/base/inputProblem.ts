/** What is wrong with an input, for those who say it in a language of their own. */
export type InputCode =
  | 'anonymousEvent'
  | 'blocksReversed'
  | 'emptyTopics'
  | 'endsBeforeFirst'
  | 'notAddress'
  | 'notBlock'
  | 'notBool'
  | 'notBytes'
  | 'notEvent'
  | 'notFixedBytes'
  | 'notGateway'
  | 'notInteger'
  | 'notLastBlock'
  | 'notTime'
  | 'notTokenId'
  | 'notTopic'
  | 'notTopicOfTypes'
  | 'notArgument'
  | 'notTopicOrAddress'
  | 'noBlockBetween'
  | 'nothingToSearchBy'
  | 'onlyHash'
  | 'outOfBounds'
  | 'severalEvents'
  | 'severalNamed'
  | 'tooManyTopics'
  | 'topicTwice'
  | 'unindexedEvent'
  | 'unknownEvent'
  | 'unknownName'
  | 'unknownType';

/**
 * A code with what its sentence speaks of: `blocksReversed` has the first and the last block, `unknownType` the event as
 * it was written, `notLastBlock` how far it is below the latest, `notTopicOfTypes` the types, `outOfBounds` the type and
 * its bounds, `noBlockBetween` the first block behind, `endsBeforeFirst` when the first block was made, `topicTwice` the
 * parameter that has the topic's place, `notArgument` the event, the name that is none of its parameters and those that are,
 * `unknownName` and `unknownEvent` the name, `severalNamed` the name and how many have it, `severalEvents` the name and the events.
 */
export interface InputProblem {
  readonly code: InputCode;
  readonly values?: readonly string[];
}
