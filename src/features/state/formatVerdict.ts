import {
  type ContractState,
  describeConfirmation,
  type Message,
  parseAddress,
  type StateKind,
  type StateRow,
  type StateVerdict,
  toChecksumAddress,
} from '../../core/index.ts';
import { type Localizer, localize } from '../../host/l10n.ts';
import { formatNumber } from '../../host/numbers.ts';
import { countGroups, getRowKind } from './stateRows.ts';

/** What a state is worth, in words: `12 holders in block 1,234. 12 of 12 rows confirmed; the total supply is equal.` */
export function formatStateVerdict(state: ContractState, l10n: Localizer): string {
  const { verdict, rows } = state;
  const count = formatRowCount(rows, getRowKind(state), l10n);
  const block = formatNumber(verdict.block);
  const worth = localizeReason(describeConfirmation(verdict), l10n);
  // Reasons are listed above the rows.
  if (verdict.reasons.length > 0) return `${l10n.t('{0} found in block {1}.', count, block)} ${worth}`;
  const others = [...verdict.restsOn, ...(verdict.details ?? [])].map((one) => localizeReason(one, l10n));
  return [l10n.t('{0} in block {1}.', count, block), worth, ...others].join(' ');
}

/** Why the rows are not to be taken as complete; undefined if nothing is against it. */
export function listDoubts(verdict: StateVerdict, l10n: Localizer): readonly string[] | undefined {
  return verdict.state === 'complete'
    ? undefined
    : verdict.reasons.map((reason) => localizeReason(reason, l10n));
}

/** With checksummed addresses. */
function localizeReason({ template, args }: Message, l10n: Localizer): string {
  const shown = args.map((arg) => {
    const address = typeof arg === 'string' ? parseAddress(arg) : undefined;
    return address ? toChecksumAddress(address) : arg;
  });
  return localize({ template, args: shown }, l10n);
}

function formatRowCount(rows: readonly StateRow[], kind: StateRow['kind'], l10n: Localizer): string {
  const count = formatNumber(rows.length);
  const isOne = rows.length === 1;
  const groups = countGroups(rows);
  switch (kind) {
    case 'balance':
      return isOne ? l10n.t('1 holder') : l10n.t('{0} holders', count);
    case 'token':
      return isOne ? l10n.t('1 NFT') : l10n.t('{0} NFTs', count);
    case 'tokenBalance':
      return isOne ? l10n.t('1 balance') : l10n.t('{0} balances', count);
    case 'role':
      if (groups === 0) return l10n.t('No roles');
      if (isOne) return l10n.t('1 member of 1 role');
      return groups === 1
        ? l10n.t('{0} members of 1 role', count)
        : l10n.t('{0} members of {1} roles', count, formatNumber(groups));
    case 'allowance':
      if (isOne) return l10n.t('1 allowance');
      return groups < 2
        ? l10n.t('{0} allowances', count)
        : l10n.t('{0} allowances in {1} tokens', count, formatNumber(groups));
  }
}

/** The title of a panel, with the name of its address. */
export function formatStateTitle(kind: StateKind, name: string, l10n: Localizer): string {
  switch (kind) {
    case 'holders':
      return l10n.t('Holders of {0}', name);
    case 'roles':
      return l10n.t('Roles of {0}', name);
    case 'allowances':
      return l10n.t('Allowances of {0}', name);
  }
}

/** What has changed between two blocks, as far as their rows are known. */
export function formatChanges(
  { added, removed, changed }: Readonly<Record<'added' | 'removed' | 'changed', number>>,
  { isComplete, l10n }: { readonly isComplete: boolean; readonly l10n: Localizer },
): string {
  const counts = [added, removed, changed].map((count) => formatNumber(count)) as [string, string, string];
  if (added + removed + changed === 0)
    return isComplete ? l10n.t('No changes') : l10n.t('No changes in the rows found');
  return l10n.t('{0} added, {1} removed, {2} changed', ...counts);
}
