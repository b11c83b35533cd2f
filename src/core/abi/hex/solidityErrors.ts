import type { Hex } from '../../values/hex.ts';
import type { AbiError } from '../abiItem.ts';
import type { Candidate } from '../candidates.ts';

const origin = { trust: 'bundled', from: 'Solidity', contract: undefined, line: undefined } as const;

/** https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require */
const errors: readonly AbiError[] = [
  {
    kind: 'error',
    name: 'Error',
    inputs: [{ name: 'message', type: { kind: 'string', text: 'string' } }],
    signature: 'Error(string)',
    selector: '0x08c379a0',
  },
  {
    kind: 'error',
    name: 'Panic',
    inputs: [{ name: 'code', type: { kind: 'uint', bits: 256, text: 'uint256' } }],
    signature: 'Panic(uint256)',
    selector: '0x4e487b71',
  },
];

/**
 * The errors that the language itself raises: no contract declares them.
 *
 * @example solidityErrors('0x4e487b71')[0]?.item.signature // 'Panic(uint256)'
 */
export function solidityErrors(selector: Hex): readonly Candidate<AbiError>[] {
  return errors.filter((item) => item.selector === selector).map((item) => ({ item, origin }));
}

/**
 * Whether it is Solidity's own `Panic(uint256)`.
 *
 * @example isPanic({ signature: 'Panic(uint256)' }) // true
 */
export function isPanic({ signature }: { readonly signature: string }): boolean {
  return signature === 'Panic(uint256)';
}
