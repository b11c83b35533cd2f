import type { EnvelopeRules, RefusalWords } from './dialect.ts';
import type { Refusal } from './failures.ts';

const texts: Readonly<Record<Refusal, string>> = {
  idMissing: 'id is a required field',
  wrongVersion: 'invalid rpc version',
  methodOrVersionMissing: 'Method, and jsonrpc are required parameters.',
  paramsNotList: 'Invalid params. Params must be a list.',
  methodNotFound: 'Action not found.',
  paramCount: 'Incorrect number of params.',
  somethingWentWrong: 'Something went wrong.',
  addressOrTopicsMissing: 'Must supply one of address and topics',
  invalidAddress: 'invalid address',
  invalidTopics: 'invalid topics',
  invalidBlockNumber: 'invalid block number',
  invalidBlockHash: 'Invalid Block Hash',
  invalidLogIndex: 'invalid log index',
  invalidBalanceAddress: "Query parameter 'address' is invalid",
  invalidBalanceBlock: "Query parameter 'block' is invalid",
  balanceNotFound: 'Balance not found',
};

const textsToV69 = {
  ...texts,
  methodOrVersionMissing: 'Method, params, and jsonrpc, are all required parameters.',
};

const codedErrors: Readonly<Record<Refusal, RefusalWords>> = {
  idMissing: { code: -32600, message: 'Id is a required field' },
  wrongVersion: { code: -32600, message: texts.wrongVersion },
  methodOrVersionMissing: { code: -32600, message: texts.methodOrVersionMissing },
  paramsNotList: { code: -32602, message: texts.paramsNotList },
  methodNotFound: { code: -32601, message: 'Method not found.' },
  paramCount: { code: -32602, message: 'Incorrect number of params' },
  somethingWentWrong: { code: -32603, message: 'Something went wrong' },
  addressOrTopicsMissing: { code: -32602, message: texts.addressOrTopicsMissing },
  invalidAddress: { code: -32602, message: texts.invalidAddress },
  invalidTopics: { code: -32602, message: texts.invalidTopics },
  invalidBlockNumber: { code: -32602, message: 'Invalid block number' },
  invalidBlockHash: { code: -32602, message: 'Invalid block hash' },
  invalidLogIndex: { code: -32602, message: texts.invalidLogIndex },
  invalidBalanceAddress: { code: -32602, message: texts.invalidBalanceAddress },
  invalidBalanceBlock: { code: -32602, message: texts.invalidBalanceBlock },
  balanceNotFound: { code: -32602, message: texts.balanceNotFound },
};

export const envelopeToV68: EnvelopeRules = {
  refusals: textsToV69,
  invalidParam: (text) => text,
  forwardFailed: (reason) => reason,
  id: 'raw',
  paramsOptional: false,
  versionMissing: 'paramsNotList',
};

export const envelopeFromV610: EnvelopeRules = {
  ...envelopeToV68,
  refusals: texts,
  id: 'quoted',
  paramsOptional: true,
};

export const envelopeFromV12: EnvelopeRules = {
  ...envelopeFromV610,
  refusals: codedErrors,
  invalidParam: (message) => ({ code: -32602, message }),
  forwardFailed: (reason) => ({ code: -32603, message: `:${reason}` }),
  versionMissing: 'methodOrVersionMissing',
};
