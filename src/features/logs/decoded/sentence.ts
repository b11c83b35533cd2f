import {
  type Address,
  type DecodedEvent,
  formatShortAddress,
  type UndecodedReason,
} from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import { versionDoubtWords } from './versionWords.ts';
import { type Wording, wordArgument } from './wording.ts';

/** Arguments that are told in one line; more are found in the details. */
const MOST_TOLD = 12;

/** A decoded log in one line: `Transfer from Treasury to 0x7099…79C8  1,250.00 HUSD`. */
export function eventSentence(known: DecodedEvent, contract: Address, wording: Wording): string {
  const { event, values } = known;
  const told = values
    .slice(0, MOST_TOLD)
    .map((value, index) => shortHex(wordArgument({ event, index, value }, contract, wording).text));
  const special = movementSentence(known, told, wording.l10n);
  if (special !== undefined) return special;
  const pairs = told.map((text, index) => [event.inputs[index]?.name, text].filter(Boolean).join(' '));
  const more = values.length > told.length ? ['…'] : [];
  return [event.name, ...pairs, ...more].join('  ');
}

/** Hex that is longer than an address hides all that comes after it; the details have the whole. */
function shortHex(text: string): string {
  return text.replaceAll(/0x[0-9a-f]{41,}/g, formatShortAddress);
}

/** Transfers and approvals of tokens, in words. */
function movementSentence(
  { event }: DecodedEvent,
  told: readonly string[],
  l10n: Localizer,
): string | undefined {
  const [first = '', second = '', third = ''] = told;
  const last = event.inputs[2]?.indexed ? `#${third}` : third;
  switch (event.signature) {
    case 'Transfer(address,address,uint256)':
      return `${l10n.t('Transfer from {0} to {1}', first, second)}  ${last}`;
    case 'Approval(address,address,uint256)':
      return `${l10n.t('Approval by {0} for {1}', first, second)}  ${last}`;
    default:
      return undefined;
  }
}

/** Why a log is not decoded. */
export function rawReasonWords(reason: UndecodedReason, l10n: Localizer): string {
  switch (reason.code) {
    case 'noTopics':
      return l10n.t('No topics, and no known anonymous event matches.');
    case 'unknownEvent':
      return l10n.t('No event with this topic0 is known.');
    case 'topicCount': {
      const { event, topics } = reason;
      const expected = event.inputs.filter(({ indexed }) => indexed).length + (event.anonymous ? 0 : 1);
      return l10n.t('Number of topics: {0}; {1} as it is known has {2}.', topics, event.signature, expected);
    }
    case 'malformed':
      return l10n.t('Not what {0} encodes: {1}.', reason.event.signature, reason.detail);
    case 'version':
      return versionDoubtWords(reason, l10n);
  }
}
