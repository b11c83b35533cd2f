import * as vscode from 'vscode';
import {
  type AppError,
  type ChainFiledCheck,
  editDistance,
  findFieldPath,
  isMovingTag,
  listEventArguments,
  locateQueryParts,
  parseAddress,
  parseDeclaredEvent,
  type QueryLocations,
  type QueryPath,
  type TextSpan,
} from '../../core/index.ts';
import { isUntrustedWorkspaceError } from '../../host/errors.ts';
import { formatCheckSummary, formatChosenNames } from '../../host/fileChecks.ts';
import { formatValidationError } from '../../host/l10n.ts';
import { findChainNetwork, getChainName } from '../../host/session/chains.ts';
import type { DocumentDiagnostic } from '../../host/ui/diagnostics.ts';
import type { Lens, LensContent } from '../../host/ui/languageFeatures.ts';
import { type CheckFileResults, formatReasons, formatResult, type QueryFileResults } from './checkQuery.ts';
import type { QueryDocument, QueryFilesDeps } from './queryDocument.ts';

/** Lenses that run a query file and show its last result. */
export function createQueryLenses(
  document: vscode.TextDocument,
  { query, check, chosen = new Map() }: QueryDocument,
  {
    deps,
    results,
    checks,
  }: {
    readonly deps: QueryFilesDeps;
    readonly results: QueryFileResults;
    readonly checks: CheckFileResults;
  },
): readonly Lens[] {
  const named = formatChosenNames(chosen);
  if (check) return createCheckLenses(document, check.definition, { deps, checks, named });
  if (!query) return [];
  const { l10n } = vscode;
  const { definition } = query;
  const argument = document.uri.toString();
  const on = getChainName(deps, definition.chainId);
  const lenses: LensContent[] = [
    {
      title: l10n.t('Run on {0}', on),
      tooltip: [l10n.t('Show the logs in a panel.'), ...named],
      command: 'chainside.runQueryFile',
      argument,
    },
    {
      title: l10n.t('Run and Compare'),
      tooltip: [l10n.t('Load all logs and compare them with the expected result.'), ...named],
      command: 'chainside.compareQueryFile',
      argument,
    },
  ];
  const result = results.of(argument, definition);
  if (result) {
    const { digest, judgement } = result;
    const icon = { ok: '✓', differs: '✗', incomplete: '?' }[judgement.state];
    const summary = formatResult(digest, judgement, definition.expect);
    const isNew = judgement.state === 'differs' || (judgement.state === 'ok' && !definition.expect);
    lenses.push({
      title: isNew ? l10n.t('{0} {1}: Update Expectation', icon, summary) : `${icon} ${summary}`,
      tooltip: [summary, ...formatReasons(judgement)],
      command: isNew ? 'chainside.updateExpectation' : 'chainside.runQueryFile',
      argument,
    });
  }
  const at = new vscode.Position(0, 0);
  return lenses.map((content) => ({ at, show: () => content }));
}

function createCheckLenses(
  document: vscode.TextDocument,
  definition: ChainFiledCheck,
  {
    deps,
    checks,
    named,
  }: {
    readonly deps: QueryFilesDeps;
    readonly checks: CheckFileResults;
    /** Which deployments names mean. */
    readonly named: readonly string[];
  },
): readonly Lens[] {
  const argument = document.uri.toString();
  const { title, tooltip } = describeRun(definition, getChainName(deps, definition.chainId));
  const lenses: LensContent[] = [
    { title, tooltip: [...tooltip, ...named], command: 'chainside.compareQueryFile', argument },
  ];
  const check = checks.of(argument, definition);
  if (check) {
    const { state, update } = check.outcome;
    const icon = { ok: '✓', differs: '✗', incomplete: '?', invalid: '?' }[state];
    const summary = formatCheckSummary(check) || (check.conclusion[0] ?? '');
    lenses.push({
      title: update ? vscode.l10n.t('{0} {1}: Update Expectation', icon, summary) : `${icon} ${summary}`,
      tooltip: [summary, ...check.conclusion],
      command: update ? 'chainside.updateExpectation' : 'chainside.compareQueryFile',
      argument,
    });
  }
  const at = new vscode.Position(0, 0);
  return lenses.map((content) => ({ at, show: () => content }));
}

function describeRun(definition: ChainFiledCheck, on: string): Pick<LensContent, 'title' | 'tooltip'> {
  const { l10n } = vscode;
  if ('code' in definition)
    return {
      title: l10n.t('Compare on {0}', on),
      tooltip: [l10n.t('Compare the deployed code with the build of the contract.')],
    };
  return {
    title: l10n.t('Read on {0}', on),
    tooltip: [
      'read' in definition
        ? l10n.t('Read the contract, and compare the result with the expected one.')
        : l10n.t('Rebuild the state from logs, and compare it with the expected one.'),
    ],
  };
}

const CODE = 'query';
/** Edit distance up to which a name is suggested. */
const MAX_TYPOS = 2;

/** Errors of a query file that its JSON schema does not report. */
export function findQueryDiagnostics(
  document: vscode.TextDocument,
  opened: QueryDocument,
  deps: QueryFilesDeps,
): readonly DocumentDiagnostic[] {
  const { query, error, isSchemaError, text } = opened;
  const places = locateQueryParts(text);
  const rangeOf = ({ offset, length }: TextSpan) =>
    new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  const start = rangeOf({ offset: 0, length: 1 });
  const rangeAt = (path: QueryPath) => {
    const span = places.valueAt(path);
    return span ? rangeOf(span) : start;
  };
  if (error) {
    if (isSchemaError) return [];
    const message = formatValidationError(error, vscode.l10n);
    const path = findFieldPath(error.details.field ?? 'topics', places);
    return [{ range: rangeAt(path), message, code: CODE, severity: 'error' }];
  }
  const definition = query?.definition ?? opened.check?.definition;
  if (!definition) return [];
  const filter = query?.resolved.filter;
  const errors = query?.resolved.errors ?? opened.check?.errors ?? [];
  const found: DocumentDiagnostic[] = errors
    .filter((one) => !isUntrustedWorkspaceError(one))
    .map((one) => {
      const place = getRange(one, opened, places);
      return {
        range: place ? rangeOf(place.span) : start,
        message: formatValidationError(one, vscode.l10n),
        code: CODE,
        severity: 'error' as const,
        fix: place?.value === undefined ? undefined : suggestFix(place.value, opened),
      };
    });
  if (!findChainNetwork(deps, definition.chainId)) {
    const message = vscode.l10n.t('No network with chain ID {0} is configured.', String(definition.chainId));
    found.push({ range: rangeAt(['chainId']), message, code: CODE, severity: 'warning' });
  }
  if (definition.expect && filter && isMovingTag(filter.toBlock)) {
    const message = vscode.l10n.t(
      'The range has no fixed end, so new logs change the result. Set toBlock to a number or a date.',
    );
    const key = places.keyAt(['expect']);
    found.push({ range: key ? rangeOf(key) : start, message, code: CODE, severity: 'information' });
  }
  return found;
}

interface FoundRange {
  readonly span: TextSpan;
  /** The string there, if it is a single value. */
  readonly value?: string | undefined;
}

function getRange(
  { details: { field = '' } }: AppError,
  opened: QueryDocument,
  places: QueryLocations,
): FoundRange | undefined {
  if (field === 'args') return findUnknownArgument(opened, places);
  const path = findFieldPath(field, places);
  const items = places.itemsAt(path);
  const wrong = items.filter(({ value }) => typeof value === 'string' && isUnclear(value, opened));
  const takesNames =
    field === 'address' ||
    /^(?:read\.contract|code\.(?:contract|address)|state\.(?:contract|owner)|expect\.(?!value))/.test(
      field,
    ) ||
    field.startsWith('args.') ||
    field.startsWith('topic');
  const [item] = takesNames && wrong.length > 0 ? wrong : [];
  if (item) return { span: item, value: String(item.value) };
  const span = places.valueAt(path) ?? places.valueAt(['toBlock']) ?? places.valueAt(['chainId']);
  return span && { span };
}

/** Whether a name matches no address or several, or `0x…` is no address. */
function isUnclear(value: string, { knowledge }: QueryDocument): boolean {
  if (parseAddress(value)) return false;
  return /^0x/i.test(value) || knowledge?.findAddressesByName(value).length !== 1;
}

function findUnknownArgument({ query }: QueryDocument, places: QueryLocations): FoundRange | undefined {
  const { args = {}, event = '' } = query?.definition.query ?? {};
  const declared = parseDeclaredEvent(event);
  const keys = declared ? listEventArguments(declared).map(({ key }) => key) : [];
  const wrong = Object.keys(args).find((name) => !keys.includes(name));
  const span = (wrong !== undefined && places.keyAt(['args', wrong])) || places.keyAt(['args']);
  return span && { span };
}

/** Suggests the only similar name. */
function suggestFix(value: string, { knowledge }: QueryDocument): DocumentDiagnostic['fix'] {
  const names = new Set(knowledge?.names.map(({ name }) => name));
  const near = [...names].filter(
    (name) =>
      knowledge?.findAddressesByName(name).length === 1 &&
      editDistance(value.toLowerCase(), name.toLowerCase(), MAX_TYPOS) !== undefined,
  );
  const [name] = near;
  if (name === undefined || near.length > 1) return undefined;
  return { title: vscode.l10n.t('Change to {0}', name), replacement: JSON.stringify(name) };
}
