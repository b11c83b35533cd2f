import type { TransferColumn, WireTransfer } from '../../features/nfts/protocol.ts';
import { Grid } from '../kit/grid/grid.tsx';
import { ProgressBar, Reasons, ReasonsButton, ToneIcon } from '../kit/panelParts.tsx';
import { callHost } from '../kit/panelState.ts';
import { copyCell, copyTransfer, openTransaction } from './nftActions.ts';
import type { NftState } from './nftState.ts';
import { PartActions, PartError } from './part.tsx';

/** The transfers of the token, with their provider and verdict. */
export function TransfersSection({ state }: { readonly state: NftState }) {
  const { strings, snapshot } = state;
  const part = snapshot.value.transfers;
  const reasonsProps = { isOpen: state.reasonsOpen, reasons: part.reasons };
  return (
    <section class="transfers" aria-label={strings.transfers}>
      <PartError state={state} name="transfers" part={part} />
      <div class="bar">
        <div class="verdict">
          <ToneIcon tone={part.tone} />
          <div class={`status ${part.tone}`} role="status">
            {part.status}
          </div>
          {part.progress && <div class="words">{part.progress.label}</div>}
          <ReasonsButton {...reasonsProps} title={strings.why} />
        </div>
        {part.canSkipWait && (
          <button type="button" onClick={() => void callHost(state, 'skipWait')}>
            {strings.askNow}
          </button>
        )}
        <PartActions state={state} name="transfers" part={part} />
        <RowActions state={state} />
        <Reasons {...reasonsProps} />
      </div>
      <ProgressBar name={strings.loading} isLoading={part.isLoading} progress={part.progress} />
      <TransfersGrid state={state} />
    </section>
  );
}

/** Actions on the active row, for users who do not open its context menu. */
function RowActions({ state }: { readonly state: NftState }) {
  const { strings, active, snapshot } = state;
  const { transfers, canOpenExplorer } = snapshot.value;
  if (transfers.rows === 0) return null;
  const row = Math.max(0, active.value.row);
  return (
    <div class="row-actions">
      <button type="button" class="plain" onClick={() => copyTransfer(state, row)}>
        {strings.copyTransfer}
      </button>
      {canOpenExplorer && (
        <button type="button" class="plain" onClick={() => openTransaction(state, row)}>
          {strings.openTransaction}
        </button>
      )}
    </div>
  );
}

function TransfersGrid({ state }: { readonly state: NftState }) {
  const { strings, snapshot } = state;
  const { transfers, canOpenExplorer } = snapshot.value;
  return (
    <Grid
      grid={state}
      name={strings.transfers}
      columnHint={strings.resizeHint}
      text={(row, column) => formatCell(row, column, strings)}
      hint={formatCellHint}
      isOpenEnded={transfers.isLoading}
      context={{ webviewSection: 'transfer', resultId: transfers.resultId, canOpenExplorer }}
      rowContext={(row) => ({ transfer: row?.transfer, kind: row?.kind })}
      onCopy={(row, column) => copyCell(state, row, column)}
    />
  );
}

function formatCell(row: WireTransfer, column: TransferColumn, { kinds }: NftState['strings']): string {
  switch (column) {
    case 'kind':
      return kinds[row.kind];
    case 'time':
    case 'from':
    case 'to':
      return row[column]?.text ?? '';
    default:
      return row[column];
  }
}

/** The full value of a cell that shows a short one. */
function formatCellHint(row: WireTransfer, column: TransferColumn): string | undefined {
  switch (column) {
    case 'time':
    case 'from':
    case 'to':
      return row[column]?.hint;
    case 'transaction':
      return row.transaction;
    default:
      return undefined;
  }
}
