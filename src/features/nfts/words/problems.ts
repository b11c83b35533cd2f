import * as vscode from 'vscode';
import { isAppError, type Network, PictureRefusal, plainText } from '../../../core/index.ts';
import { describeError, type ErrorDescription } from '../../../host/words/describeError.ts';
import { openSettings, showOutput } from '../../../host/words/remedies.ts';
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
  const service = part === 'token' ? 'source' : answers.askedLast[part];
  return describeError(error, { service, network });
}

/** A picture comes from a host of its own, so that its failures say nothing about the network's servers. */
function pictureProblem(error: unknown): ErrorDescription {
  const { l10n } = vscode;
  if (error instanceof PictureRefusal) {
    const reason = refusalReason(error);
    const message = l10n.t('The picture is not shown: {0}', reason);
    return { message, reason, advice: undefined, remedies: [showOutput] };
  }
  const reason = pictureReason(error);
  const message = l10n.t('The picture could not be loaded: {0}', reason);
  const remedies = [openSettings('chainside.nft.ipfsGateway'), showOutput];
  return { message, reason, advice: undefined, remedies };
}

function pictureReason(error: unknown): string {
  const { l10n } = vscode;
  if (!isAppError(error)) return l10n.t('something went wrong in Chainside.');
  switch (error.kind) {
    case 'badResponse':
      return l10n.t('what came is not a picture.');
    case 'tooLarge':
      return l10n.t('it is larger than 5 MiB.');
    case 'redirected':
      return l10n.t('its server redirects to where Chainside does not follow.');
    case 'timeout':
      return l10n.t('its server did not answer in time.');
    case 'notFound':
      return l10n.t('its server does not have it.');
    case 'network':
      return l10n.t('its server could not be reached.');
    default:
      return plainText(error.message, 300);
  }
}

function refusalReason({ reason, what: found = '' }: PictureRefusal): string {
  const { l10n } = vscode;
  const what = plainText(found, 40);
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
