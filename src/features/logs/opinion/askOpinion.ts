import * as vscode from 'vscode';
import {
  type ChainClient,
  compareClients,
  createLoadedClient,
  getLoadedBlocks,
  isLoopbackUrl,
  type LogFilter,
  type LogStore,
  type Network,
  type Verdict,
} from '../../../core/index.ts';
import { cancellable } from '../../../host/commands/progress.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import type { ReadOnlyText } from '../../../host/surface/readOnlyText.ts';
import { chooseEndpoint } from './chooseEndpoint.ts';
import { differenceLines } from './differenceLines.ts';
import type { GivenOpinion } from './opinionWords.ts';

/** An answer as it stands, and who gave it. */
interface JudgedAnswer {
  readonly network: Network;
  readonly client: ChainClient;
  readonly filter: LogFilter;
  readonly verdict: Verdict;
  readonly rows: Pick<LogStore, 'blockNumberAt' | 'length' | 'slice'>;
}

interface OpinionDeps {
  readonly session: Pick<Session, 'clientOf'>;
  readonly settings: Pick<SettingsService, 'current'>;
  /** Where rows are shown that are not alike. */
  readonly differences: ReadOnlyText;
}

/**
 * Has the user choose another endpoint of the chain, and compares what it gives. Undefined: given up, also once nobody
 * looks at the answer any more.
 */
export async function askOpinion(
  { network, client, filter, verdict, rows }: JudgedAnswer,
  { session, settings, differences }: OpinionDeps,
  { signal: closed }: { readonly signal: AbortSignal },
): Promise<GivenOpinion | undefined> {
  const { l10n } = vscode;
  const range = getLoadedBlocks(verdict);
  const blocks = range.toBlock - range.fromBlock + 1n;
  const choice = await chooseEndpoint(network, settings.current.networks, blocks);
  if (!choice || closed.aborted) return undefined;
  const { name, rpcUrl } = choice.network;
  const isOfThisMachine = isLoopbackUrl(rpcUrl) && isLoopbackUrl(network.rpcUrl);
  const compared = cancellable(l10n.t('Asking {0} for the same logs', name), ({ signal, report }) =>
    compareClients(createLoadedClient(client, rows, verdict), session.clientOf(choice.network), {
      ...{ filter, range, sample: choice.sample, signal: AbortSignal.any([signal, closed]) },
      // Nobody reorganises the chain of this machine.
      unsettled: isOfThisMachine ? 0n : undefined,
      onProgress: ({ done, of }) => report(of === 0n ? 1 : Number((done * 1000n) / of) / 1000, ''),
    }),
  );
  const opinion = await compared.catch((error: unknown) => {
    if (closed.aborted) return 'cancelled' as const;
    throw error;
  });
  if (opinion === 'cancelled' || closed.aborted) return undefined;
  const given = { opinion, name };
  if (opinion.state === 'differ') {
    await differences.show(differenceLines(given, network.name, { l10n, locale: vscode.env.language }));
  }
  return given;
}
