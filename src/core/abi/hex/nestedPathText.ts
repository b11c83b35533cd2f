import type { AbiParameter, AbiType } from '../abiType.ts';

/**
 * Where something stands among values, as Solidity would write it: members by their names, or by their place where they
 * have none.
 *
 * @example nestedPathText([{ name: 'data', type: { kind: 'bytes', text: 'bytes' } }], [0]) // 'data'
 */
export function nestedPathText(inputs: readonly AbiParameter[], path: readonly number[]): string {
  const [first = 0, ...rest] = path;
  const input = inputs[first];
  let text = input?.name || `[${first}]`;
  let type: AbiType | undefined = input?.type;
  for (const index of rest) {
    const member: AbiParameter | undefined = type?.kind === 'tuple' ? type.members[index] : undefined;
    text += member?.name ? `.${member.name}` : `[${index}]`;
    type = member?.type ?? (type?.kind === 'array' ? type.item : undefined);
  }
  return text;
}
