import type { IndexedContract } from '../../../core/index.ts';

/** An event that logs can be asked for by: its name, and its declaration as the form of a query takes it. */
export interface ContractEvent {
  readonly name: string;
  readonly declaration: string;
}

const EVENT = /^event ([A-Za-z_$][\w$]*)\(/;

/** The events of a contract by name; not the anonymous ones, which have no topic0. */
export function eventsOf(contract: IndexedContract | undefined): readonly ContractEvent[] {
  const events = (contract?.abi ?? []).flatMap((declaration) => {
    const name = EVENT.exec(declaration)?.[1];
    return name === undefined || declaration.endsWith(' anonymous') ? [] : [{ name, declaration }];
  });
  return events.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
