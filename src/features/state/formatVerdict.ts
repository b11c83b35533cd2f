import {
  type ContractState,
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

/** What a state is worth, in words: `12 holders in block 1,234. Proven: all 12 balances and the total supply agree.` */
export function formatStateVerdict(state: ContractState, l10n: Localizer): string {
  const details = (state.verdict.details ?? []).map((detail) => localizeReason(detail, l10n));
  return [formatWorth(state, l10n), ...details].join(' ');
}

function formatWorth(state: ContractState, l10n: Localizer): string {
  const { verdict, rows } = state;
  const count = formatRowCount(rows, getRowKind(state), l10n);
  const block = formatNumber(verdict.block);
  if (verdict.proven) {
    return `${l10n.t('{0} in block {1}.', count, block)} ${formatProof(state, l10n)}`;
  }
  const [first] = verdict.reasons;
  if (isConsistent(verdict)) {
    const why = first
      ? l10n.t('Not proven, but nothing contradicts it: {0}', localizeReason(first, l10n))
      : '';
    return `${l10n.t('{0} in block {1}.', count, block)} ${why}`;
  }
  // The reasons are listed above the rows.
  return `${l10n.t('{0} found in block {1}.', count, block)} ${l10n.t('Not proven.')}`;
}

function formatProof(state: ContractState, l10n: Localizer): string {
  const { of, totalSupply } = state.verdict.proof;
  const isSupplyEqual = totalSupply === true;
  if (of === 0) {
    return isSupplyEqual
      ? l10n.t('Proven: the total supply is zero.')
      : l10n.t('Proven: the logs are complete.');
  }
  const count = formatComparedCount(of, getRowKind(state), l10n);
  return isSupplyEqual
    ? l10n.t('Proven: all {0} and the total supply agree.', count)
    : l10n.t('Proven: all {0} agree with calls.', count);
}

/** Whether the logs are complete, and what was compared agrees: rows may be left that were not compared. */
function isConsistent({ state, proof }: StateVerdict): boolean {
  const { equal, compared, totalSupply } = proof;
  return state === 'complete' && equal === compared && compared > 0 && totalSupply !== false;
}

/** Why the rows are not to be taken as complete; undefined if nothing contradicts them. */
export function listDoubts(verdict: StateVerdict, l10n: Localizer): readonly string[] | undefined {
  return verdict.proven || isConsistent(verdict)
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

function formatComparedCount(compared: number, kind: StateRow['kind'], l10n: Localizer): string {
  const count = formatNumber(compared);
  switch (kind) {
    case 'balance':
    case 'tokenBalance':
      return l10n.t('{0} balances', count);
    case 'token':
      return l10n.t('{0} owners', count);
    case 'role':
      return l10n.t('{0} memberships', count);
    case 'allowance':
      return l10n.t('{0} allowances', count);
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

/** What has changed between two blocks. */
export function formatChanges(
  { added, removed, changed }: Readonly<Record<'added' | 'removed' | 'changed', number>>,
  l10n: Localizer,
): string {
  const counts = [added, removed, changed].map((count) => formatNumber(count)) as [string, string, string];
  return added + removed + changed === 0
    ? l10n.t('No changes')
    : l10n.t('{0} added, {1} removed, {2} changed', ...counts);
}
