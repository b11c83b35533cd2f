import { type ReadonlySignal, signal, useComputed } from '@preact/signals';
import { render } from 'preact';
import {
  type LogsAction,
  type LogsHost,
  logsActions,
  resultMessageSchema,
  resultOutputSchema,
} from '../../features/logs/protocol/protocol.ts';
import type { ShownResult } from '../../features/logs/protocol/snapshot.ts';
import { type Channel, openChannel } from '../../messaging/channel.ts';
import { type PanelView, servePanelView } from '../../messaging/panel.ts';
import { ROW_HEIGHT_PX } from '../kit/grid/gridScroll.ts';
import { countRows } from '../kit/grid/gridState.ts';
import { ProgressBar } from '../kit/panelParts.tsx';
import type { FocusPlace } from '../kit/panelState.ts';
import { applySnapshot } from './applySnapshot.ts';
import { ErrorBanners, LimitBanner } from './banners.tsx';
import { areGroupsShown, copyGroups } from './groupsActions.ts';
import { GroupBar, GroupsGrid } from './groupsGrid.tsx';
import { LogDetails } from './logDetails.tsx';
import { copyRows, runQuery } from './logsActions.ts';
import { LogsGrid } from './logsGrid.tsx';
import { createLogsState, type LogsState } from './logsState.ts';
import { style } from './output.css';
import { StatusBar } from './statusBar.tsx';

/**
 * Renders the results of cells in the outputs of a notebook. The rows stay in the extension, as those of a log
 * panel do.
 */
export function activate({ postMessage, onDidReceiveMessage }: RendererContext) {
  const rendered = new Map<string, RenderedResult>();
  onDidReceiveMessage?.((data) => {
    const { output, message } = resultMessageSchema.safeParse(data).data ?? {};
    for (const { resultId, channel } of rendered.values()) if (resultId === output) channel.receive(message);
  });

  function renderItem(item: OutputItem, element: HTMLElement): void {
    const output = resultOutputSchema.safeParse(item.json()).data;
    const existing = rendered.get(item.id);
    // An update of the same result: its view gets snapshots by the channel.
    if (!output || (existing?.resultId === output.resultId && existing.place.isIn(element))) return;
    erase(item.id);
    const { resultId, gone } = output;
    const place = createOutputRoot(element, style);
    let state: LogsState | undefined;
    let earlyShown: ShownResult | undefined;
    const channel = openChannel<NotebookView, LogsHost>({
      post: (message) => postMessage?.({ output: resultId, message }),
      methods: servePanelView<ShownResult, LogsAction>({
        actions: logsActions,
        show: (shown) => {
          if (state) applySnapshot(state, withoutChart(shown), getFocusPlaceIn(place.root));
          else earlyShown = shown;
        },
        // Commands act on the active panel, and an output is none.
        act: () => undefined,
      }),
      toWireError: (error) => ({ code: 'view', message: String(error) }),
    });
    rendered.set(item.id, { resultId, channel, place });
    // Shown until the extension responds, and if it no longer has the rows.
    place.root.append(place.page);
    place.page.textContent = gone;
    channel.request('open', undefined).then(
      (opening) => {
        place.page.textContent = '';
        state = createLogsState(
          channel,
          { ...opening, snapshot: withoutChart(opening.snapshot) },
          { saved: undefined, width: place.width },
        );
        state.formOpen.value = false;
        if (earlyShown) applySnapshot(state, withoutChart(earlyShown), 'elsewhere');
        render(<ResultPage state={state} />, place.page);
      },
      () => undefined,
    );
  }

  function erase(id: string): void {
    const { channel, place } = rendered.get(id) ?? {};
    rendered.delete(id);
    channel?.dispose();
    if (!place) return;
    render(null, place.page);
    place.dispose();
  }

  return {
    renderOutputItem: renderItem,
    disposeOutputItem(id?: string): void {
      for (const each of id === undefined ? [...rendered.keys()] : [id]) erase(each);
    },
  };
}

/** The parts of VS Code's renderer API that are used here. */
interface RendererContext {
  readonly postMessage?: (message: unknown) => void;
  readonly onDidReceiveMessage?: (listener: (message: unknown) => void) => unknown;
}

interface OutputItem {
  readonly id: string;
  json(): unknown;
}

/** A result that is drawn. */
interface RenderedResult {
  readonly resultId: string;
  readonly channel: Channel<LogsHost>;
  readonly place: OutputRoot;
}

type NotebookView = PanelView<ShownResult, LogsAction>;

/** The space below a cell is for the rows; *Open in Panel* shows the chart. */
function withoutChart<Snapshot extends Pick<ShownResult, 'chart'>>(snapshot: Snapshot): Snapshot {
  return { ...snapshot, chart: undefined };
}

/** The result in the output of a cell: what a log panel shows below its query. */
function ResultPage({ state }: { readonly state: LogsState }) {
  const { strings, rowCount } = state;
  const isDetailed = useComputed(() => state.details.value?.log !== undefined).value;
  const { loading, progress, loaded, empty } = state.snapshot.value;
  const isGrouped = areGroupsShown(state);
  const count = isGrouped ? state.groups.rowCount.value : rowCount.value;
  const rows = isDetailed ? MAX_VISIBLE_ROWS : Math.min(MAX_VISIBLE_ROWS, Math.max(2, count));
  return (
    // No landmark: a notebook has many results.
    <div class="page" role="group" aria-label={strings.query}>
      <ErrorBanners state={state} />
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
      <GroupBar state={state} />
      {(loaded > 0 || empty) && (
        <div
          class="body"
          style={empty ? undefined : { height: `${rows * ROW_HEIGHT_PX + GRID_CHROME_PX}px` }}
        >
          {isGrouped ? (
            <GroupsGrid state={state} />
          ) : (
            <>
              <LogsGrid state={state} />
              <LogDetails state={state} />
            </>
          )}
        </div>
      )}
    </div>
  );
}

/** More rows scroll. */
const MAX_VISIBLE_ROWS = 12;

/** The header and the horizontal scroll bar. */
const GRID_CHROME_PX = 24 + 16;

/** Copies the selected rows or groups; all of them if only one is selected. */
function copyMarkdown(state: LogsState): void {
  const isGrouped = areGroupsShown(state);
  const { selection, rowCount } = isGrouped ? state.groups : state;
  const selected = selection.value?.ranges ?? [];
  const ranges = countRows(selected) > 1 ? selected : [{ start: 0, end: rowCount.value }];
  if (isGrouped) copyGroups(state, ranges, 'markdown');
  else copyRows(state, ranges, 'markdown');
}

/** The extension runs this query in a panel. */
function openInPanel(state: LogsState): void {
  const { executed } = state.snapshot.value;
  if (executed) state.form.value = executed.form;
  void runQuery(state);
}

/** The shadow tree of an output, so that its styles and IDs do not collide with those of other outputs. */
interface OutputRoot {
  readonly root: ShadowRoot;
  readonly page: HTMLElement;
  readonly width: ReadonlySignal<number>;
  isIn(element: HTMLElement): boolean;
  dispose(): void;
}

function createOutputRoot(element: HTMLElement, style: string): OutputRoot {
  const host = document.createElement('div');
  element.replaceChildren(host);
  const root = host.attachShadow({ mode: 'open' });
  const sheet = document.createElement('style');
  sheet.textContent = style;
  root.append(sheet);
  const page = document.createElement('div');
  const width = signal(element.clientWidth);
  const observer = new ResizeObserver(() => {
    width.value = host.clientWidth;
  });
  observer.observe(host);
  host.addEventListener('wheel', captureWheel, { passive: true });
  host.addEventListener('keydown', captureKey);
  return {
    root,
    page,
    width,
    isIn: (other) => other.contains(host),
    dispose() {
      observer.disconnect();
      host.remove();
    },
  };
}

/** Rendering an output never moves the focus to it. */
function getFocusPlaceIn({ activeElement }: ShadowRoot): FocusPlace {
  return activeElement?.closest('[role="grid"]') ? 'grid' : 'elsewhere';
}

/**
 * Scrolls elements of the shadow tree first: the notebook scrolls by the wheel too, and does not see into the
 * tree.
 */
function captureWheel(event: WheelEvent): void {
  for (const node of event.composedPath()) {
    if (node === event.currentTarget) return;
    if (!(node instanceof Element) || node.scrollHeight <= node.clientHeight) continue;
    const isAtTop = node.scrollTop <= 0;
    const isAtEnd = node.scrollTop + node.clientHeight >= node.scrollHeight - 1;
    if ((event.deltaY < 0 && !isAtTop) || (event.deltaY > 0 && !isAtEnd)) {
      event.stopPropagation();
      return;
    }
  }
}

/** Stops keys without modifiers, as they are commands of the notebook. */
function captureKey(event: KeyboardEvent): void {
  const isCombined = event.ctrlKey || event.metaKey || event.altKey;
  if (!isCombined && !/^(?:Escape|Tab|F\d+)$/.test(event.key)) event.stopPropagation();
}
