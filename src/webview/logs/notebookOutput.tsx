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
import { LogDetails } from './logDetails.tsx';
import { copyRows, runQuery } from './logsActions.ts';
import { LogsGrid } from './logsGrid.tsx';
import { createLogsState, type LogsState } from './logsState.ts';
import { style } from './output.css';
import { StatusBar } from './statusBar.tsx';

/** What the editor hands to a renderer, as far as it is used. */
interface RendererContext {
  readonly postMessage?: (message: unknown) => void;
  readonly onDidReceiveMessage?: (listener: (message: unknown) => void) => unknown;
}
interface OutputItem {
  readonly id: string;
  json(): unknown;
}

/** An answer that is drawn. */
interface RenderedResult {
  readonly answer: string;
  readonly channel: Channel<LogsHost>;
  readonly place: OutputRoot;
}

type NotebookView = PanelView<ShownResult, LogsAction>;

/** Draws the answers of cells in the outputs of a notebook. Rows stay with the extension, as those of a log panel do. */
export function activate({ postMessage, onDidReceiveMessage }: RendererContext) {
  const drawn = new Map<string, RenderedResult>();
  onDidReceiveMessage?.((data) => {
    const { output, message } = resultMessageSchema.safeParse(data).data ?? {};
    for (const { answer, channel } of drawn.values()) if (answer === output) channel.receive(message);
  });

  function draw(item: OutputItem, element: HTMLElement): void {
    const output = resultOutputSchema.safeParse(item.json()).data;
    const known = drawn.get(item.id);
    // More is known of the same answer: its view has been told.
    if (!output || (known?.answer === output.answer && known.place.isIn(element))) return;
    erase(item.id);
    const { answer, gone } = output;
    const place = createOutputRoot(element, style);
    let state: LogsState | undefined;
    let early: ShownResult | undefined;
    const channel = openChannel<NotebookView, LogsHost>({
      post: (message) => postMessage?.({ output: answer, message }),
      methods: servePanelView<ShownResult, LogsAction>({
        actions: logsActions,
        show: (shown) => {
          if (state) applySnapshot(state, withoutChart(shown), getFocusPlaceIn(place.root));
          else early = shown;
        },
        // Commands of the editor act on the panel that is in front, which this is none of.
        act: () => undefined,
      }),
      toWireError: (error) => ({ code: 'view', message: String(error) }),
    });
    drawn.set(item.id, { answer, channel, place });
    // Until the extension has answered, and where it has the rows no more.
    place.root.append(place.page);
    place.page.textContent = gone;
    channel.request('open', undefined).then(
      (opening) => {
        place.page.textContent = '';
        state = createLogsState(
          channel,
          { ...opening, snapshot: withoutChart(opening.snapshot) },
          { kept: undefined, width: place.width },
        );
        state.formOpen.value = false;
        if (early) applySnapshot(state, withoutChart(early), 'elsewhere');
        render(<ResultPage state={state} />, place.page);
      },
      () => undefined,
    );
  }

  function erase(id: string): void {
    const { channel, place } = drawn.get(id) ?? {};
    drawn.delete(id);
    channel?.dispose();
    if (!place) return;
    render(null, place.page);
    place.dispose();
  }

  return {
    renderOutputItem: draw,
    disposeOutputItem(id?: string): void {
      for (const each of id === undefined ? [...drawn.keys()] : [id]) erase(each);
    },
  };
}

/** Below a cell the rows have the room; *Open in Panel* shows the chart. */
function withoutChart<Snapshot extends Pick<ShownResult, 'chart'>>(snapshot: Snapshot): Snapshot {
  return { ...snapshot, chart: undefined };
}

/** Rows that are in sight at once; more are scrolled to. */
const MAX_VISIBLE_ROWS = 12;
/** The header, and a bar to scroll with. */
const GRID_CHROME_PX = 24 + 16;

/** An answer in the output of a cell: what a log panel shows below its query. */
function ResultPage({ state }: { readonly state: LogsState }) {
  const { strings, rowCount } = state;
  const isDetailed = useComputed(() => state.details.value?.log !== undefined).value;
  const { loading, progress, loaded, empty } = state.snapshot.value;
  const rows = isDetailed ? MAX_VISIBLE_ROWS : Math.min(MAX_VISIBLE_ROWS, Math.max(2, rowCount.value));
  return (
    // No landmark: a document has many answers.
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
      {(loaded > 0 || empty) && (
        <div
          class="body"
          style={empty ? undefined : { height: `${rows * ROW_HEIGHT_PX + GRID_CHROME_PX}px` }}
        >
          <LogsGrid state={state} />
          <LogDetails state={state} />
        </div>
      )}
    </div>
  );
}

/** The rows that are selected, of one alone all that are shown. */
function copyMarkdown(state: LogsState): void {
  const ranges = state.selection.value?.ranges ?? [];
  const isSeveral = countRows(ranges) > 1;
  copyRows(state, isSeveral ? ranges : [{ start: 0, end: state.rowCount.value }], 'markdown');
}

/** The extension runs what it is given here in a panel of its own. */
function openInPanel(state: LogsState): void {
  const { executed } = state.snapshot.value;
  if (executed) state.form.value = executed.form;
  void runQuery(state);
}

/** Where an answer is drawn: a tree of its own, so that neither styles nor ids meet those of other outputs. */
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

/** Where the keyboard is: an answer in an output never takes it by itself. */
function getFocusPlaceIn({ activeElement }: ShadowRoot): FocusPlace {
  return activeElement?.closest('[role="grid"]') ? 'grid' : 'elsewhere';
}

/** The notebook scrolls by the wheel too, and does not see into this tree: what scrolls here has it first. */
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

/** Single keys are commands of the notebook: those that are typed here, or move in the grid, are not. */
function captureKey(event: KeyboardEvent): void {
  const isCombined = event.ctrlKey || event.metaKey || event.altKey;
  if (!isCombined && !/^(?:Escape|Tab|F\d+)$/.test(event.key)) event.stopPropagation();
}
