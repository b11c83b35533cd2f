import { badInput } from '../../base/errors.ts';
import { plainText } from '../../values/plainText.ts';
import { answerOf, type Finding, type OperationAnswer } from '../kit/answer.ts';
import type { QueryEventsInput } from '../kit/inputs.ts';
import type { OperationDeps, OperationOptions } from '../kit/operation.ts';
import { countEvents } from './countEvents.ts';
import { fileEvents } from './fileEvents.ts';
import { pageEvents } from './pageEvents.ts';
import { declarationOf, type NamedEvents, resolveEvents } from './resolveEvents.ts';
import { sampleEvents } from './sampleEvents.ts';

/**
 * Event logs of a contract: how many, a few, page by page, or all in a file.
 *
 * @throws AppError `badInput` for what cannot be asked; as a `LogQuery` does.
 */
export async function queryEvents(
  input: QueryEventsInput,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationAnswer> {
  const [chainId, knowledge] = await Promise.all([deps.chainId(options), deps.knowledge(options)]);
  if (input.cursor !== undefined && (input.mode === 'file' || input.mode === 'sample'))
    throw badInput('mode', 'A cursor is of mode rows, and of no other: leave it out, or the mode.');
  const isPage = input.mode === 'rows' || input.cursor !== undefined;
  const written = input.cursor === undefined ? input : {};
  const { filter, named } = await resolveEvents(written, knowledge, chainId);
  const asked = { input, filter, knowledge, deps, chainId };
  const read = isPage
    ? pageEvents
    : { count: countEvents, sample: sampleEvents, file: fileEvents, rows: pageEvents }[input.mode];
  const finding = await read(asked, options);
  return answerOf(deps, chainId, named ? withEventsAsked(finding, named) : finding);
}

/** Declarations that are told of one name. */
const MOST_TOLD = 5;

/**
 * With what a name was taken for. Where no row came of what the contract is not known to declare, it may declare another
 * one; of a standard, which nobody here has named, that is as likely.
 */
function withEventsAsked(finding: Finding, { events, declaredBy }: NamedEvents): Finding {
  const { complete, reasons = [], found } = finding;
  const asked = events.slice(0, MOST_TOLD).map((event) => plainText(declarationOf(event), 200));
  const { count, rows } = found;
  const isEmpty = count === '0' || rows === 0 || (Array.isArray(rows) && rows.length === 0);
  const doubt = `the contract is not known to declare this event, so it was taken for that of ${WHOSE[declaredBy]} (eventsAsked): where it declares another one, give that declaration`;
  return {
    ...finding,
    complete: isEmpty && declaredBy === 'standards' && complete === true ? 'unknown' : complete,
    reasons: isEmpty && declaredBy !== 'contract' ? [...reasons, doubt] : reasons,
    found: { eventsAsked: asked, declaredBy, ...found },
  };
}

const WHOSE = { contract: 'the contract', project: 'the project', standards: 'a standard' } as const;
