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
  type SampleSize,
  safeUrl,
  type Verdict,
} from '../../../core/index.ts';
import { runCommand } from '../../../host/commands.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { type PickItem, pickOne, showMessage } from '../../../host/ui/dialogs.ts';
import type { ReadOnlyDocuments } from '../../../host/ui/readOnlyDocuments.ts';
import { withCancellableProgress } from '../../../host/ui/window.ts';
import { formatDifferences, type ShownOpinion } from './formatOpinion.ts';
import { listOtherEndpoints, type OtherEndpoint } from './otherEndpoints.ts';

interface ComparedResult {
  readonly network: Network;
  readonly client: ChainClient;
  readonly filter: LogFilter;
  readonly verdict: Verdict;
  readonly rows: Pick<LogStore, 'blockNumberAt' | 'length' | 'slice'>;
}

interface OpinionDeps {
  readonly session: Pick<Session, 'canUseEtherscan' | 'clientOf'>;
  readonly settings: Pick<SettingsService, 'current'>;
  /** The editor tab that lists the differences. */
  readonly differences: ReadOnlyDocuments;
}

/**
 * Lets the user choose another endpoint, and compares its logs. Undefined if the user cancels or closes the
 * panel.
 */
export async function runSecondOpinion(
  { network, client, filter, verdict, rows }: ComparedResult,
  { session, settings, differences }: OpinionDeps,
  { signal: closed }: { readonly signal: AbortSignal },
): Promise<ShownOpinion | undefined> {
  const { l10n } = vscode;
  const range = getLoadedBlocks(verdict);
  const blocks = range.toBlock - range.fromBlock + 1n;
  const hasEtherscanKey = await session.canUseEtherscan(network.chainId);
  const others = listOtherEndpoints(network, settings.current.networks, { hasEtherscanKey });
  const choice = await pickOtherEndpoint(network, others, blocks);
  if (!choice || closed.aborted) return undefined;
  const { name, rpcUrl } = choice.network;
  const areBothLocal = isLoopbackUrl(rpcUrl) && isLoopbackUrl(network.rpcUrl);
  const compared = withCancellableProgress(
    l10n.t('Requesting the same logs from {0}', name),
    ({ signal, report }) =>
      compareClients(createLoadedClient(client, rows, verdict), session.clientOf(choice.network), {
        filter,
        range,
        sample: choice.sample,
        signal: AbortSignal.any([signal, closed]),
        // A local chain has no reorgs.
        unsettled: areBothLocal ? 0n : undefined,
        onProgress: ({ done, of }) => report(of === 0n ? 1 : Number((done * 1000n) / of) / 1000, ''),
      }),
  );
  const opinion = await compared.catch((error: unknown) => {
    if (closed.aborted) return 'cancelled' as const;
    throw error;
  });
  if (opinion === 'cancelled' || closed.aborted) return undefined;
  const shown = { opinion, name };
  if (opinion.state === 'differ') {
    const title = l10n.t('Second Opinion');
    const lines = formatDifferences(shown, network.name, { l10n, locale: vscode.env.language });
    await differences.show({ title, key: title, lines });
  }
  return shown;
}

interface OpinionChoice {
  readonly network: Network;
  readonly sample: SampleSize | undefined;
}

/** Blocks from which a sample is offered. */
const LONG_RANGE = 100_000n;
const SAMPLE: SampleSize = { windows: 50, blocks: 1000n, seed: 1 };

/** The panel takes the focus back when the command palette closes. */
const ignoreFocusOut = true;

/** Lets the user choose the endpoint and, for a long range, the extent. Undefined if the user cancels. */
async function pickOtherEndpoint(
  here: Network,
  others: readonly OtherEndpoint[],
  blocks: bigint,
): Promise<OpinionChoice | undefined> {
  const { l10n } = vscode;
  const items = others.map(({ network, from }) => ({
    label: network.name,
    description: safeUrl(network.rpcUrl),
    ...(from === 'public' && { detail: l10n.t('Public endpoint, not in your settings') }),
    ...(from === 'keyed' && { detail: l10n.t('With your API key, not in your settings') }),
    network,
  }));
  if (items.length === 0) {
    const message = l10n.t(
      'Chainside knows no other endpoint of {0} (chain {1}). Add a network to compare with.',
      here.name,
      String(here.chainId),
    );
    const add = l10n.t('Add Network…');
    if ((await showMessage('information', message, add)) === add) {
      await runCommand('chainside.addNetwork');
    }
    return undefined;
  }
  const picked = await pickOne(items, {
    title: l10n.t('Second Opinion'),
    placeHolder: l10n.t('Choose a second endpoint. It receives the address, topics and block range.'),
    ignoreFocusOut,
  });
  if (!picked) return undefined;
  if (blocks < LONG_RANGE) return { network: picked.network, sample: undefined };
  const extent = await chooseExtent(blocks);
  return extent && { network: picked.network, sample: extent.sample };
}

function chooseExtent(blocks: bigint) {
  const { l10n } = vscode;
  const number = (value: bigint | number) => value.toLocaleString(vscode.env.language);
  const items: readonly (PickItem & { readonly sample: SampleSize | undefined })[] = [
    { label: l10n.t('All Blocks'), description: number(blocks), sample: undefined },
    {
      label: l10n.t('Sample'),
      description: l10n.t('{0} windows of {1} blocks', number(SAMPLE.windows), number(SAMPLE.blocks)),
      sample: SAMPLE,
    },
  ];
  return pickOne(items, {
    title: l10n.t('Second Opinion'),
    placeHolder: l10n.t('Choose how much of the range to compare'),
    ignoreFocusOut,
  });
}
