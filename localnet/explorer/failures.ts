/** Why a server refuses a call. How it says so is a matter of its dialect. */
export type Refusal =
  | 'idMissing'
  | 'wrongVersion'
  | 'methodOrVersionMissing'
  | 'paramsNotList'
  | 'methodNotFound'
  | 'paramCount'
  | 'somethingWentWrong'
  | 'addressOrTopicsMissing'
  | 'invalidAddress'
  | 'invalidTopics'
  | 'invalidBlockNumber'
  | 'invalidBlockHash'
  | 'invalidLogIndex'
  | 'invalidBalanceAddress'
  | 'invalidBalanceBlock'
  | 'balanceNotFound';

/** A refusal inside the JSON-RPC envelope, with HTTP status 200. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/** A parameter of a forwarded method that the explorer does not let through, in its own words. */
export class InvalidParam extends Error {}

/** The request as a whole fails with an HTTP status and no envelope, as when the server crashes. */
export class HttpFailure extends Error {
  readonly status: 400 | 500;

  constructor(status: 400 | 500) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}
