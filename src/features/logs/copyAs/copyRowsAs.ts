import * as vscode from 'vscode';
import {
  type CopyLog,
  type CopyResult,
  copyLogsTargets,
  copyQueryTargets,
  createQueryForLog,
  type DecodedLog,
  type Log,
  MAX_EXPECTED_LOGS,
  type Network,
} from '../../../core/index.ts';
import type { RowsFormat } from '../protocol/selectedRows.ts';
import { type CopyOffer, chooseCopy } from './chooseCopy.ts';
import { textOf } from './copyQueryAs.ts';
import type { CopyRefusal } from './refusalWords.ts';
import { tableOffers } from './tableOffers.ts';

/** Rows that are selected. */
interface CopiedLogs {
  readonly network: Network;
  readonly count: number;
  readonly readAt: (index: number) => { readonly log: Log; readonly decoded: DecodedLog };
  readonly copy: (format: RowsFormat) => Promise<void>;
}

/** Copies rows as a test or a table; of a single one also what finds it again. */
export async function copyRowsAs({ network, count, readAt, copy }: CopiedLogs): Promise<void> {
  const { l10n } = vscode;
  // One more than is taken says that they are too many.
  const read = Array.from({ length: Math.min(count, MAX_EXPECTED_LOGS + 1) }, (_, index) => readAt(index));
  const logs = read.flatMap(({ log, decoded }): readonly CopyLog[] =>
    'event' in decoded ? [{ log, known: decoded }] : [],
  );
  const tests = copyLogsTargets.map(({ label, purpose, hand }) =>
    offerOf({ label, purpose: purpose(l10n) }, () =>
      logs.length < read.length ? { refused: 'notDecoded' } : hand(logs, network),
    ),
  );
  const [first] = read;
  const finders = first && count === 1 ? copyQueryTargets.filter(({ isLarge }) => !isLarge) : [];
  const queries = finders.map(({ label, purpose, hand }) =>
    offerOf({ label, purpose: purpose(l10n) }, () => {
      const { log, decoded } = first as NonNullable<typeof first>;
      const event = 'event' in decoded ? decoded.event : undefined;
      return hand({ filter: createQueryForLog({ log }), network, event });
    }),
  );
  await chooseCopy([...tests, ...queries], tableOffers(l10n, copy), {
    title:
      count === 1
        ? l10n.t('Copy Row As')
        : l10n.t('Copy {0} Rows As', count.toLocaleString(vscode.env.language)),
    tables: l10n.t('As a table'),
  });
}

function offerOf(
  words: Pick<CopyOffer, 'label' | 'purpose'>,
  hand: () => CopyResult | { readonly refused: CopyRefusal },
): CopyOffer {
  const handed = hand();
  if ('refused' in handed) return { ...words, refused: handed.refused, text: async () => undefined };
  return { ...words, text: async () => textOf(handed) };
}
