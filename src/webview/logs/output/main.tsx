import { render } from 'preact';
import type { ShownAnswer } from '../../../features/logs/protocol/logsSnapshot.ts';
import { answerMessage, answerOutput } from '../../../features/logs/protocol/notebook.ts';
import { type LogsAction, type LogsHost, logsActions } from '../../../features/logs/protocol/protocol.ts';
import { type Channel, openChannel } from '../../../messaging/channel.ts';
import type { PanelView } from '../../../messaging/panel.ts';
import { servePanelView } from '../../../messaging/panelView.ts';
import { showAnswer } from '../snapshots.ts';
import { createLogsState, type LogsState } from '../state.ts';
import { AnswerPage } from './answerPage.tsx';
import { style } from './output.css';
import { drawnIn, focusIn, type OutputPlace } from './place.ts';

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
interface DrawnAnswer {
  readonly answer: string;
  readonly channel: Channel<LogsHost>;
  readonly place: OutputPlace;
}

type View = PanelView<ShownAnswer, LogsAction>;

/** Draws the answers of cells in the outputs of a notebook. Rows stay with the extension, as those of a log panel do. */
export function activate({ postMessage, onDidReceiveMessage }: RendererContext) {
  const drawn = new Map<string, DrawnAnswer>();
  onDidReceiveMessage?.((data) => {
    const { output, message } = answerMessage.safeParse(data).data ?? {};
    for (const { answer, channel } of drawn.values()) if (answer === output) channel.receive(message);
  });

  function draw(item: OutputItem, element: HTMLElement): void {
    const output = answerOutput.safeParse(item.json()).data;
    const known = drawn.get(item.id);
    // More is known of the same answer: its view has been told.
    if (!output || (known?.answer === output.answer && known.place.isIn(element))) return;
    erase(item.id);
    const { answer, gone } = output;
    const place = drawnIn(element, style);
    let state: LogsState | undefined;
    let early: ShownAnswer | undefined;
    const channel = openChannel<View, LogsHost>({
      post: (message) => postMessage?.({ output: answer, message }),
      methods: servePanelView<ShownAnswer, LogsAction>({
        actions: logsActions,
        show: (shown) => {
          if (state) showAnswer(state, withoutChart(shown), focusIn(place.root));
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
        if (early) showAnswer(state, withoutChart(early), 'elsewhere');
        render(<AnswerPage state={state} />, place.page);
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
function withoutChart<Snapshot extends Pick<ShownAnswer, 'chart'>>(snapshot: Snapshot): Snapshot {
  return { ...snapshot, chart: undefined };
}
