import './logs.css';
import {
  type LogsAction,
  type LogsHost,
  type LogsViewState,
  logsActions,
  logsViewStateSchema,
} from '../../features/logs/protocol/protocol.ts';
import type { ShownResult } from '../../features/logs/protocol/snapshot.ts';
import { startPanel } from '../kit/panelPage.tsx';
import { ProgressBar } from '../kit/panelParts.tsx';
import { callHost, trackViewWidth } from '../kit/panelState.ts';
import { applySnapshot, focusRows, reopenDetails } from './applySnapshot.ts';
import { ErrorBanners, LimitBanner, NetworkNote } from './banners.tsx';
import { syncFormFacts } from './formHelp.ts';
import { areGroupsShown } from './groupsActions.ts';
import { GroupBar, GroupsGrid } from './groupsGrid.tsx';
import { LogDetails } from './logDetails.tsx';
import { filterByCell, filterByTransaction, focusNewForm, reportFormFolded } from './logsActions.ts';
import { LogsChart, syncChartWithRows } from './logsChart.tsx';
import { LogsGrid } from './logsGrid.tsx';
import { createLogsState, getViewState, type LogsState } from './logsState.ts';
import { QueryForm, runForm } from './queryForm.tsx';
import { QueryLine } from './queryLine.tsx';
import { StatusBar } from './statusBar.tsx';

const actions: Readonly<Record<LogsAction, (state: LogsState) => unknown>> = {
  run: runForm,
  filterByCell,
  filterByTransaction,
};

startPanel<LogsHost, LogsState, ShownResult, LogsAction, LogsViewState>({
  savedStateSchema: logsViewStateSchema,
  actions: logsActions,
  createState(host, opening, saved) {
    const state = createLogsState(host, opening, { saved, width: trackViewWidth() });
    syncFormFacts(state);
    syncChartWithRows(state);
    reportFormFolded(state);
    if (saved?.answer === opening.snapshot.resultId) void reopenDetails(state, saved.detailed);
    return state;
  },
  show: applySnapshot,
  enter(state, focus) {
    focusRows(state, focus);
    focusNewForm(state, focus);
  },
  act: (state, action) => void actions[action](state),
  getStateToSave: getViewState,
  Page: LogsPage,
});

function LogsPage({ state }: { readonly state: LogsState }) {
  const { strings } = state;
  return (
    <main class="page">
      <h1 class="unseen">{strings.query}</h1>
      {state.formOpen.value && <QueryForm state={state} />}
      <QueryLine state={state} />
      <ErrorBanners state={state} />
      <LimitBanner state={state} />
      <NetworkNote
        network={state.snapshot.value.network}
        onMove={() => void callHost(state, 'moveNetwork')}
      />
      <StatusBar state={state} />
      <LoadingBar state={state} />
      <GroupBar state={state} />
      {areGroupsShown(state) ? (
        <div class="body">
          <GroupsGrid state={state} />
        </div>
      ) : (
        <>
          <LogsChart state={state} />
          <div class="body">
            <LogsGrid state={state} />
            <LogDetails state={state} />
          </div>
        </>
      )}
    </main>
  );
}

function LoadingBar({ state }: { readonly state: LogsState }) {
  const { loading, progress } = state.snapshot.value;
  return <ProgressBar name={state.strings.loading} isLoading={loading !== undefined} progress={progress} />;
}
