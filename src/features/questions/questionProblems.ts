import * as vscode from 'vscode';
import {
  type AppError,
  editDistance,
  findFieldPath,
  listEventArguments,
  locateQueryParts,
  parseAddress,
  parseDeclaredEvent,
  type QueryLocations,
  type QueryPath,
  type TextSpan,
} from '../../core/index.ts';
import { isUntrustedName } from '../../host/questions/isUntrustedName.ts';
import { networkOfChain } from '../../host/session/chains.ts';
import type { DocumentProblem } from '../../host/surface/problems.ts';
import { inputText } from '../../host/words/inputTexts.ts';
import type { QuestionsDeps } from './deps.ts';
import type { OpenQuestion } from './openQuestion.ts';

const CODE = 'query';
/** Letters by which a name may differ from what was meant. */
const MOST_SLIPS = 2;

/** What is wrong with a query file beyond what its schema says, each where it stands. */
export function questionProblems(
  document: vscode.TextDocument,
  opened: OpenQuestion,
  deps: QuestionsDeps,
): readonly DocumentProblem[] {
  const { asked, problem, isOfSchema, text } = opened;
  const places = locateQueryParts(text);
  const rangeOf = ({ offset, length }: TextSpan) =>
    new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  const start = rangeOf({ offset: 0, length: 1 });
  const rangeAt = (path: QueryPath) => {
    const span = places.valueAt(path);
    return span ? rangeOf(span) : start;
  };
  if (problem) {
    if (isOfSchema) return [];
    const message = inputText(problem, vscode.l10n);
    return [{ range: rangeAt(['topics']), message, code: CODE, severity: 'error' }];
  }
  if (!asked) return [];
  const { question, resolved } = asked;
  const found: DocumentProblem[] = (resolved.problems ?? [])
    .filter((one) => !isUntrustedName(one))
    .map((one) => {
      const place = placeOf(one, opened, places);
      return {
        range: place ? rangeOf(place.span) : start,
        message: inputText(one, vscode.l10n),
        ...{ code: CODE, severity: 'error' as const },
        mend: place?.value === undefined ? undefined : mendOf(place.value, opened),
      };
    });
  if (!networkOfChain(deps, question.chainId)) {
    const message = vscode.l10n.t('No network with the chain id {0} is set up.', String(question.chainId));
    found.push({ range: rangeAt(['chainId']), message, code: CODE, severity: 'warning' });
  }
  if (question.expect && resolved.filter && hasOpenEnd(resolved.filter.toBlock)) {
    const message = vscode.l10n.t(
      'The range has no fixed end: what is expected holds only until there are more logs. Give toBlock as a number or a day.',
    );
    const key = places.keyAt(['expect']);
    found.push({ range: key ? rangeOf(key) : start, message, code: CODE, severity: 'information' });
  }
  return found;
}

function hasOpenEnd(toBlock: bigint | string): boolean {
  return typeof toBlock === 'string' && /^(?:latest|-)/.test(toBlock);
}

interface FoundPlace {
  readonly span: TextSpan;
  /** What is typed there, where it is one value. */
  readonly value?: string | undefined;
}

function placeOf(
  { details: { field = '' } }: AppError,
  opened: OpenQuestion,
  places: QueryLocations,
): FoundPlace | undefined {
  if (field === 'args') return unknownArgument(opened, places);
  const path = findFieldPath(field, places);
  const items = places.itemsAt(path);
  const wrong = items.filter(({ value }) => typeof value === 'string' && isUnclear(value, opened));
  const takesNames = field === 'address' || field.startsWith('args.') || field.startsWith('topic');
  const [item] = takesNames && wrong.length > 0 ? wrong : [];
  if (item) return { span: item, value: String(item.value) };
  const span = places.valueAt(path) ?? places.valueAt(['toBlock']) ?? places.valueAt(['chainId']);
  return span && { span };
}

/** A name of none or of several addresses, or what is meant as an address and is none. */
function isUnclear(value: string, { known }: OpenQuestion): boolean {
  if (parseAddress(value)) return false;
  return /^0x/i.test(value) || known?.addressesNamed(value).length !== 1;
}

function unknownArgument({ asked }: OpenQuestion, places: QueryLocations): FoundPlace | undefined {
  const { args = {}, event = '' } = asked?.question.query ?? {};
  const declared = parseDeclaredEvent(event);
  const keys = declared ? listEventArguments(declared).map(({ key }) => key) : [];
  const wrong = Object.keys(args).find((name) => !keys.includes(name));
  const span = (wrong !== undefined && places.keyAt(['args', wrong])) || places.keyAt(['args']);
  return span && { span };
}

/** The one name that is almost what was typed. */
function mendOf(value: string, { known }: OpenQuestion): DocumentProblem['mend'] {
  const names = new Set(known?.names.map(({ name }) => name));
  const near = [...names].filter(
    (name) =>
      known?.addressesNamed(name).length === 1 &&
      editDistance(value.toLowerCase(), name.toLowerCase(), MOST_SLIPS) !== undefined,
  );
  const [name] = near;
  if (name === undefined || near.length > 1) return undefined;
  return { title: vscode.l10n.t('Change to {0}', name), replacement: JSON.stringify(name) };
}
