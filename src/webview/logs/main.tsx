import './logs.css';
import { render } from 'preact';
import * as z from 'zod/mini';
import {
  type LogsHost,
  type LogsView,
  type ShownAnswer,
  viewStateSchema,
} from '../../features/logs/protocol/protocol.ts';
import { focusPlace } from '../kit/focusPlace.ts';
import { connectHost, keepAsItChanges, keptState } from '../kit/host.ts';
import { ProgressBar } from '../kit/progressBar.tsx';
import { LimitBanner, Problems } from './banners.tsx';
import { Details } from './details.tsx';
import { FilterBar } from './filterBar.tsx';
import { LogsGrid } from './grid.tsx';
import { QueryForm } from './queryForm.tsx';
import { takeSnapshot } from './snapshots.ts';
import { createLogsState, type LogsState, viewState } from './state.ts';
import { StatusBar } from './statusBar.tsx';

// The page's content policy forbids building functions from text.
z.config({ jitless: true });

async function start(root: HTMLElement): Promise<void> {
  let state: LogsState | undefined;
  let early: ShownAnswer | undefined;
  const host = connectHost<LogsView, LogsHost>({
    show: {
      params: z.custom<ShownAnswer>(),
      handle: (snapshot) => {
        if (state) takeSnapshot(state, snapshot, focusPlace());
        else early = snapshot;
      },
    },
  });
  const opening = await host.request('open', undefined);
  const kept = viewStateSchema.safeParse(keptState());
  const shown = createLogsState(host, opening, kept.success ? kept.data : undefined);
  state = shown;
  if (early) takeSnapshot(shown, early, focusPlace());
  keepAsItChanges(() => viewState(shown));
  render(<LogsPage state={shown} />, root);
}

function LogsPage({ state }: { readonly state: LogsState }) {
  return (
    <main class="page">
      <h1 class="unseen">{state.strings.query}</h1>
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

const page = document.getElementById('root');
if (page) start(page).catch((error: unknown) => page.replaceChildren(String(error)));
