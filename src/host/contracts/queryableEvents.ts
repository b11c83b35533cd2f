import type { AbiItemText } from '../../core/index.ts';

/** An event that logs can be asked for by. */
export interface QueryableEvent {
  readonly name: string;
  /** As it is declared, with the word `event`: as a query takes it. */
  readonly declaration: string;
}

const EVENT = /^event ([A-Za-z_$][\w$]*)\(/;
/** Characters of a declaration that a query can be asked with. */
const LONGEST_DECLARATION = 4096;

/** What an item of an ABI is for a query; undefined for what is no event, and for an anonymous one: it has no topic0. */
export function queryableEvent(declaration: AbiItemText): QueryableEvent | undefined {
  if (declaration.length > LONGEST_DECLARATION || declaration.endsWith(' anonymous')) return undefined;
  const name = EVENT.exec(declaration)?.[1];
  return name === undefined ? undefined : { name, declaration };
}
