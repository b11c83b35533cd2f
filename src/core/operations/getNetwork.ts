import { plainText } from '../values/plainText.ts';
import { answerOf, type OperationAnswer } from './kit/answer.ts';
import { knownNames } from './kit/names.ts';
import type { OperationDeps, OperationOptions } from './kit/operation.ts';

/** Names that are given: to see how things are called. */
const MOST_NAMES = 30;

/** Which chain is asked, and what of the project is known of it. @throws AppError as a question for a block does. */
export async function getNetwork(
  _input: object,
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationAnswer> {
  const { client, network, clock } = deps;
  const [chainId, told, head, knowledge] = await Promise.all([
    deps.chainId(options),
    client.chainId(options),
    client.latestBlock(options),
    deps.knowledge(options),
  ]);
  const [times, identity, holdings, transactions] = await Promise.all([
    client.blockTimes([head], options).catch(() => undefined),
    ...(['identity', 'holdings', 'transactions'] as const).map((port) =>
      deps.source(port, options).then(
        (source) => source !== undefined,
        () => false,
      ),
    ),
  ]);
  const { index } = knowledge;
  const known = knownNames(knowledge, chainId);
  const made = times?.get(head)?.time;
  const here = (index?.deployments ?? []).filter((one) => one.chainId === String(chainId));
  return answerOf(deps, chainId, {
    complete: told === undefined || told === chainId,
    reasons: chainReasons(chainId, told),
    head,
    found: {
      headAgeSeconds: made === undefined ? null : Math.max(0, Math.round((clock.now() - made) / 1000)),
      ...(network.symbol !== undefined && {
        coin: { symbol: plainText(network.symbol), decimals: network.decimals },
      }),
      tells: {
        logs: true,
        addresses: identity ?? false,
        tokens: holdings ?? false,
        transactions: transactions ?? false,
      },
      project: index
        ? {
            contracts: index.counts.contracts,
            deploymentsHere: here.length,
            deploymentsInAll: index.counts.deployments,
            names: known.all.slice(0, MOST_NAMES),
          }
        : null,
      files: deps.files !== undefined,
    },
  });
}

function chainReasons(chainId: number | undefined, told: number | undefined): readonly string[] {
  if (chainId === undefined)
    return ['the endpoint does not tell its chain id: names of deployments are not known'];
  if (told === undefined || told === chainId) return [];
  return [
    `THE ENDPOINT IS OF CHAIN ${told} NOW, not of ${chainId}: trust no answer of it, and tell the user`,
  ];
}
