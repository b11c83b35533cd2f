import './logs.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import * as z from 'zod/mini';
import {
  type LogsHost,
  type LogsSnapshot,
  type LogsView,
  viewStateSchema,
} from '../../features/logs/protocol.ts';
import { connectHost, keepState, keptState } from '../kit/host.ts';
import { LimitBanner, ProblemBanner } from './banners.tsx';
import { Details } from './details.tsx';
import { FilterBar } from './filterBar.tsx';
import { LogsGrid } from './grid.tsx';
import { ProgressBar } from './progressBar.tsx';
import { QueryForm } from './queryForm.tsx';
import { type FocusPlace, takeSnapshot } from './snapshots.ts';
import { createLogsState, type LogsState, viewState } from './state.ts';
import { StatusBar } from './statusBar.tsx';

// The page's content policy forbids building functions from text.
z.config({ jitless: true });

async function start(root: HTMLElement): Promise<void> {
  let state: LogsState | undefined;
  let early: LogsSnapshot | undefined;
  const host = connectHost<LogsView, LogsHost>({
    show: {
      params: z.custom<LogsSnapshot>(),
      handle: (snapshot) => {
        if (state) takeSnapshot(state, snapshot, focusPlace());
        else early = snapshot;
      },
    },
  });
  const opening = await host.request('open', undefined);
  const kept = viewStateSchema.safeParse(keptState());
  state = createLogsState(host, opening, kept.success ? kept.data : undefined);
  if (early) takeSnapshot(state, early, focusPlace());
  keepAsItChanges(state);
  render(<LogsPage state={state} />, root);
}

function LogsPage({ state }: { readonly state: LogsState }) {
  return (
    <main class="page">
      <h1>{state.strings.query}</h1>
      <QueryForm state={state} />
      <ProblemBanner state={state} />
      <LimitBanner state={state} />
      <StatusBar state={state} />
      <FilterBar state={state} />
      <ProgressBar state={state} />
      <LogsGrid state={state} />
      <Details state={state} />
    </main>
  );
}

function focusPlace(): FocusPlace {
  const { activeElement } = document;
  if (activeElement?.closest('[role="grid"]')) return 'grid';
  const isField = activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
  return isField ? 'field' : 'elsewhere';
}

function keepAsItChanges(state: LogsState): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const kept = viewState(state);
    clearTimeout(waiting);
    waiting = setTimeout(() => keepState(kept), 100);
  });
}

const page = document.getElementById('root');
if (page) start(page).catch((error: unknown) => page.replaceChildren(String(error)));
