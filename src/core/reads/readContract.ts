import { type ArgumentOptions, parseArguments } from '../abi/argument.ts';
import type { AbiLookup, ChainAddress } from '../abi/candidates.ts';
import { decodeResult, isDecodeError } from '../abi/decode.ts';
import { encodeParameters } from '../abi/encode.ts';
import { type FindEnum, formatEnumMember, type ItemEnums } from '../abi/enums.ts';
import { isPanic, type PrefetchSelectors, prefetchUnknownSelectors } from '../abi/explainData.ts';
import { explainHex } from '../abi/explainHex.ts';
import { type HexMeaning, meaningToJson } from '../abi/hexMeaning.ts';
import type { AbiFunction, AbiItemText } from '../abi/item.ts';
import { preferCode } from '../abi/lookup.ts';
import type { AbiParameter, AbiType, AbiValue } from '../abi/type.ts';
import { type AbiJson, abiValueToJson, formatAbiValue } from '../abi/value.ts';
import type { Abortable } from '../base/concurrency.ts';
import { AppError, badInput, createError, isAppError } from '../base/errors.ts';
import {
  createMessage,
  editDistance,
  foreign,
  formatMessage,
  type Message,
  sanitizeText,
} from '../base/text.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { IndexedContract } from '../project/index/joinContracts.ts';
import {
  getDeclaredUnit,
  listTokens,
  resolveTypeUnits,
  returnsAmount,
  type UnitsOf,
} from '../tokens/amounts.ts';
import {
  describeMissingFunction,
  explainSilentRevert,
  type FacetSelectors,
  fetchContractViews,
  fetchFacetSelectors,
  listFunctions,
  takeFunctions,
  type ViewDeps,
} from './contractViews.ts';
import { readWholeBlock } from './oneBlock.ts';
import {
  chooseFunction,
  filterFunctions,
  parseWrittenFunction,
  type WrittenFunction,
} from './readFunction.ts';

/** A call of a view function. */
export interface ContractRead {
  readonly address: Address;
  /** As {@link parseWrittenFunction} reads it. */
  readonly function: string;
  /** As `parseArguments` reads them. */
  readonly args: readonly unknown[];
  /** The state after this block is read. */
  readonly block: bigint;
  /** The sender of the call; undefined for none. */
  readonly from?: Address | undefined;
}

export interface ReadDeps extends ArgumentOptions, ViewDeps {
  /** The contracts of the projects. */
  readonly contracts: readonly Pick<IndexedContract, 'abi' | 'enums' | 'isOwn'>[];
  /** Finds an enum of the projects. */
  readonly findEnum: FindEnum;
  /** Finds functions by selector, and decodes reverts. */
  readonly lookup: AbiLookup;
  /** Fetches the symbols and decimals of tokens that the values are amounts of. Without it, they stay integers. */
  readonly fetchUnits?: ((tokens: readonly string[], options: Abortable) => Promise<UnitsOf>) | undefined;
  /** Of errors that `lookup` does not know. */
  readonly prefetchSelectors?: PrefetchSelectors | undefined;
}

export interface ReadResult {
  readonly address: Address;
  readonly block: bigint;
  readonly item: AbiFunction;
  /** The code whose ABI has the function, if the address is a proxy. */
  readonly implementation: Address | undefined;
  readonly outputs: readonly AbiParameter[];
  readonly values: readonly AbiValue[];
  /** Why the values are the raw words; undefined if they are decoded. */
  readonly undecoded: Message | undefined;
  /** Whether its ABI says that the function is no view: the values are what a transaction would return. */
  readonly isSimulated: boolean;
  /** Why it may not be the block that is meant. */
  readonly reasons?: readonly Message[] | undefined;
  /** The sender of the call, if it had one. */
  readonly from?: Address | undefined;
}

/**
 * Reads a view function of a contract in the state after a block. The function comes from the ABI of the
 * implementation in that block, of the contract, of any contract of the projects, or of a standard, in this order. ABIs
 * that the projects do not have are those of verified contracts.
 *
 * @throws AppError `badInput` for `function` or `args…`; `reverted` with its meaning in `revert`; otherwise as
 *   `callAtBlock` does.
 * @example
 * const { values } = await readContract({ address, function: 'totalSupply', args: [], block }, deps);
 */
export async function readContract(
  { function: text, ...read }: ContractRead,
  deps: ReadDeps,
  options: Abortable = {},
): Promise<ReadResult> {
  const written = parseWrittenFunction(text);
  const readFunction = () => readWritten({ ...read, text, written }, deps, options);
  // A function that is declared takes one call.
  const isOneCall = written.kind === 'declaration' && written.hasOutputs;
  return isOneCall ? readFunction() : readWholeBlock({ ...read, client: deps.client }, readFunction, options);
}

interface WrittenRead extends Omit<ContractRead, 'function'> {
  readonly text: string;
  readonly written: WrittenFunction;
}

async function readWritten(
  { address, text, written, args, block, from }: WrittenRead,
  deps: ReadDeps,
  options: Abortable,
): Promise<ReadResult> {
  const found = await findFunction({ address, written, block }, deps, options);
  if (found.hasUnknownInputs && args.length > 0) throw unknownInputsError(text.trim());
  const { item, values: inputs } = chooseFunction(found.functions, args, deps);
  const [facet] = [...(found.facets ?? [])].find(([, selectors]) => selectors.has(item.selector)) ?? [];
  const { knowsOutputs, implementation = facet } = found;
  const code = implementation === undefined ? [] : [implementation];
  try {
    const call = { address, block, item, inputs, knowsOutputs, code, from };
    const result = { ...(await callView(call, deps, options)), implementation };
    return { ...result, isSimulated: found.isFromAbi && !item.isView };
  } catch (error) {
    if (!isAppError(error, 'badResponse', 'reverted') || found.isCertain) throw error;
    const { serverMessage: _, ...details } = error.details;
    if ((details.data ?? '0x') !== '0x') throw error;
    const views = await fetchContractViews({ address, block }, deps, options);
    const missing = describeMissingFunction(item, block, views);
    if (missing) throw createError('reverted', missing, details);
    if (error.kind !== 'reverted') throw error;
    const fetchCode = (to: Address) => deps.client.getCode({ to, block }, options).catch(() => '0x' as const);
    const namesakes = await findAnywhere({ kind: 'name', name: item.name }, deps);
    throw createError('reverted', await explainSilentRevert(item, namesakes, views, fetchCode), details);
  }
}

/**
 * Calls a function, and decodes what it returns.
 *
 * @throws AppError as {@link readContract} does, but for `badInput`.
 */
async function callView(
  { address, block, item, inputs, code, knowsOutputs, from }: ViewCall,
  deps: Pick<ReadDeps, 'chainId' | 'client' | 'fetchUnits' | 'lookup' | 'prefetchSelectors'>,
  options: Abortable,
): Promise<Omit<ReadResult, 'implementation' | 'isSimulated'>> {
  const declared = declareAmount(item, address);
  const tokens = listTokens(declared.outputs.map(({ type }) => type));
  // Without units, the integers are shown.
  const units = tokens.length > 0 ? deps.fetchUnits?.(tokens, options).catch(() => undefined) : undefined;
  const data = `${item.selector}${encodeParameters(item.inputs, inputs).slice(2)}` as Hex;
  try {
    const result = await deps.client.callAtBlock({ to: address, data, block, from }, options);
    const { outputs, ...decoded } = decodeReturned(declared, result, knowsOutputs);
    const unitsOf = (await units) ?? (() => undefined);
    const resolved = outputs.map((one) => ({ ...one, type: resolveTypeUnits(one.type, unitsOf) }));
    return { address, block, item, ...decoded, outputs: resolved, ...(from && { from }) };
  } catch (error) {
    if (!isAppError(error, 'reverted')) throw error;
    const { data: revert = '0x' } = error.details;
    await prefetchUnknownSelectors([revert as Hex], deps);
    const lookup = preferCode(deps.lookup, [...code, address]);
    throw explainRevert(error, { address, chainId: deps.chainId }, { lookup });
  }
}

/** Views such as `balanceOf` return amounts of their own token. */
function declareAmount(item: AbiFunction, token: Address): AbiFunction {
  const [output] = item.outputs;
  if (!output || getDeclaredUnit(output.type) || !returnsAmount(item)) return item;
  const type = { ...output.type, unit: { kind: 'token', token } } as AbiType;
  return { ...item, outputs: [{ ...output, type }] };
}

interface ViewCall extends Pick<FoundFunctions, 'knowsOutputs'>, Pick<ContractRead, 'from'> {
  /** What the address runs as a proxy, as far as it is known: errors are its own. */
  readonly code: readonly Address[];
  readonly address: Address;
  readonly block: bigint;
  readonly item: AbiFunction;
  readonly inputs: readonly AbiValue[];
}

/**
 * Reads a function that is known, with arguments as `parseArguments` reads them.
 *
 * @throws AppError as {@link readContract} does.
 */
export async function readView(
  {
    address,
    item,
    args,
    block,
    from,
    code = [],
  }: Omit<ContractRead, 'function'> & Partial<Pick<ViewCall, 'code'>> & Pick<ViewCall, 'item'>,
  deps: Pick<
    ReadDeps,
    'chainId' | 'client' | 'fetchUnits' | 'lookup' | 'prefetchSelectors' | 'resolveAddress'
  >,
  options: Abortable = {},
): Promise<ReadResult> {
  const inputs = parseArguments(item.inputs, args, deps);
  const call = { address, block, item, inputs, code, from, knowsOutputs: true };
  return { ...(await callView(call, deps, options)), implementation: undefined, isSimulated: false };
}

interface FoundFunctions {
  readonly functions: readonly AbiFunction[];
  readonly implementation: Address | undefined;
  /** Of a diamond, whose facets have the functions. */
  readonly facets?: FacetSelectors | undefined;
  /** Whether it is known what the function returns. */
  readonly knowsOutputs: boolean;
  /** Whether the ABI of the contract has it. */
  readonly isCertain: boolean;
  /** Whether any ABI has it, which says whether it is a view. */
  readonly isFromAbi: boolean;
  /** Whether only its selector is known. */
  readonly hasUnknownInputs?: true;
}

async function findFunction(
  { address, written, block }: { address: Address; written: WrittenFunction; block: bigint },
  deps: ReadDeps,
  options: Abortable,
): Promise<FoundFunctions> {
  const { client, chainId, code, lookup } = deps;
  const toFound = (functions: readonly AbiFunction[], implementation?: Address): FoundFunctions => ({
    functions,
    implementation,
    knowsOutputs: true,
    isCertain: true,
    isFromAbi: true,
  });
  const toGuess = (functions: readonly AbiFunction[], isFromAbi = false) => ({
    ...toFound(functions),
    isCertain: false,
    isFromAbi,
  });
  if (written.kind === 'declaration' && written.hasOutputs) return toGuess([written.item]);
  const findAt = (at: ChainAddress) => filterFunctions(listFunctions(code.abiAt(at)?.items ?? []), written);
  // The file of a deployment may have the ABI of another version of its implementation.
  const isDeclared = findAt({ address, chainId }).length > 0;
  const implementations = await client.fetchImplementations(address, block, { ...options, isDeclared });
  const addresses = [...implementations, address];
  await deps.prefetchAbis(addresses.filter((one) => !code.abiAt({ address: one, chainId })?.items));
  const found = addresses
    .map((one) => ({ code: one, functions: findAt({ address: one, chainId }) }))
    .filter(({ functions }) => functions.length > 0);
  // Facets may have functions of one name, and some that the diamond does not take.
  const facets =
    found.length > 1 && implementations.length > 1
      ? await fetchFacetSelectors(client, { address, block }, options)
      : undefined;
  const taken = facets
    ? found.flatMap(({ code: one, functions }) => takeFunctions(functions, facets.get(one)))
    : [];
  if (taken.length > 0) return { ...toFound(taken), facets };
  const [first] = found;
  if (first) return toFound(first.functions, first.code === address ? undefined : first.code);
  const functions = await findAnywhere(written, deps);
  if (functions.length > 0) return toGuess(functions, true);
  if (written.kind === 'name') {
    // Without the state of the block, it is not known whose functions there are.
    await client.requireCode({ to: address, block }, options);
    throw unknownFunctionError(written, addresses, deps);
  }
  const { selector } = written.kind === 'selector' ? written : written.item;
  const [candidate] = lookup.functions(selector, { address, chainId });
  if (candidate) return toGuess([candidate.item]);
  const item =
    written.kind === 'declaration' ? written.item : { ...UNKNOWN_FUNCTION, signature: selector, selector };
  return {
    ...toGuess([item]),
    knowsOutputs: false,
    ...(written.kind === 'selector' && { hasUnknownInputs: true }),
  };
}

const unknownInputsError = (selector: string) =>
  badInput(
    'function',
    createMessage(
      'The arguments of {0} are not known. Declare the function, such as name(address) view returns (uint256).',
      foreign(selector),
    ),
  );

const UNKNOWN_FUNCTION = { kind: 'function', name: '', inputs: [], outputs: [], isView: true } as const;

/** Functions of the projects' own contracts, else of their libraries, else of standards. */
async function findAnywhere(
  written: WrittenFunction,
  { contracts, findEnum }: ReadDeps,
): Promise<readonly AbiFunction[]> {
  if (written.kind === 'selector') return [];
  const name = written.kind === 'name' ? written.name : written.item.name;
  const find = (among: ReadDeps['contracts']) =>
    filterFunctions(listFunctions(listNamed(name, among, findEnum)), written);
  const own = find(contracts.filter(({ isOwn }) => isOwn));
  if (own.length > 0) return own;
  const others = find(contracts);
  if (others.length > 0) return others;
  const { listStandardItems } = await import('../standards/lookup.ts');
  return find([{ abi: [...listStandardItems()].map(({ text }) => text), isOwn: false }]);
}

/** The functions of a name, each once, with the enums that all contracts with it declare. */
function listNamed(name: string, contracts: ReadDeps['contracts'], find: FindEnum) {
  const prefix = `function ${name}(`;
  const named = new Map<AbiItemText, ItemEnums[]>();
  for (const { abi, enums } of contracts) {
    for (const text of abi) {
      if (!text.startsWith(prefix)) continue;
      const places = named.get(text) ?? [];
      named.set(text, places);
      if (enums?.[text]) places.push(enums[text]);
    }
  }
  return [...named].map(([text, places]) => ({ text, enums: { places, find } }));
}

function unknownFunctionError(
  { name, unknownType }: Extract<WrittenFunction, { kind: 'name' }>,
  addresses: readonly Address[],
  deps: ReadDeps,
): AppError {
  const { chainId, code } = deps;
  const functions = addresses.flatMap((address) =>
    listFunctions(code.abiAt({ address, chainId })?.items ?? []),
  );
  const distance = (other: string) => editDistance(name.toLowerCase(), other.toLowerCase(), 3) ?? 9;
  const names = [...new Set(functions.filter(({ isView }) => isView).map((item) => item.name))].sort(
    (a, b) => distance(a) - distance(b),
  );
  const listed = names.slice(0, MAX_NAMES).join(', ');
  const shown = sanitizeText(name, 80);
  if (names.length > 0)
    return badInput(
      'function',
      createMessage('The contract has no function {0}. It has {1}.', foreign(shown), foreign(listed)),
    );
  const template =
    unknownType === undefined
      ? 'No function called {0} is known. Declare it, such as {0}(address) view returns (uint256).'
      : 'No ABI has the function {0}, so the type {1} is unknown. Use address for a contract, uint8 for an enum, and (…) for a struct.';
  return badInput('function', createMessage(template, foreign(shown), foreign(unknownType ?? '', 80)));
}

const MAX_NAMES = 12;

function decodeReturned(
  { outputs, signature }: AbiFunction,
  data: Hex,
  knowsOutputs: boolean,
): Pick<ReadResult, 'outputs' | 'undecoded' | 'values'> {
  if (!knowsOutputs) {
    return { ...toRawValues(data), undecoded: createMessage('It is not known what this function returns.') };
  }
  if (data === '0x' && outputs.length > 0) {
    throw createError(
      'badResponse',
      createMessage('The contract returned nothing. It may have no function {0}.', foreign(signature, 200)),
    );
  }
  const decoded = decodeResult(outputs, data);
  if (!isDecodeError(decoded)) return { outputs, values: decoded, undecoded: undefined };
  const types = outputs.map(({ type }) => type.text).join(', ');
  return {
    ...toRawValues(data),
    undecoded: createMessage('The result is not {0}: {1}.', foreign(types, 200), decoded.detail),
  };
}

const WORD = { kind: 'fixedBytes', size: 32, text: 'bytes32' } as const;
const WORD_DIGITS = 64;

/** The words of data; of data that is no whole words, its bytes. */
function toRawValues(data: Hex): Pick<ReadResult, 'outputs' | 'values'> {
  const digits = data.slice(2);
  if (digits.length % WORD_DIGITS !== 0)
    return { outputs: [{ name: '', type: { kind: 'bytes', text: 'bytes' } }], values: [data] };
  const values = digits.match(/.{64}/g)?.map((word) => `0x${word}`) ?? [];
  return { outputs: values.map(() => ({ name: '', type: WORD })), values };
}

/** The error with the meaning of its revert data, the most trusted one. */
function explainRevert(error: AppError, at: ChainAddress, { lookup }: Pick<ReadDeps, 'lookup'>): AppError {
  const data = error.details.data as Hex | undefined;
  const meanings = data === undefined ? [] : explainHex(data, { lookup, at });
  const meaning =
    meanings.find(({ kind }) => kind === 'revert') ?? meanings.find(({ kind }) => kind === 'error');
  const revert = { data: data ?? null, ...(meaning && meaningToJson(meaning)) };
  const reason = meaning === undefined ? undefined : describeRevert(meaning);
  if (reason === undefined && data !== undefined && data !== '0x') {
    const shown = data.length > MAX_DATA_CHARS ? `${data.slice(0, MAX_DATA_CHARS)}…` : data;
    return createError(
      'reverted',
      createMessage('The call reverted with an unknown error: {0}.', foreign(shown)),
      {
        ...error.details,
        revert,
      },
    );
  }
  // The reason is the contract's text: as that of a server, it stands apart.
  return reason === undefined
    ? new AppError('reverted', error.message, { ...error.details, revert })
    : createError(
        'reverted',
        createMessage('The call reverted: {0}.', typeof reason === 'string' ? foreign(reason) : reason),
        {
          ...error.details,
          serverMessage: typeof reason === 'string' ? reason : formatMessage(reason),
          revert,
        },
      );
}

const MAX_REASON_CHARS = 300;
/** A selector and two words. */
const MAX_DATA_CHARS = 138;

/** `Unpaid(due: 5)`, `"not the owner"`, a Panic with what its code means. */
function describeRevert(meaning: HexMeaning): string | Message | undefined {
  if (!('item' in meaning)) return undefined;
  const { item } = meaning;
  if (!('values' in meaning)) return sanitizeText(item.signature, MAX_REASON_CHARS);
  if (item.signature === 'Error(string)')
    return `"${sanitizeText(String(meaning.values[0]), MAX_REASON_CHARS)}"`;
  if (meaning.note !== undefined && isPanic(item)) return meaning.note;
  const args = item.inputs.map(({ name, type }, index) => {
    const value = formatAbiValue(type, meaning.values[index] as AbiValue, { most: 80 });
    return name === '' ? value : `${name}: ${value}`;
  });
  const text = sanitizeText(`${item.name}(${args.join(', ')})`, MAX_REASON_CHARS);
  return meaning.note === undefined ? text : createMessage('{0}: {1}', foreign(text), meaning.note);
}

/**
 * A result as JSON: integers as decimal strings, structs as objects, members of enums as `{ value, name }`.
 *
 * @example
 * const { values } = readResultToJson(await readContract(read, deps)); // [{ name: '', type: 'uint256', value: '12' }]
 */
export function readResultToJson({
  address,
  block,
  item,
  implementation,
  outputs,
  values,
  undecoded,
  isSimulated,
  reasons = [],
  from,
}: ReadResult): ReadJson {
  return {
    address,
    ...(from && { from }),
    ...(implementation !== undefined && { implementation }),
    function: item.signature,
    block: block.toString(),
    values: outputs.map(({ name, type }, index) => ({
      name,
      type: type.text,
      value: abiValueToJson(type, values[index] as AbiValue, { number: formatEnum }),
    })),
    ...(undecoded !== undefined && { undecoded: formatMessage(undecoded) }),
    ...(isSimulated && { simulated: true }),
    ...(reasons.length > 0 && { reasons: reasons.map(formatMessage) }),
  };
}

/** A value outside of its enum has no name. */
function formatEnum(type: AbiType, value: bigint): AbiJson | undefined {
  const { enumeration } = type as Extract<AbiType, { kind: 'uint' }>;
  if (!enumeration) return undefined;
  const name = formatEnumMember(enumeration, value);
  return { value: value.toString(), ...(name !== undefined && { name }) };
}

interface ReadJson {
  readonly address: Address;
  /** The sender of the call, if it had one. */
  readonly from?: Address;
  readonly implementation?: Address;
  /** The signature; the selector if the function is not known. */
  readonly function: string;
  readonly block: string;
  readonly values: readonly { readonly name: string; readonly type: string; readonly value: AbiJson }[];
  /** Why the values are the raw words. */
  readonly undecoded?: string;
  /** Set if the function is no view. */
  readonly simulated?: true;
}
