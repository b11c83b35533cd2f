import type { WirePart } from '../protocol/nftSnapshot.ts';
import { fileNote } from './fileNote.ts';
import type { WordsContext } from './wordsContext.ts';

type PictureWords = Pick<WirePart, 'facts' | 'status' | 'offers'> & { readonly alt: string };

/** What is said of the picture, and how it can be had. */
export function pictureWords(context: WordsContext): PictureWords {
  const { answers, l10n } = context;
  const { picture, tokenId } = answers;
  const metadata = answers.knownToken?.metadata;
  const words = {
    ...{ facts: [], offers: [] },
    alt: l10n.t('Picture of token {0}', tokenId?.toString() ?? ''),
  };
  if (picture.isLoading) return { ...words, status: l10n.t('Loading the picture…') };
  if (!metadata || picture.value) return { ...words, status: '' };
  if (!metadata.image) return { ...words, status: l10n.t('The metadata has no picture that can be loaded.') };
  const status = picture.isCancelled ? l10n.t('Cancelled.') : '';
  if (picture.error !== undefined) return { ...words, status };
  const note = fileNote(metadata.image, context);
  return { ...words, status, offers: [{ action: 'picture', title: l10n.t('Show picture'), note }] };
}
