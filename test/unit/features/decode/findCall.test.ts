import assert from 'node:assert/strict';
import { ZERO_ADDRESS } from '../../../../src/core/index.ts';
import { findCall } from '../../../../src/features/decode/findCall.ts';
import { encodeItem } from '../../../support/decodingStubs.ts';
import { addressOf } from '../../../support/transactions.ts';

const [from, to] = [addressOf(1), addressOf(2)];
const DATA = `0x12345678${'00'.repeat(31)}05` as const;
const REVERT = `0xdeadbeef${'00'.repeat(31)}07`;
const call = { from, to, input: DATA, value: 0n, gasLimit: undefined };

describe('the call in the output of a tool', () => {
  it('is found in an error of ethers 6, not its revert data', () => {
    const text =
      `Error: execution reverted (unknown custom error) (action="estimateGas", data="${REVERT}", reason=null, ` +
      `transaction={ "data": "${DATA}", "from": "${from}", "to": "${to}" }, invocation=null, revert=null, ` +
      'code=CALL_EXCEPTION, version=6.17.0)';
    assert.deepEqual(findCall(text), call);
  });

  it('is found in an error of ethers 5', () => {
    const text =
      `Error: call revert exception (method="pay(uint256)", data="${REVERT}", transaction=` +
      `{"from":"${from}","to":"${to}","data":"${DATA}","accessList":null}, code=UNPREDICTABLE_GAS_LIMIT)`;
    assert.deepEqual(findCall(text), call);
  });

  it('is found in the request arguments of viem, with ether and gas', () => {
    const text = `CallExecutionError: Execution reverted for an unknown reason.

Raw Call Arguments:
  from:   ${from}
  to:     ${to}
  data:   ${DATA}
  gas:    50000
  value:  1.5 ETH

Details: execution reverted: custom error 0xdeadbeef
Version: viem@2.57.0`;
    assert.deepEqual(findCall(text), { ...call, gasLimit: 50_000n, value: 15n * 10n ** 17n });
  });

  it('is found in a request of JSON-RPC, and in an object of JavaScript', () => {
    const request = { method: 'eth_call', params: [{ to, input: DATA, value: '0x5', gas: '0x9' }, 'latest'] };
    assert.deepEqual(findCall(JSON.stringify({ id: 1, ...request })), {
      ...{ ...call, from: ZERO_ADDRESS, value: 5n, gasLimit: 9n },
    });
    const logged = `{\n  to: '${to}',\n  data: '${DATA}',\n  value: 5n,\n  from: '${from}'\n}`;
    assert.deepEqual(findCall(logged), { ...call, value: 5n });
  });

  it('is found in a command line of cast, which prints none with its error', () => {
    const error = `Error: Failed to estimate gas: execution reverted, data: "${REVERT}"`;
    const encoded = encodeItem('function pay(uint256 price, address by)', 5n, from);
    for (const command of [
      `cast send ${to} "pay(uint256,address)" 5 ${from} --from ${from} --rpc-url http://127.0.0.1:8545`,
      `cast call --from ${from} ${to} 'pay(uint256,address)(bool)' 5 ${from}`,
      `cast send --from ${from} \\\n  ${to} ${encoded}`,
    ])
      assert.deepEqual(findCall(`$ ${command}\n${error}`), { ...call, input: encoded }, command);
    const paid = findCall(`cast send ${to} "pay()" --value 1.5ether --gas-limit 50000 --private-key 0x12`);
    assert.deepEqual(
      [paid?.from, paid?.value, paid?.gasLimit, paid?.input.length],
      [ZERO_ADDRESS, 15n * 10n ** 17n, 50_000n, 10],
    );
    for (const command of [
      `cast send ${to}`,
      `cast send ${to} "pay(uint256)" five`,
      `cast send ${to} "pay("`,
    ])
      assert.equal(findCall(command), undefined, command);
  });

  it('is the first that is whole', () => {
    const cut = `{ to: '${to}', data: '${DATA.slice(0, 20)}…' } { to: '${from}' }`;
    assert.equal(findCall(cut), undefined);
    assert.deepEqual(findCall(`${cut} { to: '${to}', from: '${from}', data: '${DATA}' }`), call);
    assert.equal(findCall(`server returned an error: execution reverted, data: "${REVERT}"`), undefined);
    assert.equal(findCall(`to: ${to}\n${'text '.repeat(100)}\ndata: ${DATA}`), undefined);
  });

  it('is looked for at the beginning of a large text only', () => {
    const text = `${'data: 0x, to = gas: 12, '.repeat(10_000)} {"to":"${to}","from":"${from}","data":"${DATA}"}`;
    assert.deepEqual(findCall(text), call);
    assert.equal(findCall(`${' '.repeat(300_000)}${text}`), undefined);
  });
});
