import { createMessage, foreign, formatMessage, type Message } from '../base/text.ts';

/** Why the EVM ended a call, other than by a revert. */
export interface Halt {
  readonly kind: HaltKind;
  /** In plain words, to stand inside a sentence. */
  readonly text: Message;
}

export type HaltKind =
  | 'balance'
  | 'code'
  | 'collision'
  | 'depth'
  | 'gas'
  | 'invalid'
  | 'jump'
  | 'nonce'
  | 'opcode'
  | 'precompile'
  | 'returnData'
  | 'size'
  | 'stack'
  | 'write';

/**
 * Messages of clients, the more special first: geth and Erigon (core/vm/errors.go), revm in anvil, reth and Hardhat
 * (`HaltReason`), Nethermind (`EvmExceptionType`), Besu (`ExceptionalHaltReason`), ethereumjs in older Hardhat and Ganache
 * (`ERROR`), and OpenEthereum in `trace_transaction`.
 */
const HALTS: readonly (readonly [pattern: RegExp, kind: HaltKind, text: Message])[] = [
  [
    /code ?stor(?:e|age) out ?of ?gas/i,
    'gas',
    createMessage('out of gas while the code of the new contract was stored'),
  ],
  [
    /not enough gas for reentrancy sentry|ReentrancySentryOOG/i,
    'gas',
    createMessage('out of gas: writing storage needs more than 2,300 gas left'),
  ],
  [
    /out ?of ?memory|memory(?:limit)?OOG|memory ?limit|OutOfGas\(Memory/i,
    'gas',
    createMessage('out of gas: too much memory'),
  ],
  [
    /out[ _]?of[ _]?gas|[a-z]OOG\b|insufficient[ _]?gas|gas uint64 overflow/i,
    'gas',
    createMessage('out of gas'),
  ],
  [
    /(?:insufficient|enough)[ _]?(?:balance|funds)|out ?of ?funds|OverflowPayment/i,
    'balance',
    createMessage('not enough balance for the value of a call'),
  ],
  [/call ?too ?deep|call ?depth/i, 'depth', createMessage('more than 1,024 calls inside of each other')],
  [/collision/i, 'collision', createMessage('the address of the new contract is taken')],
  [
    /write protection|static ?call|inside ?static|mutable call|illegal[ _]?state[ _]?change|static state change/i,
    'write',
    createMessage('a change of state inside of a static call'),
  ],
  [
    /must not begin with 0xef|StartingWithEF|invalid bytecode deployed|^(?:code is invalid|INVALID_?CODE)$/i,
    'code',
    createMessage('the code of the new contract begins with 0xEF'),
  ],
  [/init ?code/i, 'size', createMessage('the creation code is larger than the chain allows')],
  [
    /max code size|maximum code size|ContractSizeLimit|code[ _](?:is )?too[ _]large/i,
    'size',
    createMessage('the new contract is larger than the chain allows'),
  ],
  [
    /opcode 0x(?!fe)[0-9a-f]{2} not defined|opcode ?not ?found|NotActivated/i,
    'opcode',
    createMessage('an instruction that this chain does not have'),
  ],
  [
    /invalid ?(?:fe ?)?opcode|0xfe\b|bad ?instruction|invalid_?operation/i,
    'invalid',
    createMessage('an invalid instruction, as of assert before Solidity 0.8'),
  ],
  [/(?:invalid|bad)[ _]?jump/i, 'jump', createMessage('a jump to a place that is no destination')],
  [
    /stack[ _]?(?:underflow|overflow|limit)|out of stack|(?:insufficient|too_many)_stack_items/i,
    'stack',
    createMessage('more or fewer values on the stack than the EVM allows'),
  ],
  [
    /return[ _]?data|out[ _]?of[ _]?(?:bounds|offset)|AccessViolation/i,
    'returnData',
    createMessage('a read behind the end of returned data'),
  ],
  [/precompile|built-in failed/i, 'precompile', createMessage('a precompiled contract refused its input')],
  [/nonce.{0,20}overflow/i, 'nonce', createMessage('the nonce of the creator is at its largest value')],
];

/** A longer message has text of a contract. */
const MAX_MESSAGE_CHARS = 200;

/**
 * The halt that a client's message means. Undefined for a revert, and for a message of no known client.
 *
 * @example findHalt('EVM error ReentrancySentryOOG')?.kind // 'gas'
 */
export function findHalt(message: string): Halt | undefined {
  if (isRevertError(message) || message.length > MAX_MESSAGE_CHARS) return undefined;
  const [, kind, text] = HALTS.find(([pattern]) => pattern.test(message)) ?? [];
  return kind && text && { kind, text };
}

/**
 * Whether a server's word for a failure means a revert, which may have data, and not another halt.
 *
 * @example isRevertError('execution reverted') // true
 */
export function isRevertError(error: string): boolean {
  return /revert/i.test(error);
}

/**
 * A client's message of a halt in plain words, with the message behind; undefined if it means no known halt.
 *
 * @example formatMessage(describeHalt('EVM error OutOfGas')) // 'out of gas (EVM error OutOfGas)'
 */
export function describeHalt(message: string): Message | undefined {
  const halt = findHalt(message);
  if (!halt) return undefined;
  const raw = message.trim();
  return raw.toLowerCase() === halt.text.template
    ? halt.text
    : createMessage('{0} ({1})', halt.text, foreign(raw));
}

/**
 * A client's message of a halt in plain words, as a member of JSON.
 *
 * @example haltToJson('OutOfGas') // { halt: 'out of gas' }
 */
export function haltToJson(message: string): { readonly halt?: string } {
  const halt = findHalt(message);
  return halt ? { halt: formatMessage(halt.text) } : {};
}
