import assert from 'node:assert/strict';
import { isRateLimitError, type RpcErrorBody } from '../../../../src/core/rpc/rpcClient.ts';

describe('the error of a JSON-RPC answer', () => {
  const limits: Readonly<Record<string, RpcErrorBody>> = {
    'Base, Optimism': { code: -32016, message: 'over rate limit' },
    Infura: { code: -32005, message: 'project ID request rate exceeded' },
    'Infura, by the day': { code: -32005, message: 'daily request count exceeded, request rate limited' },
    Alchemy: { code: 429, message: 'Your app has exceeded its compute units per second capacity.' },
    QuickNode: { code: -32007, message: '15/second request limit reached - reduce calls per second' },
    'QuickNode, credits': { code: -32012, message: 'credits limited to 6000/sec' },
    TheRPC: { code: -32029, message: 'Plan limit' },
    'a public endpoint': { code: -32097, message: '' },
    'a node behind another': {
      code: -32000,
      message: '429 Too Many Requests: {"error":{"code":-32016,"message":"over rate limit"}}',
    },
    Chainstack: { code: -32005, message: "You've exceeded the RPS limit available on the current plan." },
    '1RPC': {
      code: -32001,
      message: 'You have reached the free tier limit. Please try again in 10 seconds',
    },
    'a plan': { code: -32000, message: 'Your app has exceeded its throughput limit' },
    'a bare string': { message: 'Too Many Requests' },
  };
  for (const [who, error] of Object.entries(limits)) {
    it(`is a rate limit of ${who}`, () => assert.equal(isRateLimitError(error), true));
  }

  const others: Readonly<Record<string, RpcErrorBody>> = {
    'too many results': {
      code: -32005,
      message: 'query returned more than 10000 results. Try with this block range [0x100, 0x1ff].',
    },
    'a range': { code: -32005, message: 'Requested range exceeds maximum RPC range limit' },
    'a limit without a name': { code: -32005, message: 'limit exceeded' },
    'too many logs': { code: -32005, message: 'Too many logs requested. Max logs per response is 10000.' },
    'a response size': {
      code: -32602,
      message:
        'You can make eth_getLogs requests with up to a 2K block range and no limit on the response size',
    },
    'a time limit of Nethermind': { code: -32016, message: 'Request was canceled due to enabled timeout.' },
    'a time limit': { code: -32000, message: 'query timeout exceeded limit of 10 seconds' },
    'what a contract says': { code: 3, message: 'execution reverted: rate limit exceeded' },
    'what a contract says, under another code': {
      code: -32015,
      message: 'VM execution: revert (rate limit)',
    },
    'a wrong iteration limit': { code: -32602, message: 'iterate limit exceeded' },
  };
  for (const [what, error] of Object.entries(others)) {
    it(`is none where it is about ${what}`, () => assert.equal(isRateLimitError(error), false));
  }
});
