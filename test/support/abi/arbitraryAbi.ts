import fc from 'fast-check';
import { isParameterName } from '../../../src/core/abi/declaration.ts';
import {
  type AbiError,
  type AbiEvent,
  type AbiFunction,
  type AbiItem,
  formatAbiItem,
  parseAbiItem,
} from '../../../src/core/abi/item.ts';
import {
  type AbiParameter,
  type AbiType,
  arrayType,
  type EventParameter,
  parseElementaryType,
  tupleType,
} from '../../../src/core/abi/type.ts';

const elementary: fc.Arbitrary<AbiType> = fc
  .oneof(
    fc.constantFrom('address', 'bool', 'string', 'bytes', 'function', 'uint256', 'int256'),
    fc.integer({ min: 1, max: 32 }).map((size) => `bytes${size}`),
    fc
      .tuple(fc.constantFrom('uint', 'int'), fc.integer({ min: 1, max: 32 }))
      .map(([kind, n]) => kind + 8 * n),
  )
  .map((word) => parseElementaryType(word) as AbiType);

const word = fc.stringMatching(/^[A-Za-z_$][A-Za-z0-9_$]{0,12}$/);
const parameterName = fc.oneof(fc.constant(''), word.filter(isParameterName), fc.constant('__proto__'));

/** Types that compilers take: no array of nothing, no empty tuple. */
export const { type: arbitraryType } = fc.letrec<{ type: AbiType }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    elementary,
    fc
      .tuple(tie('type'), fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }))
      .map(([item, length]) => arrayType(item, length)),
    fc
      .array(fc.record({ name: parameterName, type: tie('type') }, { noNullPrototype: true }), {
        minLength: 1,
        maxLength: 3,
      })
      .map(tupleType),
  ),
}));

const parameter: fc.Arbitrary<AbiParameter> = fc.record(
  { name: parameterName, type: arbitraryType },
  { noNullPrototype: true },
);
export const arbitraryParameters: fc.Arbitrary<readonly AbiParameter[]> = fc.array(parameter, {
  maxLength: 4,
});

/** An item of what its text says, hashes and all. */
function itemOf<Item extends AbiItem>(parts: Parameters<typeof formatAbiItem>[0]): Item {
  return parseAbiItem(formatAbiItem(parts)) as Item;
}

export const arbitraryEvent: fc.Arbitrary<AbiEvent> = fc
  .tuple(word, fc.boolean(), fc.array(fc.tuple(parameter, fc.boolean()), { maxLength: 6 }))
  .map(([name, anonymous, declared]) => {
    let topics = anonymous ? 4 : 3;
    const inputs = declared.map(
      ([{ name, type }, wish]): EventParameter => ({ name, type, indexed: wish && topics-- > 0 }),
    );
    return itemOf({ kind: 'event', name, anonymous, inputs });
  });

export const arbitraryError: fc.Arbitrary<AbiError> = fc
  .tuple(word, arbitraryParameters)
  .map(([name, inputs]) => itemOf({ kind: 'error', name, inputs }));

export const arbitraryFunction: fc.Arbitrary<AbiFunction> = fc
  .tuple(word, arbitraryParameters, arbitraryParameters)
  .map(([name, inputs, outputs]) => itemOf({ kind: 'function', name, inputs, outputs }));

export const arbitraryItem: fc.Arbitrary<AbiItem> = fc.oneof(
  arbitraryEvent,
  arbitraryError,
  arbitraryFunction,
);
