import {
  type AbiChange,
  type BuildChanges,
  type CodeComparison,
  type ComparedSetting,
  formatShortAddress,
  type IndexedContract,
  isSameCode,
  type StorageChange,
  sanitizeText,
  toChecksumAddress,
} from '../../core/index.ts';
import {
  formatImmutable,
  formatSelector,
  formatSetting,
  formatVerdict,
} from '../../host/code/formatVerdict.ts';
import { type Localizer, localize } from '../../host/l10n.ts';
import { formatNumber } from '../../host/numbers.ts';
import type { DocumentPage, TextLine } from '../../host/ui/readOnlyDocuments.ts';
import { formatStorageChange, formatStorageSummary } from './formatStorage.ts';

/** What a document shows of one comparison. */
export interface ComparedContract {
  readonly comparison: CodeComparison;
  /** Undefined where the builds are the same, or there is nothing to compare. */
  readonly changes: BuildChanges | undefined;
  /** Where the deployed build is from: a file, or the host of a provider; undefined if it is unknown. */
  readonly origin: string | undefined;
  readonly networkName: string;
  /** The contract of the proxy at the address, if its implementation is compared in its place. */
  readonly proxy: IndexedContract | undefined;
  /** Whether a verified source may exist. */
  readonly mayHaveSource: boolean;
  /** The URI of a file at a path of the index. */
  readonly uriOf: (path: string) => string | undefined;
  readonly l10n: Localizer;
}

/** What is run for a missing storage layout; also the text of the link to it. */
export const LAYOUT_COMMAND = 'forge build --extra-output storageLayout';

/** Of one section: more are counted. */
const MAX_SECTION_LINES = 200;

/** The document of *Compare with Deployed Code…*. */
export function createCodePage(compared: ComparedContract): DocumentPage {
  const { comparison, networkName, l10n } = compared;
  const { contract, address, implementation, block, match } = comparison;
  const verdict = formatVerdict(comparison, l10n);
  const at = [
    [l10n.t('Contract'), contract.name],
    [l10n.t('Address'), toChecksumAddress(address)],
    ...(implementation === undefined ? [] : [[l10n.t('Implementation'), toChecksumAddress(implementation)]]),
    [l10n.t('Network'), networkName],
    [l10n.t('Block'), formatNumber(block)],
    ...(contract.artifact === undefined ? [] : [[l10n.t('Build'), contract.artifact]]),
    ...(compared.origin === undefined ? [] : [[l10n.t('Deployed build'), compared.origin]]),
  ];
  const lines: TextLine[] = [
    { level: 0, text: verdict, ...styleOf(match) },
    ...at.map(([label = '', value = '']): TextLine => {
      const name = `${label}: `;
      return { level: 1, text: `${name}${value}`, label: name };
    }),
    ...comparison.reasons.map((reason): TextLine => ({ level: 1, text: localize(reason, l10n) })),
    ...createActions(compared),
    ...createValues(compared),
    ...createDifference(compared),
    ...createStorage(compared),
    ...createAbi(compared),
    ...createSettings(compared),
    ...createMissing(compared),
  ];
  const title = l10n.t('Code of {0} at {1}', contract.name, formatShortAddress(toChecksumAddress(address)));
  return { title, key: `${networkName} ${address} ${contract.source ?? contract.name}`, lines };
}

/** What cannot be told is neither. */
function styleOf(match: CodeComparison['match']): Pick<TextLine, 'style'> {
  return match === 'unknown' ? {} : { style: isSameCode(match) ? 'success' : 'failure' };
}

function createSection(heading: string, lines: readonly TextLine[], l10n: Localizer): readonly TextLine[] {
  if (lines.length === 0) return [];
  const left = lines.length - MAX_SECTION_LINES;
  return [
    { level: 0, text: '' },
    { level: 0, text: heading, style: 'heading' },
    ...lines.slice(0, MAX_SECTION_LINES),
    ...(left > 0 ? [{ level: 1, text: l10n.t('{0} more not shown', formatNumber(BigInt(left))) }] : []),
  ];
}

/** The source is compared by hand, as it may need the user's consent. */
function createActions({ comparison, proxy, mayHaveSource, l10n }: ComparedContract): readonly TextLine[] {
  const { address, implementation, contract, match } = comparison;
  if (match === 'none') return [];
  const argument = {
    address: implementation ?? address,
    contract: contract.name,
    ...(contract.source !== undefined && { source: contract.source }),
  };
  const text = l10n.t('Show Source Changes');
  const title = l10n.t('Compare the verified source with that of the workspace');
  const actions: readonly TextLine[] = [
    ...(mayHaveSource
      ? [{ level: 1, text, command: { id: 'chainside.showSourceChanges', title, argument } as const }]
      : []),
    ...(proxy ? [createProxyAction(address, proxy, l10n)] : []),
  ];
  return actions.length === 0 ? [] : [{ level: 0, text: '' }, ...actions];
}

function createProxyAction(
  address: string,
  { name, source, artifact }: IndexedContract,
  l10n: Localizer,
): TextLine {
  const argument = { address, contract: name, ...(source !== undefined ? { source } : { artifact }) };
  const text = l10n.t('Compare the Proxy Itself: {0}', name);
  const title = l10n.t('Compare the code of the proxy in place of its implementation');
  return { level: 1, text, command: { id: 'chainside.compareCode', title, argument } };
}

function createValues({ comparison, l10n }: ComparedContract): readonly TextLine[] {
  const { immutables, libraries } = comparison;
  return [
    ...createSection(
      l10n.t('Immutable variables'),
      immutables.map((one) => ({ level: 1, text: formatImmutable(one, l10n) })),
      l10n,
    ),
    ...createSection(
      l10n.t('Libraries'),
      libraries.map(({ name, address }) => ({
        level: 1,
        text: `${sanitizeText(name, 200)} = ${toChecksumAddress(address)}`,
      })),
      l10n,
    ),
  ];
}

function createDifference({ comparison, uriOf, l10n }: ComparedContract): readonly TextLine[] {
  const { difference } = comparison;
  if (!difference) return [];
  const { functions, onlyLocal, onlyDeployed, isPartial } = difference;
  const lines: TextLine[] = [
    ...(isPartial
      ? [
          {
            level: 1,
            text:
              functions.length > 0
                ? l10n.t(
                    'At least these functions. Others may differ too, which the code alone does not show.',
                  )
                : l10n.t('The code alone does not show which functions differ.'),
          },
        ]
      : []),
    ...functions.map(({ name, path, line }): TextLine => {
      const file = path === undefined ? undefined : uriOf(path);
      const place = file === undefined ? undefined : { file, line: (line ?? 1) - 1 };
      return { level: 1, text: path === undefined ? name : `${name} · ${path}:${line ?? 1}`, place };
    }),
    ...onlyLocal.map((one) => ({
      level: 1,
      text: l10n.t('Only in your build: {0}', formatSelector(one)),
    })),
    ...onlyDeployed.map((one) => ({
      level: 1,
      text: l10n.t('Only in the deployed code: {0}', formatSelector(one)),
    })),
  ];
  return createSection(l10n.t('Where the code differs'), lines, l10n);
}

/** What an upgrade of the deployed contract to this build does to stored values. */
function createStorage({ changes, l10n }: ComparedContract): readonly TextLine[] {
  const { storage, isStoragePartial = false } = changes ?? {};
  if (!storage) return [];
  const hasRisk = storage.some(({ verdict }) => verdict === 'risk');
  const labels: Readonly<Record<StorageChange['verdict'], string>> = {
    risk: l10n.t('Risk'),
    review: l10n.t('Review'),
    safe: l10n.t('Safe'),
  };
  const lines: TextLine[] = [
    {
      level: 1,
      text: formatStorageSummary(storage, isStoragePartial, l10n),
      ...((hasRisk || !isStoragePartial) && { style: hasRisk ? 'failure' : 'success' }),
    },
    ...storage.map((change): TextLine => {
      const label = `${labels[change.verdict]}: `;
      return { level: 1, text: `${label}${formatStorageChange(change, l10n)}`, label };
    }),
  ];
  return createSection(l10n.t('Storage after an upgrade to this build'), lines, l10n);
}

function createAbi({ changes, l10n }: ComparedContract): readonly TextLine[] {
  const format = ({ kind, before, after }: AbiChange): TextLine[] => {
    if (kind === 'changed') {
      return [
        { level: 1, text: l10n.t('Changed: {0}', after ?? '') },
        { level: 2, text: l10n.t('deployed: {0}', before ?? ''), style: 'muted' },
      ];
    }
    const text =
      kind === 'removed' ? l10n.t('Removed: {0}', before ?? '') : l10n.t('Added: {0}', after ?? '');
    return [{ level: 1, text }];
  };
  return createSection(
    l10n.t('ABI changes from the deployed contract'),
    changes?.abi?.flatMap(format) ?? [],
    l10n,
  );
}

/** Side by side; without the deployed ones, those that are proved to differ. */
function createSettings({ changes, comparison, l10n }: ComparedContract): readonly TextLine[] {
  const { settings } = changes ?? {};
  const format = ({ name, local, deployed, isSame, isDefault }: ComparedSetting): TextLine => {
    if (!isSame) return { level: 1, text: formatSetting({ name, local, deployed }, l10n), style: 'failure' };
    const text = `${name}: ${local ?? ''}`;
    return { level: 1, text: isDefault ? `${text} (${l10n.t('default')})` : text };
  };
  const lines = settings
    ? settings.map(format)
    : comparison.settings.map(
        (one): TextLine => ({
          level: 1,
          text: formatSetting(one, l10n),
          style: 'failure',
        }),
      );
  const proof = changes?.isSameSource
    ? [{ level: 1, text: l10n.t('All sources are the same, by their hashes.') }]
    : [];
  return createSection(l10n.t('Compiler settings'), [...proof, ...lines], l10n);
}

function createMissing({ changes, comparison, l10n }: ComparedContract): readonly TextLine[] {
  const lines = (changes?.missing ?? []).map((each): TextLine => ({ level: 1, text: localize(each, l10n) }));
  if (changes?.canForgeAddLayout) {
    const { name, source, artifact } = comparison.contract;
    const argument = { contract: name, ...(source !== undefined ? { source } : { artifact }) };
    const title = l10n.t('Build the project with storage layouts, in a terminal. Then compare again');
    const text = l10n.t('Run {0}', `\`${LAYOUT_COMMAND}\``);
    lines.push({ level: 1, text, command: { id: 'chainside.buildStorageLayout', title, argument } });
  }
  return createSection(l10n.t('Not compared'), lines, l10n);
}
