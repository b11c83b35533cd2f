import * as vscode from 'vscode';
import { formatUnitsGrouped } from '../../core/index.ts';
import type { MarkdownLines } from '../../host/ui/markdown.ts';

const ETHER_DECIMALS = 18;
const GWEI_DECIMALS = 9;
/** Below 0.001 ether. */
const MAX_SMALL_WEI = 10n ** 15n - 1n;

/** The hover over a number that may be an amount of wei: in ether, a small one in gwei first, and with all digits. */
export function createAmountLines(wei: bigint): MarkdownLines {
  const { l10n } = vscode;
  const ether = l10n.t('{0} ether', formatUnitsGrouped(wei, ETHER_DECIMALS));
  const gwei = l10n.t('{0} gwei', formatUnitsGrouped(wei, GWEI_DECIMALS));
  const all = l10n.t('{0} wei', formatUnitsGrouped(wei, 0));
  const [first, ...others] = wei > MAX_SMALL_WEI ? [ether, all] : [gwei, ether, all];
  return [[{ icon: 'symbol-number' }, { strong: first ?? '' }, '·', others.join(' · ')]];
}
