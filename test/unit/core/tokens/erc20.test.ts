import assert from 'node:assert/strict';
import { AbiParameters, Hex } from 'ox';
import { createChainClient, type FetchLike } from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { answerEach, createRpcFetch, type RpcRequest } from '../../../support/loopbackServer.ts';

const TOKEN = '0xc0de200000000000000000000000000000000020';
const HOLDER = '0x7e57000000000000000000000000000000000001';
const IDENTITY = '0x0000000000000000000000000000000000000004';
const BALANCE_OF = '0x70a08231';
const SYMBOL = '0x95d89b41';
const DECIMALS = '0x313ce567';

type Call = { readonly to: string; readonly data: string };
type Answer = { readonly result: unknown } | { readonly error: unknown } | string;

const returns = (result: unknown): Answer => ({ result });
const uint = (value: bigint) => returns(Hex.fromNumber(value, { size: 32 }));
const text = (value: string) => returns(AbiParameters.encode(AbiParameters.from('string'), [value]));
const bytes32 = (value: string) => returns(Hex.padRight(Hex.fromString(value), 32));
const reverts: Answer = { error: { code: 3, message: 'execution reverted', data: '0x' } };

const openChain = (fetch: FetchLike) =>
  createChainClient({ url: 'http://127.0.0.1:1', fetch, clock: createTestClock() });

/** A client of an endpoint that answers calls as `answer` does, and what it was asked. */
function endpoint(answer: (call: Call) => Answer) {
  const calls: Call[] = [];
  const answerCall = ({ id, method, params }: RpcRequest) => {
    assert.equal(method, 'eth_call');
    assert.equal(params[1], 'latest');
    const call = params[0] as Call;
    calls.push(call);
    const sent = answer(call);
    return typeof sent === 'string' ? sent : { jsonrpc: '2.0', id, ...sent };
  };
  return { chain: openChain(createRpcFetch(answerEach(answerCall))), calls };
}

/** The same whose contracts answer by the selector, and which has `eth_call`. */
const contracts = (answer: (selector: string, call: Call) => Answer) =>
  endpoint((call) => (call.to === IDENTITY ? returns(call.data) : answer(call.data.slice(0, 10), call)));

const token = (symbol: Answer, decimals: Answer = uint(6n), balance: Answer = uint(7n)) =>
  contracts(
    (selector) => ({ [BALANCE_OF]: balance, [SYMBOL]: symbol, [DECIMALS]: decimals })[selector] ?? reverts,
  ).chain.fetchErc20Balance(TOKEN, HOLDER);

describe('the contract to which an account delegates', () => {
  const code = async (result: unknown) => {
    const fetch: FetchLike = async (_, { body }) => {
      const { id, method, params } = JSON.parse(String(body));
      assert.deepEqual([method, params], ['eth_getCode', [HOLDER, 'latest']]);
      const missing = { code: -32601, message: 'the method does not exist' };
      return Response.json({ jsonrpc: '2.0', id, ...(result ? { result } : { error: missing }) });
    };
    return openChain(fetch).fetchDelegate(HOLDER);
  };

  it('is in its code (EIP-7702), and in no other code', async () => {
    assert.equal(await code(`0xef0100${TOKEN.slice(2)}`), TOKEN);
    assert.equal(await code(`0xEF0100${TOKEN.slice(2).toUpperCase()}`), TOKEN);
    for (const other of ['0x', '0x6080', `0xef0100${'0'.repeat(40)}`, `0xef0100${TOKEN.slice(2)}00`]) {
      assert.equal(await code(other), undefined);
    }
  });

  it('fails where the endpoint does not tell', () => assert.rejects(code(undefined), { kind: 'rpc' }));
});

describe('ERC-20 balance by eth_call', () => {
  it('is exact, with symbol and decimals', async () => {
    const most = 2n ** 256n - 1n;
    for (const amount of [most, 0n]) {
      const expected = { state: 'known', amount, symbol: 'USDC', decimals: 6 };
      assert.deepEqual(await token(text('USDC'), uint(6n), uint(amount)), expected);
    }
  });

  it('knows the symbols of old tokens, and shows any as plain text', async () => {
    const symbols: [Answer, string | undefined][] = [
      [bytes32('MKR'), 'MKR'],
      [bytes32('A23456789012345678901234567890BC'), 'A23456789012345678901234567890BC'],
      [text('US\u202eDC'), 'US<U+202E>DC'],
      [text('Złoty'), 'Złoty'],
      [returns(Hex.padRight('0xff', 32)), '\ufffd'],
      [text(''), undefined],
      [returns(`0x${'0'.repeat(64)}`), undefined],
      [returns('0x'), undefined],
      [returns('0x1234'), undefined],
      [returns(`0x${'f'.repeat(128)}`), undefined],
      [reverts, undefined],
    ];
    for (const [answer, symbol] of symbols) {
      const balance = await token(answer);
      assert.equal(balance.state === 'known' && balance.symbol, symbol, JSON.stringify(answer));
    }
  });

  it('leaves decimals unknown that are none', async () => {
    for (const answer of [reverts, returns('0x'), uint(256n), uint(2n ** 255n)]) {
      const balance = await token(text('X'), answer);
      assert.equal(balance.state === 'known' && balance.decimals, undefined);
    }
  });

  it('tells an address that is no token from one that holds zero', async () => {
    const refusals: Answer[] = [
      ...[returns('0x'), returns('0x01'), reverts],
      { error: { code: -32000, message: 'execution reverted: no' } },
      { error: { code: -32015, message: 'VM execution error.' } },
      { error: { code: -32000, message: 'invalid opcode: INVALID' } },
      { error: 'execution reverted' },
    ];
    for (const answer of refusals) {
      assert.deepEqual(
        await token(text('X'), uint(6n), answer),
        { state: 'notAToken' },
        JSON.stringify(answer),
      );
    }
  });

  it('is asked of the right contract for the right holder, and names it once', async () => {
    const { chain, calls } = contracts((selector) => (selector === SYMBOL ? text('X') : uint(1n)));
    for (let i = 0; i < 2; i++) await chain.fetchErc20Balance(TOKEN, HOLDER);
    const asked = `${BALANCE_OF}${'0'.repeat(24)}${HOLDER.slice(2)}`;
    assert.deepEqual(
      calls.map(({ to, data }) => [to, data]).filter(([to]) => to !== IDENTITY),
      [asked, SYMBOL, DECIMALS, asked].map((data) => [TOKEN, data]),
    );
    assert.equal(calls.length, 5, 'the endpoint is tried once');
  });

  it('takes one request for many that are asked together', async () => {
    const sizes: number[] = [];
    const one = ({ id, params }: RpcRequest) => {
      const { to, data } = params[0] as Call;
      const number = data === DECIMALS ? 6n : BigInt(to);
      return { jsonrpc: '2.0', id, result: to === IDENTITY ? data : Hex.fromNumber(number, { size: 32 }) };
    };
    const fetch = createRpcFetch((request) => {
      sizes.push(Array.isArray(request) ? request.length : 1);
      return answerEach(one)(request);
    });
    const chain = openChain(fetch);
    const tokens = Array.from({ length: 20 }, (_, at) => `0x${'0'.repeat(36)}${at + 1000}` as const);
    for (const round of [1, 2]) {
      const balances = await Promise.all(tokens.map((contract) => chain.fetchErc20Balance(contract, HOLDER)));
      const amounts = balances.map((balance) => balance.state === 'known' && balance.amount);
      assert.deepEqual(amounts, tokens.map(BigInt), `round ${round}`);
    }
    // The probe, then balance, symbol and decimals of each; then the balances alone.
    assert.deepEqual(sizes, [61, 20]);
  });

  it('is not offered where the endpoint has no eth_call, or answers it wrongly', async () => {
    const refusals: Answer[] = [
      { error: { code: -32601, message: 'the method eth_call does not exist' } },
      { error: 'Action not found.' },
      { error: 'Method eth_call is not whitelisted' },
      { error: { code: -32004, message: 'method not supported' } },
    ];
    const toAll: Answer[] = [returns('0x'), returns(`0x${'0'.repeat(64)}`)];
    for (const answer of [...refusals, ...toAll]) {
      const { chain, calls } = endpoint(() => answer);
      for (let i = 0; i < 2; i++) {
        assert.deepEqual(await chain.fetchErc20Balance(TOKEN, HOLDER), { state: 'notOffered' });
      }
      assert.deepEqual(await chain.fetchNftContract(TOKEN), { state: 'notOffered' });
      // One that answers all alike may know another contract.
      if (!toAll.includes(answer))
        assert.equal(calls.length, 4, 'what was learnt beside the first question is kept');
    }
  });

  it('fails, and learns nothing, where the answer says nothing of eth_call', async () => {
    for (const [answer, kind] of [
      ['<html>busy</html>', 'badResponse'],
      [{ error: { code: -32005, message: 'limit exceeded' } }, 'rpc'],
    ] as const) {
      let isBusy = true;
      const { chain } = endpoint(({ to, data }) =>
        isBusy ? answer : to === IDENTITY ? returns(data) : uint(5n),
      );
      await assert.rejects(chain.fetchErc20Balance(TOKEN, HOLDER), { kind });
      isBusy = false;
      assert.equal((await chain.fetchErc20Balance(TOKEN, HOLDER)).state, 'known');
    }
  });

  it('fails where a call is refused that is no revert, or answered with no data', async () => {
    const lost: Answer = { error: { code: -32000, message: 'missing trie node' } };
    await assert.rejects(token(text('X'), uint(6n), lost), { kind: 'rpc' });
    for (const answer of [returns(7), returns(null), returns('7')])
      await assert.rejects(token(text('X'), uint(6n), answer), { kind: 'badResponse' });
  });
});

describe('NFT contract by eth_call', () => {
  const supports =
    (id: string) =>
    (selector: string, { data }: Call) =>
      selector === '0x01ffc9a7' && data.slice(10, 18) === id
        ? uint(1n)
        : selector === '0x06fdde03'
          ? text('Apes')
          : reverts;

  it('tells its standard, its name and how many tokens it counts', async () => {
    const counted = (selector: string, call: Call) =>
      selector === '0x18160ddd' ? uint(10_000n) : supports('80ac58cd')(selector, call);
    assert.deepEqual(await contracts(counted).chain.fetchNftContract(TOKEN), {
      state: 'known',
      contract: {
        ...{ contract: TOKEN, name: 'Apes', symbol: undefined, standards: ['erc165', 'erc721'] },
        ...{ standard: 'erc721', supply: 10_000n, spam: undefined },
      },
    });
    const answer = await contracts(supports('d9b67a26')).chain.fetchNftContract(TOKEN);
    assert.ok(answer.state === 'known');
    assert.deepEqual([answer.contract.standard, answer.contract.supply], ['erc1155', undefined]);
  });

  it('is none that claims neither standard', async () => {
    for (const answer of [reverts, returns('0x'), uint(0n), uint(2n), text('yes')]) {
      const { chain } = contracts(() => answer);
      assert.deepEqual(await chain.fetchNftContract(TOKEN), { state: 'notAnNft' });
    }
  });
});
