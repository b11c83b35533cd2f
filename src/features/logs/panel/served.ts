import * as vscode from 'vscode';
import type { QueryForm } from '../../../core/index.ts';
import { runCommand } from '../../../host/commands/commands.ts';
import type { ServedMethods } from '../../../messaging/contract.ts';
import type { FormHelp } from '../form/formHelp.ts';
import type { Arrangement } from '../protocol/arrangement.ts';
import type { ChartQuestion, WireChart } from '../protocol/chart.ts';
import type { SettledForm } from '../protocol/formHelp.ts';
import { hostParams, type LogPlace, type LogsHost, type Opening } from '../protocol/protocol.ts';
import type { LogResults } from '../results/logResults.ts';
import type { ShownRows } from './shownRows.ts';

/** What the methods act on. */
interface ServedParts {
  /** Begins the query, or says which fields keep it from it. */
  readonly run: (form: QueryForm) => SettledForm;
  readonly folded: (isFolded: boolean) => void;
  readonly help: FormHelp;
  readonly arrange: (wanted: Arrangement) => void;
  readonly chart: (
    question: ChartQuestion,
    options: { readonly signal: AbortSignal },
  ) => Promise<WireChart | undefined>;
  readonly exportLogs: () => void;
  readonly secondOpinion: () => void;
  readonly follow: () => void;
  readonly notify: () => void;
  readonly copyQueryAs: () => void;
  /** Goes on with what has failed. */
  readonly tryAgain: () => void;
  readonly results: LogResults;
  readonly shown: ShownRows;
  readonly opening: () => Opening;
  readonly remedy: (title: string) => void;
  readonly openDeclaration: (place: LogPlace) => unknown;
  readonly showTransaction: (place: LogPlace) => unknown;
  /** Moves the panel over to the active network, if that is of the chain; says whether it is. */
  readonly moveNetwork: (chainId?: number) => boolean;
}

/** What a log panel's view may call. */
export function logsMethods(parts: ServedParts): ServedMethods<LogsHost> {
  const { results, shown, help } = parts;
  return {
    open: { params: hostParams.open, handle: parts.opening },
    run: { params: hostParams.run, handle: parts.run },
    folded: { params: hostParams.folded, handle: parts.folded },
    settle: { params: hostParams.settle, handle: (form) => help.settle(form) },
    factsOf: { params: hostParams.factsOf, handle: (form) => help.factsOf(form) },
    completeEvents: {
      params: hostParams.completeEvents,
      handle: (typed, options) => help.completeEvents(typed, options),
    },
    completeAddresses: {
      params: hostParams.completeAddresses,
      handle: (typed) => help.completeAddresses(typed),
    },
    switchToChain: {
      params: hostParams.switchToChain,
      handle: async (chainId) => {
        await runCommand('chainside.switchToChain', chainId);
        return parts.moveNetwork(chainId);
      },
    },
    moveNetwork: { params: hostParams.moveNetwork, handle: () => void parts.moveNetwork() },
    nextPage: { params: hostParams.nextPage, handle: () => void results.nextPage() },
    loadAll: { params: hostParams.loadAll, handle: () => void results.loadAll() },
    tryAgain: { params: hostParams.tryAgain, handle: parts.tryAgain },
    dismissQuestion: { params: hostParams.dismissQuestion, handle: () => results.dismissQuestion() },
    exportLogs: { params: hostParams.exportLogs, handle: parts.exportLogs },
    secondOpinion: { params: hostParams.secondOpinion, handle: parts.secondOpinion },
    follow: { params: hostParams.follow, handle: parts.follow },
    notify: { params: hostParams.notify, handle: parts.notify },
    copyQueryAs: { params: hostParams.copyQueryAs, handle: parts.copyQueryAs },
    cancel: { params: hostParams.cancel, handle: () => results.cancel() },
    skipWait: { params: hostParams.skipWait, handle: () => results.skipWait() },
    arrange: { params: hostParams.arrange, handle: parts.arrange },
    chart: { params: hostParams.chart, handle: parts.chart },
    remedy: { params: hostParams.remedy, handle: parts.remedy },
    rows: { params: hostParams.rows, handle: (window) => shown.window(window) },
    inView: { params: hostParams.inView, handle: (window) => shown.inView(window) },
    log: { params: hostParams.log, handle: (place) => shown.log(place) },
    rowOf: { params: hostParams.rowOf, handle: (place) => shown.rowOf(place) },
    copyCell: { params: hostParams.copyCell, handle: (place) => shown.copyCell(place) },
    copyRows: { params: hostParams.copyRows, handle: (rows) => shown.copyRows(rows) },
    copyText: { params: hostParams.copyText, handle: (text) => vscode.env.clipboard.writeText(text) },
    copyLogAs: { params: hostParams.copyLogAs, handle: (place) => void shown.copyRowsAs(place) },
    openInExplorer: { params: hostParams.openInExplorer, handle: (place) => shown.openInExplorer(place) },
    openDeclaration: {
      params: hostParams.openDeclaration,
      handle: (place) => void parts.openDeclaration(place),
    },
    showTransaction: {
      params: hostParams.showTransaction,
      handle: (place) => void parts.showTransaction(place),
    },
    filterTerm: { params: hostParams.filterTerm, handle: (place) => shown.filterTerm(place) },
  };
}
