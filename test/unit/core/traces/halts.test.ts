import assert from 'node:assert/strict';
import { describeHalt, formatMessage } from '../../../../src/core/index.ts';
import { findHalt, haltToJson } from '../../../../src/core/traces/halts.ts';

/** By client, what it writes for each way in which the EVM ends a call. */
const WORDS = {
  gas: [
    // geth and Erigon
    ...['out of gas', 'out of gas: out of memory', 'gas uint64 overflow', 'evm: out of gas'],
    ...['out of gas: not enough gas for reentrancy sentry', 'contract creation code storage out of gas'],
    // revm: anvil, reth, Hardhat 3
    ...['OutOfGas', 'EVM error OutOfGas', 'EVM error ReentrancySentryOOG', 'MemoryOOG', 'MemoryLimitOOG'],
    ...['InvalidOperandOOG', 'PrecompileOOG', 'OutOfGas(Basic)', 'OutOfGas(MemoryLimit)'],
    // OpenEthereum, Besu, Hardhat 2, ethereumjs
    ...[
      'Out of gas',
      'INSUFFICIENT_GAS',
      'OUT_OF_GAS',
      'Transaction ran out of gas',
      'code store out of gas',
    ],
  ],
  invalid: [
    ...['invalid opcode: INVALID', 'invalid opcode: opcode 0xfe not defined', 'InvalidFEOpcode'],
    ...['BadInstruction', 'Bad instruction', 'INVALID_OPERATION', 'invalid opcode'],
    'VM Exception while processing transaction: invalid opcode',
  ],
  opcode: ['OpcodeNotFound', 'NotActivated', 'invalid opcode: opcode 0x5f not defined'],
  write: [
    ...['write protection', 'Mutable Call In Static Context', 'StateChangeDuringStaticCall'],
    ...['CallNotAllowedInsideStatic', 'StaticCallViolation', 'ILLEGAL_STATE_CHANGE', 'static state change'],
  ],
  balance: [
    ...['insufficient balance for transfer', 'OutOfFunds', 'INSUFFICIENT_BALANCE', 'Out of funds'],
    ...['NotEnoughBalance', 'OverflowPayment', 'insufficient funds for gas * price + value'],
  ],
  depth: ['max call depth exceeded', 'CallTooDeep', 'CallDepthExceeded'],
  collision: ['contract address collision', 'CreateCollision', 'create collision', 'TransactionCollision'],
  code: [
    ...['invalid code: must not begin with 0xef', 'CreateContractStartingWithEF', 'InvalidCode'],
    ...['INVALID_CODE', 'Code is invalid'],
  ],
  size: [
    ...['max code size exceeded', 'CreateContractSizeLimit', 'Code is too large', 'CODE_TOO_LARGE'],
    ...['max initcode size exceeded', 'CreateInitCodeSizeLimit', 'initcode exceeds max initcode size'],
  ],
  jump: ['invalid jump destination', 'InvalidJump', 'Bad jump destination', 'INVALID_JUMP_DESTINATION'],
  stack: [
    ...['stack underflow (1 <=> 2)', 'stack limit reached 1024 (1023)', 'StackUnderflow', 'StackOverflow'],
    ...['Out of stack', 'INSUFFICIENT_STACK_ITEMS', 'TOO_MANY_STACK_ITEMS'],
  ],
  returnData: ['return data out of bounds', 'OutOfOffset', 'AccessViolation', 'OUT_OF_BOUNDS'],
  precompile: ['PrecompileError', 'PrecompileFailure', 'Built-in failed', 'PRECOMPILE_ERROR'],
  nonce: ['nonce uint64 overflow', 'NonceOverflow'],
} as const;

describe('the words of clients for the end of a call', () => {
  for (const [kind, words] of Object.entries(WORDS))
    for (const error of words) it(`mean ${kind}: ${error}`, () => assert.equal(findHalt(error)?.kind, kind));

  it('mean no halt for a revert, whatever its text, and for other words', () => {
    for (const words of ['execution reverted', 'execution reverted: out of gas', 'Reverted', '', 'timeout'])
      assert.equal(findHalt(words), undefined, words);
  });

  it('stand behind the plain words, unless both are the same', () => {
    const format = (words: string) => formatMessage(describeHalt(words) ?? assert.fail(words));
    assert.equal(format('Out of gas'), 'out of gas');
    assert.equal(format('EVM error OutOfGas'), 'out of gas (EVM error OutOfGas)');
    assert.match(
      format('EVM error ReentrancySentryOOG'),
      /^out of gas: .* \(EVM error ReentrancySentryOOG\)$/,
    );
    assert.deepEqual(haltToJson('PrecompileOOG'), { halt: 'out of gas' });
    assert.deepEqual(haltToJson('execution reverted'), {});
  });
});
