import type { AbiType, EventParameter } from '../../abi/abiType.ts';
import { isDecodeFault } from '../../abi/decode/decodeFault.ts';
import { decodeParameters } from '../../abi/decode/decodeParameters.ts';
import { isHashed } from '../../abi/decode/isHashed.ts';
import type { Address } from '../../values/address.ts';
import { toChecksumAddress } from '../../values/checksum.ts';
import type { Hex } from '../../values/hex.ts';
import { endpointOf, type HandedEndpoint } from '../handed/endpoint.ts';
import { blocksOf, type Handed, type HandedQuery } from '../handed/handover.ts';
import { isSolidityName, readableEvent } from '../handed/identifiers.ts';
import { rpcPlaces } from '../handed/rpcFilter.ts';
import { jsHeaderValue, jsString, jsUrl, oneOrList } from './jsText.ts';
import { declarationOf, programText } from './program.ts';

/**
 * A program for viem: `getLogs` with the event and its arguments by name; where viem has no words for what is asked, the
 * filter as `eth_getLogs` takes it.
 */
export function handToViem(query: HandedQuery): Handed {
  const blocks = blocksOf(query);
  if (!blocks) return { refused: 'blocks' };
  const endpoint = endpointOf(query);
  const named = namedFilter(query);
  return programText({
    ...{ query, endpoint, blocks, library: 'viem' },
    imports: `import { ${['createPublicClient', 'http', ...(named ? ['parseAbiItem'] : ['toHex'])].join(', ')} } from 'viem';`,
    opening: [
      `const client = createPublicClient({ transport: http(${jsUrl(endpoint.url)}${optionsOf(endpoint)}) });`,
      ...(named ? [`const event = parseAbiItem(${named.declaration});`] : []),
    ],
    newest: 'await client.getBlockNumber()',
    asking: [
      ...(named ? byName(query, named.args) : byTopics(query)),
      '  for (const log of logs) console.log(JSON.stringify(log, withoutBigint));',
    ],
  });
}

function optionsOf({ header }: HandedEndpoint): string {
  if (!header) return '';
  return `, { fetchOptions: { headers: { ${jsString(header.name)}: ${jsHeaderValue(header)} } } }`;
}

function byName({ filter }: HandedQuery, args: readonly string[]): readonly string[] {
  const addresses = filter.addresses.map((address) => jsString(toChecksumAddress(address)));
  return [
    '  const logs = await client.getLogs({',
    ...(addresses.length === 0 ? [] : [`    address: ${oneOrList(addresses)},`]),
    '    event,',
    ...(args.length === 0 ? [] : [`    args: { ${args.join(', ')} },`]),
    '    fromBlock,',
    '    toBlock,',
    '  });',
  ];
}

function byTopics({ filter }: HandedQuery): readonly string[] {
  return [
    `  const filter = ${JSON.stringify(rpcPlaces(filter))};`,
    '  const range = { fromBlock: toHex(fromBlock), toBlock: toHex(toBlock) };',
    "  const logs = await client.request({ method: 'eth_getLogs', params: [{ ...filter, ...range }] });",
  ];
}

/** The event as viem declares it, and its arguments by name; undefined where the filter says what they cannot. */
function namedFilter({
  event: given,
  filter,
}: HandedQuery): { readonly declaration: string; readonly args: readonly string[] } | undefined {
  const event = given && readableEvent(given);
  const declaration = declarationOf(given);
  const [topic0, ...others] = filter.topics;
  if (!event || declaration === undefined || event.anonymous) return undefined;
  if (topic0?.length !== 1 || topic0[0] !== event.topic0) return undefined;
  const indexed = event.inputs.filter((input) => input.indexed);
  const args: string[] = [];
  for (const [place, topics] of others.entries()) {
    if (topics === null) continue;
    const argument = argumentOf(indexed[place], topics, event.inputs);
    if (argument === undefined) return undefined;
    args.push(argument);
  }
  return { declaration, args };
}

function argumentOf(
  input: EventParameter | undefined,
  topics: readonly Hex[],
  inputs: readonly EventParameter[],
): string | undefined {
  // By name alone: viem counts a list in one place by the indexed parameters, and in another by all of them.
  if (!input || isHashed(input) || !isSolidityName(input.name)) return undefined;
  if (input.name === '__proto__' || inputs.some(({ name }) => name === '')) return undefined;
  if (inputs.filter(({ name }) => name === input.name).length > 1) return undefined;
  const literals = topics.map((topic) => literalOf(input.type, topic));
  if (literals.some((literal) => literal === undefined)) return undefined;
  return `${input.name}: ${oneOrList(literals as string[])}`;
}

/** As viem has values: what fits into 48 bits is a number there. Undefined for a topic that is no value of the type. */
function literalOf(type: AbiType, topic: Hex): string | undefined {
  const decoded = decodeParameters([{ name: '', type }], topic);
  if (isDecodeFault(decoded)) return undefined;
  const [value] = decoded;
  switch (type.kind) {
    case 'address':
      return jsString(toChecksumAddress(value as Address));
    case 'bool':
      return String(value);
    case 'uint':
    case 'int':
      return type.bits <= 48 ? String(value) : `${value}n`;
    case 'fixedBytes':
      return type.text === 'function' ? undefined : jsString(String(value));
    default:
      return undefined;
  }
}
