import './logs.css';
import type { ShownAnswer } from '../../features/logs/protocol/logsSnapshot.ts';
import { type LogsAction, type LogsHost, logsActions } from '../../features/logs/protocol/protocol.ts';
import { type ViewState, viewStateSchema } from '../../features/logs/protocol/viewState.ts';
import { ProgressBar } from '../kit/progressBar.tsx';
import { startPanel } from '../kit/startPanel.tsx';
import { filterByCell } from './arranging.ts';
import { LimitBanner, Problems } from './banners.tsx';
import { Details } from './details.tsx';
import { FilterBar } from './filterBar.tsx';
import { followFacts } from './formFacts.ts';
import { LogsGrid } from './grid.tsx';
import { QueryForm, runForm } from './queryForm.tsx';
import { enterRows, reopenDetails, showAnswer } from './snapshots.ts';
import { createLogsState, type LogsState, viewState } from './state.ts';
import { StatusBar } from './statusBar.tsx';

startPanel<LogsHost, LogsState, ShownAnswer, LogsAction, ViewState>({
  kept: viewStateSchema,
  actions: logsActions,
  createState(host, opening, kept) {
    const state = createLogsState(host, opening, kept);
    followFacts(state);
    if (kept?.answer === opening.snapshot.answer) void reopenDetails(state, kept.detailed);
    return state;
  },
  show: showAnswer,
  enter: enterRows,
  act: (state, action) => void (action === 'run' ? runForm(state) : filterByCell(state)),
  keep: viewState,
  Page: LogsPage,
});

function LogsPage({ state }: { readonly state: LogsState }) {
  const { strings } = state;
  return (
    <main class="page">
      <h1 class="unseen">{strings.query}</h1>
      <QueryForm state={state} />
      <Problems state={state} />
      <LimitBanner state={state} />
      <StatusBar state={state} />
      <FilterBar state={state} />
      <LoadingBar state={state} />
      <LogsGrid state={state} />
      <Details state={state} />
    </main>
  );
}

function LoadingBar({ state }: { readonly state: LogsState }) {
  const { loading, progress } = state.snapshot.value;
  return <ProgressBar name={state.strings.loading} isLoading={loading !== undefined} progress={progress} />;
}
