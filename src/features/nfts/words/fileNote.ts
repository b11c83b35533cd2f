import { type AssetUrl, safeUrl } from '../../../core/index.ts';
import type { WordsContext } from './wordsContext.ts';

/** Who is asked for a file that a token names; empty where nobody is. */
export function fileNote(file: AssetUrl, { ipfsGateway, l10n }: WordsContext): string {
  switch (file.kind) {
    case 'https':
    case 'local':
      return l10n.t('Asks {0}, which then sees your IP address.', safeUrl(file.url));
    case 'ipfs':
      return ipfsGateway === undefined
        ? l10n.t('It is on IPFS: you choose a gateway first.')
        : l10n.t('Asks {0}, which then sees your IP address.', safeUrl(ipfsGateway));
    case 'data':
      return '';
  }
}
