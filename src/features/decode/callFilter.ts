import * as vscode from 'vscode';
import { type Address, type ExplainedFrame, groupDigits, toChecksumAddress } from '../../core/index.ts';
import { pickOne } from '../../host/ui/dialogs.ts';
import { formatContract, type TraceContext } from './formatTrace.ts';

/** The contract whose calls are shown. */
export interface CallFilter {
  readonly address: Address;
  readonly name: string;
  /** The number of its calls. */
  readonly count: number;
}

/** The contracts that are called, those with most calls first. */
export function listCalledContracts(root: ExplainedFrame, context: TraceContext): readonly CallFilter[] {
  const found = new Map<Address, CallFilter>();
  for (const { explained } of listCalls(root)) {
    const { to: address } = explained.frame;
    if (address === undefined) continue;
    const known = found.get(address) ?? { address, name: formatContract(explained, context), count: 0 };
    found.set(address, { ...known, count: known.count + 1 });
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

/** The calls to a contract, and their callers. */
export function findCallsTo(root: ExplainedFrame, { address }: CallFilter): ReadonlySet<ExplainedFrame> {
  const filtered = new Set<ExplainedFrame>();
  for (const { explained, parent } of listCalls(root).reverse()) {
    if (explained.frame.to === address) filtered.add(explained);
    if (parent && filtered.has(explained)) filtered.add(parent);
  }
  return filtered;
}

/** All calls, each before those that it made. */
function listCalls(root: ExplainedFrame) {
  const calls: { readonly explained: ExplainedFrame; readonly parent: ExplainedFrame | undefined }[] = [
    { explained: root, parent: undefined },
  ];
  for (const { explained } of calls)
    for (const call of explained.calls) calls.push({ explained: call, parent: explained });
  return calls;
}

/** Lets the user pick the contract whose calls are shown: `all` for no filter, undefined when they leave. */
export async function pickCallFilter(
  contracts: readonly CallFilter[],
  current: CallFilter | undefined,
): Promise<CallFilter | 'all' | undefined> {
  const { l10n } = vscode;
  const choices = contracts.map((filter) => ({
    ...{ filter, label: filter.name, detail: toChecksumAddress(filter.address) },
    description: formatCount(filter.count),
  }));
  const all = { filter: 'all' as const, label: l10n.t('All Contracts') };
  const picked = await pickOne<PickedFilter>(current ? [all, ...choices] : choices, {
    ...{ title: l10n.t('Filter Calls by Contract'), matchOnDetail: true },
    placeHolder: l10n.t('Choose a contract. Only calls to it and their callers are shown.'),
  });
  return picked?.filter;
}

interface PickedFilter {
  readonly filter: CallFilter | 'all';
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

/** `1 call`, `1,204 calls`. */
export function formatCount(count: number): string {
  const { l10n } = vscode;
  return count === 1 ? l10n.t('1 call') : l10n.t('{0} calls', groupDigits(count));
}
