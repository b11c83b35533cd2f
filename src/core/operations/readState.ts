import { mergeAbiResolvers } from '../abi/lookup.ts';
import { namedValueToJson } from '../abi/value.ts';
import { AppError, isAppError } from '../base/errors.ts';
import { decimal, ownText } from '../base/ownText.ts';
import { readAtBlock } from '../reads/readBlock.ts';
import { type ReadDeps, type ReadResult, readContract } from '../reads/readContract.ts';
import { abiText, messageText, splitReasons } from './agentText.ts';
import type { OperationDeps, OperationKnowledge, OperationOptions } from './operation.ts';
import { createNameBook, resolveAddress } from './resolveEvents.ts';
import {
  markUntrusted,
  type OperationResult,
  toCompletion,
  toOperationResult,
  untrustedValue,
} from './result.ts';
import type { ReadContractInput } from './tools.ts';

/** A call of a view function, with names in place of addresses. */
export interface WrittenRead {
  readonly address: string;
  readonly function: string;
  readonly args: readonly unknown[];
  /** As `resolveReadBlock` reads it; default: the latest. */
  readonly block?: string | number | undefined;
  /** The sender of the call; undefined for none. */
  readonly from?: string | undefined;
}

/**
 * Reads a view function of a contract, with what the projects and allowed providers know.
 *
 * @throws AppError `badInput` for `address`, `function`, `args…`, `block` or `from`; otherwise as {@link readContract} does.
 */
export async function readState(
  { address: text, function: written, args, block = 'latest', from: sender }: WrittenRead,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<ReadResult> {
  const { client, clock } = deps;
  const reads = await openReads(deps, options);
  const address = reads.resolveAddress(text, 'address');
  const from = sender === undefined ? undefined : reads.resolveAddress(sender, 'from');
  const place = { text: block, client, now: clock.now() };
  const read = { address, function: written, args, from };
  return readAtBlock(
    place,
    async ({ block, reasons }) => ({ ...(await readContract({ ...read, block }, reads, options)), reasons }),
    options,
  );
}

/** What reading needs, with the names and ABIs that are known now. @throws AppError as the dependencies do. */
export async function openReads(deps: ReadStateDeps, options: OperationOptions = {}): Promise<OpenReads> {
  const [chainId, knowledge] = await Promise.all([deps.chainId(options), deps.knowledge(options)]);
  const nameBook = createNameBook(knowledge, chainId);
  const { index, code, lookup, prefetchAbis, prefetchSelectors } = knowledge;
  return {
    client: deps.client,
    chainId: chainId ?? 0,
    code: index ? mergeAbiResolvers(index, code) : code,
    contracts: index?.contracts ?? [],
    findEnum: index?.findEnum ?? (() => undefined),
    lookup,
    prefetchAbis,
    prefetchSelectors,
    resolveAddress: (name, field) => resolveAddress(name, nameBook, field),
  };
}

/** The part of the dependencies of operations that reading needs. */
interface ReadStateDeps extends Pick<OperationDeps, 'chainId'> {
  readonly client: ReadDeps['client'];
  knowledge(
    options: OperationOptions,
  ): Promise<
    Pick<OperationKnowledge, 'code' | 'index' | 'lookup' | 'names' | 'prefetchAbis' | 'prefetchSelectors'>
  >;
}

export interface OpenReads extends ReadDeps {
  readonly resolveAddress: NonNullable<ReadDeps['resolveAddress']>;
}

/** Reads a view function for an agent. @throws AppError as {@link readState} does. */
export async function readContractState(
  input: ReadContractInput,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationResult> {
  const { contract: address, function: name, arguments: args, block, from } = input;
  const read = { address, function: name, args, block, from };
  const result = await readState(read, deps, options).catch((error: unknown) => {
    throw isAppError(error, 'badInput') ? withParameter(error) : error;
  });
  const { item, implementation, outputs, values, undecoded, isSimulated, reasons = [] } = result;
  const { reasons: own, notes } = splitReasons(reasons);
  return toOperationResult(deps, await deps.chainId(options), {
    ...toCompletion(true, [
      ...own,
      ...(undecoded === undefined ? [] : [ownText`${messageText(undecoded)} The values are its raw words.`]),
    ]),
    found: {
      address: result.address,
      ...(result.from && { from: result.from }),
      ...(implementation && { implementation }),
      function: abiText(item, item.signature),
      block: decimal(result.block),
      ...(reasons.length > 0 && { isBlockCertain: false }),
      ...(notes.length > 0 && { notes }),
      ...(isSimulated && { simulated: true }),
      values: outputs.map(({ name: output, type }, index) => {
        const value = values[index] ?? '';
        const { named } = namedValueToJson(type, value);
        return {
          ...(output !== '' && { name: abiText(outputs, output) }),
          type: abiText(outputs, type.text),
          value: untrustedValue(type, value),
          ...(named !== undefined && { named: markUntrusted(named) }),
        };
      }),
    },
  });
}

/** The error with the name of the tool's parameter as its field. */
function withParameter({ message, details }: AppError): AppError {
  const field = details.field?.replace(/^address$/, 'contract').replace(/^args\b/, 'arguments');
  return new AppError('badInput', message, { ...details, ...(field !== undefined && { field }) });
}
