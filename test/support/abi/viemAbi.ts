import type { AbiParameter as ViemParameter } from 'viem';
import type { AbiItem } from '../../../src/core/abi/item.ts';
import type { AbiParameter, AbiType, AbiValue } from '../../../src/core/abi/type.ts';

/** A parameter as ABI JSON has it. */
interface JsonParameter {
  readonly name: string;
  readonly type: string;
  readonly components?: readonly JsonParameter[];
  readonly indexed?: boolean;
}

/** An item as compilers write it. */
export function toAbiJson(item: AbiItem) {
  const { kind: type, name } = item;
  if (item.kind === 'event') {
    const inputs = item.inputs.map((input) => ({ ...toJsonParameter(input), indexed: input.indexed }));
    return { type, name, inputs, anonymous: item.anonymous };
  }
  const inputs = item.inputs.map(toJsonParameter);
  if (item.kind === 'error') return { type, name, inputs };
  const stateMutability = item.isView ? 'view' : 'nonpayable';
  return { type, name, inputs, outputs: item.outputs.map(toJsonParameter), stateMutability };
}

function toJsonParameter({ name, type }: AbiParameter): JsonParameter {
  const { text, members } = jsonType(type);
  return { name, type: text, ...(members && { components: members.map(toJsonParameter) }) };
}

function jsonType(type: AbiType): { text: string; members?: readonly AbiParameter[] } {
  if (type.kind === 'tuple') return { text: 'tuple', members: type.members };
  if (type.kind !== 'array') return { text: type.text };
  const { text, ...rest } = jsonType(type.item);
  return { text: `${text}[${type.length ?? ''}]`, ...rest };
}

/**
 * The same for viem: members without names, so that tuples are lists there as well; `function`, which viem does not
 * know, as the 24 bytes that it is.
 */
export function toViem({ type }: AbiParameter): ViemParameter {
  const { text, members } = jsonType(type);
  return {
    type: text.replace(/^function/, 'bytes24'),
    ...(members && { components: members.map(toViem) }),
  } as ViemParameter;
}

/** A value as viem takes it: small integers as numbers. */
export function toViemValue(type: AbiType, value: AbiValue): unknown {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return type.bits <= 48 ? Number(value) : value;
    case 'array':
      return (value as readonly AbiValue[]).map((item) => toViemValue(type.item, item));
    case 'tuple':
      return type.members.map((member, index) =>
        toViemValue(member.type, (value as readonly AbiValue[])[index] as AbiValue),
      );
    default:
      return value;
  }
}

/** A value that viem has decoded, of members without names; an address has a checksum there. */
export function fromViemValue(type: AbiType, value: unknown): AbiValue {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return BigInt(value as bigint | number);
    case 'address':
      return (value as string).toLowerCase();
    case 'array':
      return (value as readonly unknown[]).map((item) => fromViemValue(type.item, item));
    case 'tuple':
      return type.members.map((member, index) =>
        fromViemValue(member.type, (value as readonly unknown[])[index]),
      );
    default:
      return value as AbiValue;
  }
}
