import type { AbiError, AbiEvent, AbiFunction, AbiItemText } from '../abiItem.ts';
import type { AbiParameter, AbiType, EventParameter } from '../abiType.ts';

type Declared = 'kind' | 'name' | 'inputs';

/** What of an item its text shows; the hashes follow from it. */
export type AbiItemParts =
  | Pick<AbiEvent, Declared | 'anonymous'>
  | Pick<AbiError, Declared>
  | Pick<AbiFunction, Declared | 'outputs'>;

/**
 * An item as one line, from which `parseAbiItem` makes an equal item.
 *
 * @example abiItemText({ kind: 'error', name: 'Unpaid', inputs: [] }) // 'error Unpaid()'
 */
export function abiItemText(item: AbiItemParts): AbiItemText {
  const { kind, name } = item;
  switch (item.kind) {
    case 'event':
      return `${kind} ${name}${list(item.inputs)}${item.anonymous ? ' anonymous' : ''}`;
    case 'error':
      return `${kind} ${name}${list(item.inputs)}`;
    case 'function': {
      const returned = item.outputs.length > 0 ? ` returns ${list(item.outputs)}` : '';
      return `${kind} ${name}${list(item.inputs)}${returned}`;
    }
  }
}

function list(parameters: readonly (AbiParameter | EventParameter)[]): string {
  return `(${parameters.map(parameterText).join(', ')})`;
}

function parameterText(parameter: AbiParameter | EventParameter): string {
  const indexed = 'indexed' in parameter && parameter.indexed ? ' indexed' : '';
  return `${typeText(parameter.type)}${indexed}${parameter.name && ` ${parameter.name}`}`;
}

/** As the canonical form, with the names of members. */
function typeText(type: AbiType): string {
  if (type.kind === 'tuple') return list(type.members);
  if (type.kind === 'array') return `${typeText(type.item)}[${type.length ?? ''}]`;
  return type.text;
}
