import { answerOf, type OperationAnswer } from '../kit/answer.ts';
import type { QueryEventsInput } from '../kit/inputs.ts';
import type { OperationDeps, OperationOptions } from '../kit/operation.ts';
import { countEvents } from './countEvents.ts';
import { fileEvents } from './fileEvents.ts';
import { pageEvents } from './pageEvents.ts';
import { resolveEvents } from './resolveEvents.ts';
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
  const isPage = input.mode === 'rows' || input.cursor !== undefined;
  const written = input.cursor === undefined ? input : {};
  const { filter } = await resolveEvents(written, knowledge, chainId);
  const asked = { input, filter, knowledge, deps, chainId };
  const read = isPage
    ? pageEvents
    : { count: countEvents, sample: sampleEvents, file: fileEvents, rows: pageEvents }[input.mode];
  return answerOf(deps, chainId, await read(asked, options));
}
