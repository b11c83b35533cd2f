import { useComputed } from '@preact/signals';
import { ROW_HEIGHT } from '../../kit/grid/gridScroll.ts';
import { countOf } from '../../kit/grid/selection.ts';
import { ProgressBar } from '../../kit/progressBar.tsx';
import { copyRows, runQuery } from '../actions.ts';
import { LimitBanner, Problems } from '../banners.tsx';
import { Details } from '../details.tsx';
import { LogsGrid } from '../grid.tsx';
import type { LogsState } from '../state.ts';
import { StatusBar } from '../statusBar.tsx';

/** Rows that are in sight at once; more are scrolled to. */
const MOST_ROWS = 12;
/** The header, and a bar to scroll with. */
const AROUND = 24 + 16;

/** An answer in the output of a cell: what a log panel shows below its query. */
export function AnswerPage({ state }: { readonly state: LogsState }) {
  const { strings, rowCount } = state;
  const isDetailed = useComputed(() => state.details.value?.log !== undefined).value;
  const { loading, progress, loaded, empty } = state.snapshot.value;
  const rows = isDetailed ? MOST_ROWS : Math.min(MOST_ROWS, Math.max(2, rowCount.value));
  return (
    // No landmark: a document has many answers.
    <div class="page" role="group" aria-label={strings.query}>
      <Problems state={state} />
      <LimitBanner state={state} />
      <StatusBar state={state}>
        {rowCount.value > 0 && (
          <button type="button" onClick={() => copyMarkdown(state)}>
            {strings.copyAsMarkdown}
          </button>
        )}
        <button type="button" onClick={() => openInPanel(state)}>
          {strings.openInPanel}
        </button>
      </StatusBar>
      <ProgressBar name={strings.loading} isLoading={loading !== undefined} progress={progress} />
      {(loaded > 0 || empty) && (
        <div class="body" style={empty ? undefined : { height: `${rows * ROW_HEIGHT + AROUND}px` }}>
          <LogsGrid state={state} />
          <Details state={state} />
        </div>
      )}
    </div>
  );
}

/** The rows that are selected, of one alone all that are shown. */
function copyMarkdown(state: LogsState): void {
  const ranges = state.selection.value?.ranges ?? [];
  const isSeveral = countOf(ranges) > 1;
  copyRows(state, isSeveral ? ranges : [{ start: 0, end: state.rowCount.value }], 'markdown');
}

/** The extension runs what it is given here in a panel of its own. */
function openInPanel(state: LogsState): void {
  const { executed } = state.snapshot.value;
  if (executed) state.form.value = executed.form;
  void runQuery(state);
}
