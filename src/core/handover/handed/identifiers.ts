import type { AbiEvent } from '../../abi/abiItem.ts';
import type { AbiParameter, AbiType, EventParameter } from '../../abi/abiType.ts';

/** Words that Solidity, or what reads its declarations, takes for more than a name. */
const RESERVED: ReadonlySet<string> = new Set(
  [
    'abstract after alias anonymous apply as assembly assert at auto break byte calldata case catch constant constructor',
    'continue contract copyof default define defined delete do else emit enum error event external fallback false final',
    'for function hex if immutable implements import in indexed inline interface internal is layout let library macro mapping',
    'match memory modifier mutable new null of override partial payable pragma private promise public pure receive',
    'reference relocatable return returns sealed sizeof static storage string struct super supports switch this throw',
    'transient true try tuple type typedef typeof unchecked unicode using var view virtual while',
    '_ address bool bytes fixed int ufixed uint wei gwei ether seconds minutes hours days weeks years',
  ].flatMap((line) => line.split(' ')),
);
const TYPE = /^(?:u?int|bytes|u?fixed)\d/;
const NAME = /^[A-Za-z_$][\w$]*$/;

/**
 * Whether a word can be a name in Solidity.
 *
 * @example isSolidityName('match') // false
 */
export function isSolidityName(word: string): boolean {
  return NAME.test(word) && !RESERVED.has(word) && !TYPE.test(word);
}

/** An event as any reader of declarations takes it: a parameter or member has no name where it could be none. */
export function readableEvent(event: AbiEvent): AbiEvent | undefined {
  return isSolidityName(event.name)
    ? { ...event, inputs: event.inputs.map(readable<EventParameter>) }
    : undefined;
}

function readable<Parameter extends AbiParameter>(parameter: Parameter): Parameter {
  const name = isSolidityName(parameter.name) ? parameter.name : '';
  return { ...parameter, name, type: readableType(parameter.type) };
}

function readableType(type: AbiType): AbiType {
  if (type.kind === 'array') return { ...type, item: readableType(type.item) };
  return type.kind === 'tuple' ? { ...type, members: type.members.map(readable<AbiParameter>) } : type;
}
