import type { AppError, ValidationCode } from '../core/index.ts';
import { fillTemplate } from '../messaging/panel.ts';
import type { Localizer } from './l10n.ts';

/** Formats a validation error in the user's language; without a code, as core words it. */
export function formatValidationError({ message, details }: AppError, l10n: Localizer): string {
  const { validation } = details;
  return validation
    ? fillTemplate(getValidationMessages(l10n)[validation.code], ...(validation.values ?? []))
    : message;
}

/** Templates by error code. `{0}` and `{1}` stand for the values of the error. */
export function getValidationMessages(l10n: Localizer): Readonly<Record<ValidationCode, string>> {
  return {
    anonymousEvent: l10n.t('An anonymous event has no topic0. Filter by address and topics instead.'),
    blocksReversed: l10n.t('The first block ({0}) is above the last block ({1}).'),
    emptyTopics: l10n.t('An empty list of topics matches nothing. Use null for any topic.'),
    endsBeforeFirst: l10n.t(
      'The range ends before the first block of the chain ({0}). Give a later time, or a block.',
    ),
    notArgument: l10n.t('{0} has no indexed parameter {1}; it has {2}.'),
    notAddress: l10n.t('Not an address: expected 0x and 40 hex digits.'),
    notBlock: l10n.t(
      'Not a block: write a number, 0x and hex digits, earliest, latest, latest-1000, or a time such as 2026-11-01 or -7d.',
    ),
    notBool: l10n.t('Not a bool: write true or false.'),
    notBytes: l10n.t('Not bytes: write 0x and two hex digits for each byte.'),
    notEvent: l10n.t('Not an event signature: write it like Transfer(address,address,uint256).'),
    notFixedBytes: l10n.t('Not a {0}: expected 0x and {1} hex digits.'),
    notGateway: l10n.t('Not a gateway: expected an https address with a public name.'),
    notInteger: l10n.t('Not an integer: write digits, or 0x and hex digits.'),
    notLastBlock: l10n.t('A last block is not counted from the end. Write latest-{0}.'),
    notTime: l10n.t('Not a time: write 2026-11-01, 2026-11-01T12:30Z or -7d.'),
    notTokenId: l10n.t(
      'Not a token id: expected a whole number up to 2^256 - 1, decimal or 0x and hex digits.',
    ),
    notTopic: l10n.t('Not a topic: expected 0x and 64 hex digits (32 bytes).'),
    notTopicOfTypes: l10n.t('Not a value of {0}. Write one, or 0x and 64 hex digits.'),
    notTopicOrAddress: l10n.t(
      'Not a topic: write an address, a number, true or false, or 0x and hex digits.',
    ),
    noBlockBetween: l10n.t('No block was made between these two times: the first one after them is {0}.'),
    nothingToSearchBy: l10n.t('An explorer searches by address or topic0. Give at least one of them.'),
    onlyHash: l10n.t('An indexed {0} is stored as its hash: enter that, 0x and 64 hex digits.'),
    outOfBounds: l10n.t('Out of range: {0} allows {1} to {2}.'),
    severalEvents: l10n.t('Several events are called {0}: write one of {1}.'),
    severalNamed: l10n.t('{1} addresses are called {0}: write the address of the one that is meant.'),
    tooManyTopics: l10n.t('A log has at most four topics.'),
    topicTwice: l10n.t('This is the topic of {0}, which has a value too. Clear one of them.'),
    unindexedEvent: l10n.t(
      'Values by name need the event with its indexed parameters: Transfer(address indexed from, address indexed to, uint256 value).',
    ),
    unknownEvent: l10n.t(
      'No event {0} is known. Write it as Solidity declares it: {0}(address indexed from, uint256 value).',
    ),
    unknownName: l10n.t(
      'No address is called {0}. Write 0x and 40 hex digits, or a name of the project: of a deployment on this chain, or a label in foundry.toml or .chainside/labels.json.',
    ),
    unknownType: l10n.t(
      '{0} has an unknown type. Write address for a contract, uint8 for an enum, (…) for a struct.',
    ),
  };
}
