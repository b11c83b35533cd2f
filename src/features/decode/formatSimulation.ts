import {
  groupDigits,
  isRevertError,
  type Network,
  pushAll,
  type RepeatedCall,
  type Simulation,
  sanitizeText,
  type Transaction,
  ZERO_ADDRESS,
} from '../../core/index.ts';
import { localize } from '../../host/l10n.ts';
import type { TextLine } from '../../host/ui/readOnlyDocuments.ts';
import { type MeaningFormat, writeMeaning } from './formatMeaning.ts';
import { createFailedAtLines, createTraceLines, formatServerError } from './formatTrace.ts';
import { capitalize, formatCoin, formatNamedAddress } from './formatTransaction.ts';

export interface SimulationParts {
  readonly call: RepeatedCall;
  /** Undefined if the endpoint takes too long. */
  readonly simulation: Simulation | undefined;
  /** Undefined for a call that was never mined. */
  readonly transaction: Pick<Transaction, 'hash' | 'status'> | undefined;
  readonly point: 'own' | 'latest';
  readonly network: Network;
  readonly format: MeaningFormat;
  readonly uriOf: (file: string) => string | undefined;
}

/** The document of a simulation: on which state it ran, whether it would fail and why, and its calls. */
export function createSimulationDocument(parts: SimulationParts): readonly TextLine[] {
  const { transaction, network, format, simulation, uriOf } = parts;
  const { l10n } = format;
  const title = transaction
    ? l10n.t('Simulation of transaction {0} on {1}', transaction.hash, network.name)
    : l10n.t('Simulation of a call on {0}', network.name);
  const note = l10n.t('The node ran the call, without its nonce and fee. Nothing was sent to the chain.');
  const lines: TextLine[] = [
    { level: 0, text: title, style: 'heading' },
    { level: 0, text: note, style: 'muted' },
  ];
  const trace = simulation?.trace;
  const calls = trace?.state === 'told' ? createTraceLines(trace, { format, coin: network, uriOf }) : [];
  const sections = [listFacts(parts), listReasons(parts), listCall(parts), calls];
  for (const section of sections)
    if (section.length > 0) pushAll(lines, [{ level: 0, text: '' }, ...section]);
  return lines;
}

function listFacts(parts: SimulationParts): readonly TextLine[] {
  const { call, simulation, network, format } = parts;
  const { l10n } = format;
  const { from, to, value, gasLimit } = call;
  const trace = simulation?.trace;
  const isFailed = trace?.state === 'told' && trace.root.frame.error !== undefined;
  const status =
    trace?.state === 'told' ? (isFailed ? l10n.t('Would fail') : l10n.t('Would succeed')) : l10n.t('Unknown');
  const fields: readonly (readonly [string, string | undefined])[] = [
    [l10n.t('Status'), status],
    [l10n.t('State'), simulation && formatState(simulation, parts)],
    [
      l10n.t('From'),
      from === ZERO_ADDRESS
        ? l10n.t('the zero address, as no sender is known')
        : formatNamedAddress(from, format),
    ],
    [l10n.t('To'), to && formatNamedAddress(to, format)],
    [l10n.t('Value'), formatCoin(value, network)],
    [l10n.t('Gas limit'), gasLimit === undefined ? undefined : groupDigits(gasLimit)],
    [l10n.t('Method'), trace?.state === 'told' ? trace.method : undefined],
  ];
  return fields.flatMap(([name, text], index) =>
    text === undefined
      ? []
      : [
          {
            ...{ level: 0, text: l10n.t('{0}: {1}', name, text), label: `${name}:` },
            ...(index === 0 &&
              trace?.state === 'told' && { style: isFailed ? ('failure' as const) : ('success' as const) }),
          },
        ],
  );
}

function formatState(
  { call, isOwnState }: Simulation,
  { transaction, point, format: { l10n } }: SimulationParts,
): string {
  const block = groupDigits(call.after);
  if (!transaction || point === 'latest') return l10n.t('after block {0}, the latest', block);
  return isOwnState
    ? l10n.t('after block {0}, as it was for the transaction, the first of its block', block)
    : l10n.t('after block {0}, without the earlier transactions of its block', block);
}

function listReasons(parts: SimulationParts): readonly TextLine[] {
  const { simulation, format, uriOf } = parts;
  const { l10n } = format;
  const trace = simulation?.trace;
  if (!trace) return [{ level: 0, text: l10n.t('The endpoint took too long.') }];
  if (trace.state === 'notOffered')
    return [{ level: 0, text: sanitizeText(localize(trace.reason, l10n), MAX_REASON_CHARS) }];
  const { revert, frame } = trace.root;
  if (frame.error === undefined) return listCauses(parts);
  const lines: TextLine[] = [{ level: 0, text: l10n.t('Why it would fail'), style: 'heading' }];
  if (revert) writeMeaning(revert, { lines, format, level: 1 });
  else {
    const isBare = frame.output === '0x' && isRevertError(frame.error);
    const text = isBare
      ? l10n.t('Reverts without a reason.')
      : capitalize(formatServerError(frame.error, MAX_REASON_CHARS, l10n));
    lines.push({ level: 1, text });
    if (frame.output !== '0x')
      lines.push({ level: 1, text: l10n.t('No known error matches the data: {0}', frame.output) });
  }
  return [...lines, ...createFailedAtLines(trace, { format, uriOf })];
}

const MAX_REASON_CHARS = 400;

/** Why a call that failed may succeed here. */
function listCauses({ transaction, point, format: { l10n } }: SimulationParts): readonly TextLine[] {
  if (transaction && transaction.status !== 'failed') return [];
  const text = !transaction
    ? l10n.t('If the call failed before, the state, the time, the sender or its balance was different.')
    : point === 'latest'
      ? l10n.t('The transaction failed. State, time or balances have changed since.')
      : l10n.t(
          'The transaction failed. Earlier transactions of its block, or the number and time of that block, made it fail.',
        );
  return [{ level: 0, text }];
}

function listCall({ simulation, format }: SimulationParts): readonly TextLine[] {
  const trace = simulation?.trace;
  const call = trace?.state === 'told' ? trace.root.call : undefined;
  if (!call) return [];
  const lines: TextLine[] = [{ level: 0, text: format.l10n.t('Call'), style: 'heading' }];
  writeMeaning(call, { lines, format, level: 1 });
  return lines;
}
