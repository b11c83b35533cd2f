import type { AddressCheck } from '../project/index/deploymentTable.ts';
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
}

/**
 * Decides which record of an address with code holds. In this order: the contract whose build has the code; the latest
 * transaction on this chain; the only name of the records that the chain does not contradict.
 *
 * @param records the newest first.
 * @param found the contract of the project with this code, where no record's contract has it.
 * @returns undefined if there is no record, and the code is unknown.
 */
export function decideDeployment(
  records: readonly CheckedRecord[],
  found: ContractKey | undefined,
): AddressCheck | undefined {
  const byCode =
    pick(records, ({ match }) => match === 'exact') ?? pick(records, ({ match }) => match === 'code');
  if (byCode) return { state: 'current', ...toRecord(byCode), ...toCode(byCode) };
  const latest = records.filter(({ origin }) => origin === 'onChain').sort(compareLatestFirst)[0];
  if (found) return { state: 'current', ...(latest && toRecord(latest)), code: found, name: found.name };
  if (latest) return { state: 'current', ...toRecord(latest) };
  if (records.length === 0) return undefined;
  const possible = records.filter(({ origin }) => origin !== 'absent');
  const [first] = possible;
  if (!first) return { state: 'replaced' };
  const names = [...new Set(possible.flatMap(({ record }) => record.contract ?? []))];
  return names.length < 2
    ? { state: 'unconfirmed', ...toRecord(first) }
    : { state: 'undecided', name: names.slice(0, MAX_NAMES).join(' / ') };
}

/** More names say nothing. */
const MAX_NAMES = 3;

/** One whose transaction is on the chain, else the newest. */
function pick(
  records: readonly CheckedRecord[],
  isFitting: (record: CheckedRecord) => boolean,
): CheckedRecord | undefined {
  const fitting = records.filter(isFitting);
  return fitting.find(({ origin }) => origin === 'onChain') ?? fitting[0];
}

/** A contract that is created again at an address has a later block. */
function compareLatestFirst({ record: a }: CheckedRecord, { record: b }: CheckedRecord): number {
  const [one, other] = [a.block ?? -1n, b.block ?? -1n];
  return one === other ? 0 : one > other ? -1 : 1;
}

const toCode = ({ contract }: CheckedRecord) => contract && { code: toContractKey(contract) };

const toRecord = ({ record: { contract, transaction } }: CheckedRecord) => ({
  record: { contract, transaction },
});
