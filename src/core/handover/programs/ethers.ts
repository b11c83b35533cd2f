import { endpointOf, type HandedEndpoint } from '../handed/endpoint.ts';
import { blocksOf, type Handed, type HandedQuery } from '../handed/handover.ts';
import { rpcPlaces } from '../handed/rpcFilter.ts';
import { jsHeaderValue, jsString, jsUrl } from './jsText.ts';
import { declarationOf, programText } from './program.ts';

/** A program for ethers 6, which prints the arguments of a log where its event is known. */
export function handToEthers(query: HandedQuery): Handed {
  const blocks = blocksOf(query);
  if (!blocks) return { refused: 'blocks' };
  const endpoint = endpointOf(query);
  const declaration = declarationOf(query.event);
  const { chainId } = query.network;
  const imports = [
    ...(endpoint.header ? ['FetchRequest'] : []),
    ...(declaration === undefined ? [] : ['Interface']),
    'JsonRpcProvider',
  ];
  return programText({
    ...{ query, endpoint, blocks, library: 'ethers' },
    imports: `import { ${imports.join(', ')} } from 'ethers';`,
    opening: [
      ...openingOf(endpoint),
      `const provider = new JsonRpcProvider(endpoint, ${chainId}, { staticNetwork: true });`,
      ...(declaration === undefined ? [] : [`const events = new Interface([${declaration}]);`, ...READ]),
      `const filter = ${JSON.stringify(rpcPlaces(query.filter))};`,
    ],
    newest: 'BigInt(await provider.getBlockNumber())',
    asking: [
      '  const logs = await provider.getLogs({ ...filter, fromBlock, toBlock });',
      '  for (const log of logs) {',
      declaration === undefined
        ? '    console.log(JSON.stringify(log, withoutBigint));'
        : '    console.log(JSON.stringify({ ...log.toJSON(), args: argsOf(log) }, withoutBigint));',
      '  }',
    ],
  });
}

/** A log of another form of the event has none. */
const READ = [
  'const argsOf = (log) => {',
  '  try {',
  '    return events.parseLog(log)?.args.toArray(true);',
  '  } catch {',
  '    return undefined;',
  '  }',
  '};',
];

function openingOf({ url, header }: HandedEndpoint): readonly string[] {
  if (!header) return [`const endpoint = ${jsUrl(url)};`];
  return [
    `const endpoint = new FetchRequest(${jsUrl(url)});`,
    `endpoint.setHeader(${jsString(header.name)}, ${jsHeaderValue(header)});`,
  ];
}
