import {
  type CodeComparison,
  type CodeMatch,
  type FilledImmutable,
  formatShortAddress,
  type SelectorName,
  toChecksumAddress,
} from '../../core/index.ts';
import { type Localizer, localize } from '../l10n.ts';
import { formatNumber } from '../numbers.ts';

/** Names of a list in one line; the rest is counted. */
const MAX_NAMED = 5;
/** 32 bytes fit. */
const MAX_VALUE_CHARS = 66;

/** In a few words: `Same code`. */
export function formatVerdict(
  { match, immutables }: Pick<CodeComparison, 'immutables' | 'match'>,
  l10n: Localizer,
): string {
  const labels: Readonly<Record<CodeMatch, string>> = {
    exact: l10n.t('Same code'),
    metadata: l10n.t('Matches, except metadata'),
    immutables:
      immutables.length > 0
        ? l10n.t('Matches, except immutables')
        : l10n.t('Matches, except linked libraries'),
    settings: l10n.t('Same source, other settings'),
    different: l10n.t('Different code'),
    none: l10n.t('Not deployed here'),
    unknown: l10n.t('Cannot tell'),
  };
  return labels[match];
}

/**
 * Of all comparisons of a contract in a few words: `Different code at 1 of 3`. Undefined without one.
 *
 * @param count how many there are, with those that are not compared.
 */
export function formatVerdicts(
  comparisons: readonly CodeComparison[],
  count: number,
  l10n: Localizer,
): string | undefined {
  const [worst] = [...comparisons].sort((a, b) => severity[b.match] - severity[a.match]);
  if (!worst) return undefined;
  const label = formatVerdict(worst, l10n);
  const equal = comparisons.filter(({ match }) => match === worst.match).length;
  return equal === count ? label : l10n.t('{0} at {1} of {2}', label, equal, count);
}

const severity: Readonly<Record<CodeMatch, number>> = {
  exact: 0,
  metadata: 1,
  immutables: 2,
  unknown: 3,
  none: 4,
  settings: 5,
  different: 6,
};

/** A line each: what was compared, in which block, the reasons, and what differs. */
export function formatVerdictDetails(
  comparison: CodeComparison,
  networkName: string,
  l10n: Localizer,
): readonly string[] {
  const { implementation, immutables, libraries, settings, difference, reasons } = comparison;
  return [
    ...(implementation === undefined
      ? []
      : [l10n.t('Implementation: {0}', toChecksumAddress(implementation))]),
    ...reasons.map((reason) => localize(reason, l10n)),
    ...settings.map((setting) => formatSetting(setting, l10n)),
    ...formatList(immutables, (immutable) => formatImmutable(immutable, l10n)),
    ...formatList(libraries, ({ name, address }) => `${name} = ${toChecksumAddress(address)}`),
    ...(difference && difference.functions.length > 0
      ? [
          difference.isPartial
            ? l10n.t('Differs at least in {0}', joinNames(difference.functions, toName))
            : l10n.t('Differs in {0}', joinNames(difference.functions, toName)),
        ]
      : []),
    ...(difference && difference.onlyLocal.length > 0
      ? [l10n.t('Only in your build: {0}', joinNames(difference.onlyLocal, formatSelector))]
      : []),
    ...(difference && difference.onlyDeployed.length > 0
      ? [l10n.t('Only in the deployed code: {0}', joinNames(difference.onlyDeployed, formatSelector))]
      : []),
    l10n.t('In block {0} on {1}', formatNumber(comparison.block), networkName),
  ];
}

/** `owner = 0x…`; an address without its leading zeros. */
export function formatImmutable({ name, offset, value }: FilledImmutable, l10n: Localizer): string {
  const label = name ?? l10n.t('immutable at byte {0}', formatNumber(BigInt(offset)));
  const address = /^0x0{24}([0-9a-f]{40})$/.exec(value)?.[1];
  // Small numbers look like addresses.
  const isAddress = address !== undefined && !/^0{8}/.test(address);
  const text = isAddress ? toChecksumAddress(`0x${address}`) : value;
  return `${label} = ${text.length > MAX_VALUE_CHARS ? formatShortAddress(text) : text}`;
}

/** `optimizer.runs: 200 here, 999 deployed` */
export function formatSetting(
  { name, local, deployed }: CodeComparison['settings'][number],
  l10n: Localizer,
): string {
  const unset = l10n.t('default');
  return l10n.t('{0}: {1} here, {2} deployed', name, local ?? unset, deployed ?? unset);
}

const toName = ({ name }: { readonly name: string }) => name;

export function formatSelector({ selector, signature }: SelectorName): string {
  return signature ?? selector;
}

function formatList<T>(list: readonly T[], format: (each: T) => string): readonly string[] {
  const lines = list.slice(0, MAX_NAMED).map(format);
  return list.length > MAX_NAMED ? [...lines, '…'] : lines;
}

function joinNames<T>(list: readonly T[], format: (each: T) => string): string {
  return formatList(list, format).join(' · ');
}
