import * as vscode from 'vscode';
import { type Address, type Clock, type Identity, toChecksumAddress } from '../../../core/index.ts';
import { commandLink, type MarkdownLines, type Piece } from '../../../host/surface/markdown.ts';
import { type IdentityFact, identityFacts } from '../identity/identityFacts.ts';
import { identitySourceWords, unknownIdentityWords } from '../identity/identitySources.ts';

/** Lines that a hover has room for. */
const MOST_LINES = 6;

/** What is known of a contract or a delegated account, a line each, and who tells it; why nobody does. */
export function identityLines(
  identity: Identity,
  options: { readonly nameOf: (address: Address) => string | undefined; readonly clock: Pick<Clock, 'now'> },
): MarkdownLines {
  const unknown = unknownIdentityWords(identity);
  if (unknown !== undefined) return [[{ icon: 'question' }, unknown]];
  const facts = identityFacts(identity, options.nameOf);
  if (facts.length === 0) return [];
  const left = facts.length - MOST_LINES;
  const from = identitySourceWords(identity, options.clock);
  const rest = left > 0 ? [vscode.l10n.t('{0} more', left)] : [];
  const last = [...rest, ...(from === undefined ? [] : [from])].join(' · ');
  return [...facts.slice(0, MOST_LINES).map(factLine), ...(last === '' ? [] : [[last]])];
}

function factLine({ icon, label, detail, about, isWarning }: IdentityFact): readonly Piece[] {
  const detailed: readonly Piece[] =
    detail === ''
      ? []
      : [about ? commandLink(detail, 'chainside.lookUpAddress', toChecksumAddress(about)) : detail];
  return [{ icon: isWarning ? 'warning' : icon }, label, ...(detailed.length > 0 ? ['·'] : []), ...detailed];
}
