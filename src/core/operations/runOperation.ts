import { type AppError, asAppError, badInput } from '../base/errors.ts';
import { joinTexts, type OwnText, ownText, ownWord } from '../base/ownText.ts';
import { untrustedText, userText } from './agentText.ts';
import { compareDeployedCodeForAgent } from './compareCode.ts';
import { decodeData, getTransaction } from './decode.ts';
import { getState } from './getState.ts';
import { getAddress, getNetwork, resolveContract } from './lookups.ts';
import type { OperationDeps, OperationOptions } from './operation.ts';
import { parseInput } from './parseInput.ts';
import { queryEvents } from './queryEvents.ts';
import { readContractState } from './readState.ts';
import { fitResult, type OperationResult, toAgentError, toCompletion, toOperationResult } from './result.ts';
import { operationTools } from './tools.ts';

/**
 * Runs an operation by its name. Validates the input first; the result has at most 16 KiB. A failure is a result with
 * `error`, which says what to do next; only a cancellation is thrown.
 *
 * @throws AppError `aborted`; `badInput` for `name` if there is no such operation.
 * @example const { complete, count } = await runOperation({ name: 'query_events', input: { event: 'Transfer' } }, deps);
 */
export async function runOperation(
  { name, input }: OperationCall,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const tool = operationTools.find((candidate) => candidate.name === name);
  if (!tool) {
    throw badInput(
      'name',
      ownText`There is no operation with this name. Use ${joinTexts(
        operationTools.map((candidate) => ownWord(candidate.name)),
        ', ',
      )}.`,
    );
  }
  try {
    const parsedInput = parseInput(tool.input, input);
    return fitResult(await toolRunners[tool.name](parsedInput as never, deps, options));
  } catch (cause) {
    return fitResult(await toFailedResult(cause, deps, options));
  }
}

interface OperationCall {
  readonly name: string;
  readonly input: unknown;
}

export type OperationName = (typeof operationTools)[number]['name'];

const toolRunners: Readonly<Record<OperationName, RunTool>> = {
  get_network: getNetwork,
  resolve_contract: resolveContract,
  get_address: getAddress,
  query_events: queryEvents,
  decode_data: decodeData,
  get_transaction: getTransaction,
  read_contract: readContractState,
  get_state: getState,
  compare_code: compareDeployedCodeForAgent,
};

type RunTool = (input: never, deps: OperationDeps, options: OperationOptions) => Promise<OperationResult>;

async function toFailedResult(
  cause: unknown,
  deps: OperationDeps,
  options: OperationOptions,
): Promise<OperationResult> {
  const error = asAppError(cause);
  if (error.kind === 'aborted' && options.signal?.aborted) throw error;
  const { field, retryAfterMs, names = [] } = error.details;
  const isReachable = !['network', 'timeout', 'unavailable', 'rateLimited'].includes(error.kind);
  const chainId = isReachable ? await deps.chainId(options).catch(() => undefined) : undefined;
  const { message, serverText } = toAgentError(error);
  return toOperationResult(deps, chainId, {
    ...toCompletion('unknown', [message]),
    found: {
      error: {
        kind: ownWord(error.kind),
        message,
        ...(field !== undefined && { parameter: userText(field, 64) }),
        ...serverText,
        ...(names.length > 0 && { names: names.map((name) => untrustedText(name)) }),
        ...(retryAfterMs !== undefined && { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
        next: getNextStep(error),
      },
    },
  });
}

function getNextStep({ kind, details: { field, retryAfterMs = 0 } }: AppError): OwnText {
  if (retryAfterMs > MAX_WAIT_MS)
    return ownText`The endpoint requires a longer wait than a call allows. Do not try again. Tell the user how long to wait, or to use another endpoint.`;
  switch (kind) {
    case 'badInput':
      return field !== undefined && START_PARAMETERS.includes(field)
        ? ownText`The server was started with an invalid option. No call can fix that. Tell the user.`
        : ownText`Correct that parameter and call again.`;
    case 'blockNotSeen':
    case 'rateLimited':
    case 'unavailable':
    case 'timeout':
    case 'server':
      return ownText`The endpoint failed, timed out or is busy. Try once more, then with a narrower query.`;
    case 'network':
      return ownText`The endpoint cannot be reached. Do not try again. Tell the user to check the URL and whether the node is running.`;
    case 'unauthorized':
    case 'forbidden':
    case 'needsKey':
    case 'creditsUsedUp':
      return ownText`The endpoint requires a key, or another key. Tell the user. Never ask for the key itself.`;
    case 'notChosen':
      return ownText`No network is chosen. Ask the user to run the command Chainside: Select Network.`;
    case 'internal':
      return ownText`This is an error in Chainside, not in the endpoint. Do not try again. Tell the user to report it.`;
    case 'reverted':
      return ownText`The contract refuses this call. Other arguments or another block may work.`;
    case 'notAContract':
      return ownText`Correct the contract, the network or the block and call again.`;
    case 'historyUnavailable':
      return ownText`Choose a later block, or tell the user to use an archive node.`;
    default:
      return ownText`The endpoint cannot complete this request. Tell the user its message.`;
  }
}

const MAX_WAIT_MS = 60_000;

/** Options that a server is started with; no call has them. */
const START_PARAMETERS: readonly string[] = ['chain-id', 'folder', 'rpc', 'sources', 'out'];
