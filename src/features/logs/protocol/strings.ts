import { inputTexts } from '../../../host/words/inputTexts.ts';
import type { Localizer } from '../../../host/words/localizer.ts';

/** Every text that the webview shows, but what a snapshot carries. `{0}` stands for a value. */
export function logsStrings(l10n: Localizer) {
  return {
    address: l10n.t('Address'),
    addressHint: l10n.t('Contract address, or several'),
    event: l10n.t('Event or topic'),
    eventHint: 'Transfer(address,address,uint256)',
    moreTopics: l10n.t('Further topics'),
    topic1: l10n.t('Topic 1'),
    topic2: l10n.t('Topic 2'),
    topic3: l10n.t('Topic 3'),
    topicHint: l10n.t('32 bytes of hex, or an address'),
    fromBlock: l10n.t('From block'),
    toBlock: l10n.t('To block'),
    wrongChecksum: l10n.t('Wrong checksum: {0}. A letter may be mistyped.'),
    run: l10n.t('Run query'),
    nextPage: l10n.t('Load next page'),
    loadAll: l10n.t('Load all'),
    notNow: l10n.t('Not now'),
    cancel: l10n.t('Cancel'),
    askNow: l10n.t('Ask now'),
    exportLogs: l10n.t('Export…'),
    why: l10n.t('Why?'),
    loading: l10n.t('Loading'),
    tryAgain: l10n.t('Try again'),
    query: l10n.t('Log query'),
    grid: l10n.t('Logs'),
    filter: l10n.t('Filter rows'),
    filterHint: l10n.t('Block or index number, hex, or text'),
    sortHint: l10n.t('Enter sorts by this column.'),
    block: l10n.t('Block'),
    transaction: l10n.t('Transaction'),
    data: l10n.t('Data'),
    blockHash: l10n.t('Block hash'),
    transactionIndex: l10n.t('Transaction index'),
    logIndex: l10n.t('Log index'),
    topic: l10n.t('Topic {0}'),
    bytes: l10n.t('{0} bytes'),
    details: l10n.t('Details of log {0} in block {1}'),
    copy: l10n.t('Copy'),
    copyLog: l10n.t('Copy as JSON'),
    openInExplorer: l10n.t('Open in explorer'),
    close: l10n.t('Close'),
    resizeHint: l10n.t('Shift and left or right arrow change the column width.'),
    inputs: inputTexts(l10n),
    hostFailed: l10n.t('The extension did not answer: {0}'),
  } as const;
}

export type LogsStrings = ReturnType<typeof logsStrings>;
