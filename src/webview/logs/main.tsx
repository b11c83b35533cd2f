import './logs.css';
import type { ShownAnswer } from '../../features/logs/protocol/logsSnapshot.ts';
import { type LogsAction, type LogsHost, logsActions } from '../../features/logs/protocol/protocol.ts';
import { type ViewState, viewStateSchema } from '../../features/logs/protocol/viewState.ts';
import { ProgressBar } from '../kit/progressBar.tsx';
import { startPanel } from '../kit/startPanel.tsx';
import { viewWidth } from '../kit/viewWidth.ts';
import { moveNetwork } from './actions.ts';
import { filterByCell, filterByTransaction } from './arranging.ts';
import { LimitBanner, Problems } from './banners.tsx';
import { Details } from './details.tsx';
import { tellFold } from './fold.ts';
import { followFacts } from './formFacts.ts';
import { LogsGrid } from './grid.tsx';
import { followRows, LogsChart } from './logsChart.tsx';
import { NetworkNote } from './parts/networkNote.tsx';
import { QueryForm, runForm } from './queryForm.tsx';
import { QueryLine } from './queryLine.tsx';
import { enterRows, reopenDetails, showAnswer } from './snapshots.ts';
import { createLogsState, type LogsState, viewState } from './state.ts';
import { StatusBar } from './statusBar.tsx';

const actions: Readonly<Record<LogsAction, (state: LogsState) => unknown>> = {
  run: runForm,
  filterByCell,
  filterByTransaction,
};

startPanel<LogsHost, LogsState, ShownAnswer, LogsAction, ViewState>({
  kept: viewStateSchema,
  actions: logsActions,
  createState(host, opening, kept) {
    const state = createLogsState(host, opening, { kept, width: viewWidth() });
    followFacts(state);
    followRows(state);
    tellFold(state);
    if (kept?.answer === opening.snapshot.answer) void reopenDetails(state, kept.detailed);
    return state;
  },
  show: showAnswer,
  enter: enterRows,
  act: (state, action) => void actions[action](state),
  keep: viewState,
  Page: LogsPage,
});

function LogsPage({ state }: { readonly state: LogsState }) {
  const { strings } = state;
  return (
    <main class="page">
      <h1 class="unseen">{strings.query}</h1>
      {state.formOpen.value && <QueryForm state={state} />}
      <QueryLine state={state} />
      <Problems state={state} />
      <LimitBanner state={state} />
      <NetworkNote network={state.snapshot.value.network} onMove={() => moveNetwork(state)} />
      <StatusBar state={state} />
      <LoadingBar state={state} />
      <LogsChart state={state} />
      <div class="body">
        <LogsGrid state={state} />
        <Details state={state} />
      </div>
    </main>
  );
}

function LoadingBar({ state }: { readonly state: LogsState }) {
  const { loading, progress } = state.snapshot.value;
  return <ProgressBar name={state.strings.loading} isLoading={loading !== undefined} progress={progress} />;
}
