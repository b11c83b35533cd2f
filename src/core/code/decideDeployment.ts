import { compareValues } from '../base/values.ts';
import { type AddressCheck, formatNames, isSameCreation } from '../project/index/deploymentTable.ts';
import {
  type ContractKey,
  type IndexedContract,
  type IndexedDeployment,
  toContractKey,
} from '../project/index/joinContracts.ts';
import type { CodeFit } from './findContractByCode.ts';

/** Whether the transaction of a record is on the chain; `unknown` if the record has none, or the node cannot know. */
export type RecordOrigin = 'absent' | 'onChain' | 'unknown';

/** A record of a deployment, and what the chain says of it. */
export interface CheckedRecord {
  readonly record: IndexedDeployment;
  readonly contract: IndexedContract | undefined;
  readonly match: CodeFit;
  readonly origin: RecordOrigin;
  /** The block that has the transaction, if `origin` is `onChain`. */
  readonly block?: bigint | undefined;
}

/**
 * Decides which record of an address with code holds. In this order: the contract whose build has the code; the one that
 * a person chose; the latest transaction on this chain; the only name of the records that the chain does not contradict.
 *
 * @param records the newest first.
 * @param found the contract of the project with this code, where no record's contract has it.
 * @param alike contracts with the same code as `found`.
 * @returns undefined if there is no record, and the code is unknown.
 */
export function decideDeployment(
  records: readonly CheckedRecord[],
  found: ContractKey | undefined,
  alike: readonly Pick<IndexedContract, 'name'>[] = [],
): AddressCheck | undefined {
  const byCode =
    pick(records, ({ match }) => match === 'exact') ?? pick(records, ({ match }) => match === 'code');
  const listOfCreation = (of: CheckedRecord) =>
    records.filter(({ record }) => isSameCreation(record, of.record));
  if (byCode)
    return { state: 'current', ...toRecord(listOfCreation(byCode)[0] ?? byCode), ...toCode(byCode) };
  const latest = records.filter(({ origin }) => origin === 'onChain').sort(compareLatestFirst)[0];
  if (found) {
    const name = formatNames([...new Set([found, ...alike].map((each) => each.name))]);
    return { state: 'current', ...(latest && toRecord(latest)), code: found, name };
  }
  const chosen = records.find(({ record, contract }) => record.chosen !== undefined && contract);
  if (chosen && chosen.contract !== latest?.contract) {
    const name = chosen.record.contract;
    return { state: 'unconfirmed', ...toRecord(latest ?? chosen), ...toCode(chosen), name };
  }
  if (latest) {
    // Of a proxy with two names, the first is the script's, and the other record has the contract.
    const other = listOfCreation(latest).findLast((one) => one !== latest);
    return { state: 'current', ...toRecord(latest), ...(other && toCode(other)) };
  }
  if (records.length === 0) return undefined;
  const possible = records.filter(({ origin }) => origin !== 'absent');
  const [first] = possible;
  if (!first) return { state: 'replaced' };
  const others = possible.filter(({ record }) => !isSameCreation(record, first.record));
  const names = [...new Set([first, ...others].flatMap(({ record }) => record.contract ?? []))];
  return names.length < 2
    ? { state: 'unconfirmed', ...toRecord(first) }
    : { state: 'undecided', name: formatNames(names) };
}

/** One whose transaction is on the chain, else the newest. */
function pick(
  records: readonly CheckedRecord[],
  isFitting: (record: CheckedRecord) => boolean,
): CheckedRecord | undefined {
  const fitting = records.filter(isFitting);
  return fitting.find(({ origin }) => origin === 'onChain') ?? fitting[0];
}

/** A contract that is created again at an address has a later block. */
function compareLatestFirst(a: CheckedRecord, b: CheckedRecord): number {
  return compareValues(b.block ?? -1n, a.block ?? -1n);
}

const toCode = ({ contract }: CheckedRecord) => contract && { code: toContractKey(contract) };

const toRecord = ({ record: { contract, transaction }, block }: CheckedRecord) => ({
  record: { contract, transaction },
  ...(block !== undefined && { block }),
});
