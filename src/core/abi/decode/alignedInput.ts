import type { AbiEvent } from '../abiItem.ts';

/**
 * Which parameter of an event stands for the one at `index` of `shown`, an event of the same signature whose parameters
 * name the columns: the one there, or the one of that name where a version of the contract has another order. Undefined
 * where the name is that of none, and the one there is that of another column.
 *
 * @example
 * const to = alignedInput(shown, event, 1);
 */
export function alignedInput(
  { inputs: shown }: Pick<AbiEvent, 'inputs'>,
  { inputs }: Pick<AbiEvent, 'inputs'>,
  index: number,
): number | undefined {
  const wanted = shown[index];
  const there = inputs[index];
  if (!wanted || !there) return undefined;
  if (wanted.name === there.name || wanted.name === '' || there.name === '') return index;
  const named = inputs.findIndex(({ name }) => name === wanted.name);
  if (named >= 0) return inputs[named]?.type.text === wanted.type.text ? named : undefined;
  return shown.some(({ name }) => name === there.name) ? undefined : index;
}
