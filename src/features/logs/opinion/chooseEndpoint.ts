import * as vscode from 'vscode';
import { type Network, type SampleSize, safeUrl } from '../../../core/index.ts';
import { runCommand } from '../../../host/commands/commands.ts';
import { showMessage } from '../../../host/surface/messages.ts';
import { type Choice, pickOne } from '../../../host/surface/questions.ts';
import { otherEndpoints } from './otherEndpoints.ts';

/** Whom to ask, and about how much. */
interface OpinionChoice {
  readonly network: Network;
  readonly sample: SampleSize | undefined;
}

/** Blocks from which on a sample is offered. */
const LONG_RANGE = 100_000n;
const SAMPLE: SampleSize = { windows: 50, blocks: 1000n, seed: 1 };

/** The panel takes the focus back when the palette closes. */
const ignoreFocusOut = true;

/** Asks which other endpoint of the chain is to be asked, and about how many of `blocks`. Undefined: given up. */
export async function chooseEndpoint(
  asked: Network,
  networks: readonly Network[],
  blocks: bigint,
): Promise<OpinionChoice | undefined> {
  const { l10n } = vscode;
  const items = otherEndpoints(asked, networks).map(({ network, from }) => ({
    label: network.name,
    description: safeUrl(network.rpcUrl),
    ...(from === 'public' && { detail: l10n.t('Public, not in your settings') }),
    network,
  }));
  if (items.length === 0) {
    const message = l10n.t(
      'No other endpoint of {0} (chain {1}) is known.',
      asked.name,
      String(asked.chainId),
    );
    const add = l10n.t('Add Network…');
    if ((await showMessage('information', message, add)) === add) {
      await runCommand('chainside.addNetwork');
    }
    return undefined;
  }
  const picked = await pickOne(items, {
    title: l10n.t('Second Opinion'),
    placeHolder: l10n.t('Whom to ask the same: address, topics and blocks are told to it'),
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
  const items: readonly (Choice & { readonly sample: SampleSize | undefined })[] = [
    { label: l10n.t('All Blocks'), description: number(blocks), sample: undefined },
    {
      label: l10n.t('Sample'),
      description: l10n.t('{0} windows of {1} blocks', number(SAMPLE.windows), number(SAMPLE.blocks)),
      sample: SAMPLE,
    },
  ];
  return pickOne(items, {
    title: l10n.t('Second Opinion'),
    placeHolder: l10n.t('How much of the range to compare'),
    ignoreFocusOut,
  });
}
