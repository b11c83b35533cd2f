import * as vscode from 'vscode';
import { isAppError, type Network, PictureError, sanitizeText } from '../../../core/index.ts';
import { describeError, type ErrorDescription } from '../../../host/words/describeError.ts';
import { openSettings, showOutput, watchToken } from '../../../host/words/remedies.ts';
import type { NftAnswers } from '../answers/nftAnswers.ts';
import type { PartName } from '../protocol/parts.ts';

/** Why a part of the panel failed, with what can be done; undefined if it did not. */
export function partProblem(
  part: PartName,
  answers: NftAnswers,
  activeNetwork: Network,
): ErrorDescription | undefined {
  const { error } = answers[part];
  if (error === undefined) return undefined;
  if (part === 'picture') return pictureProblem(error);
  const network = answers.network ?? activeNetwork;
  const service = answers.askedLast[part];
  if (service === 'host') return metadataProblem(error);
  const described = describeError(error, { service, network });
  // What helps with a balance of ERC-20 does not help here.
  return { ...described, remedies: described.remedies.filter((remedy) => remedy !== watchToken) };
}

/** Metadata comes from a host of its own, as a picture does. */
function metadataProblem(error: unknown): ErrorDescription {
  const { l10n } = vscode;
  const reason = isAppError(error, 'badResponse')
    ? l10n.t('what came is not the JSON of a token.')
    : fileReason(error, l10n.t('it is larger than 1 MiB, or of too many values.'));
  const message = l10n.t('The metadata could not be loaded: {0}', reason);
  return { message, reason, advice: undefined, remedies: fileRemedies() };
}

function fileRemedies() {
  return [openSettings('chainside.nft.ipfsGateway'), showOutput];
}

/** A picture comes from a host of its own, so that its failures say nothing about the network's servers. */
function pictureProblem(error: unknown): ErrorDescription {
  const { l10n } = vscode;
  if (error instanceof PictureError) {
    const reason = refusalReason(error);
    const message = l10n.t('The picture is not shown: {0}', reason);
    return { message, reason, advice: undefined, remedies: [showOutput] };
  }
  const reason = isAppError(error, 'badResponse')
    ? l10n.t('what came is not a picture.')
    : fileReason(error, l10n.t('it is larger than 5 MiB.'));
  const message = l10n.t('The picture could not be loaded: {0}', reason);
  return { message, reason, advice: undefined, remedies: fileRemedies() };
}

/** Why a file of a token did not come; `tooLarge` says what is too large for one of its kind. */
function fileReason(error: unknown, tooLarge: string): string {
  const { l10n } = vscode;
  if (!isAppError(error)) return l10n.t('something went wrong in Chainside.');
  switch (error.kind) {
    case 'tooLarge':
      return tooLarge;
    case 'redirected':
      return l10n.t('its server redirects to where Chainside does not follow.');
    case 'timeout':
      return l10n.t('its server did not answer in time.');
    case 'notFound':
      return l10n.t('its server does not have it.');
    case 'network':
      return l10n.t('its server could not be reached.');
    default:
      return sanitizeText(error.message, 300);
  }
}

function refusalReason({ reason, what: found = '' }: PictureError): string {
  const { l10n } = vscode;
  const what = sanitizeText(found, 40);
  if (reason === 'kind') return l10n.t('it is not PNG, JPEG, GIF, WebP, BMP or SVG.');
  if (reason === 'size') return l10n.t('it would take too much memory to draw ({0} pixels).', what);
  const drawings = new Map([
    ['form', l10n.t('it is an SVG that is not well formed.')],
    ['length', l10n.t('it is an SVG of too many parts to be drawn safely.')],
    ['size', l10n.t('it is an SVG that would take too much memory to draw.')],
    ['link', l10n.t('it is an SVG that loads more from elsewhere.')],
  ]);
  return drawings.get(what) ?? l10n.t('it is an SVG with {0}, which could freeze the window.', what);
}
