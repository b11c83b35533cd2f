import { isRecord } from '../../base/records.ts';

/** Types of the items of an ABI, https://docs.soliditylang.org/en/latest/abi-spec.html#json */
const ITEM_TYPES: ReadonlySet<unknown> = new Set([
  'function',
  'event',
  'error',
  'constructor',
  'fallback',
  'receive',
]);

/** Whether a list is an ABI, which its first entry shows. */
export function isAbi([first]: readonly unknown[]): boolean {
  return isRecord(first) && ITEM_TYPES.has(first.type);
}
