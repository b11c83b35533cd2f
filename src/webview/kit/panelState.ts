import { type Signal, signal } from '@preact/signals';
import type { Channel } from '../../messaging/channel.ts';
import type { Params, Result } from '../../messaging/contract.ts';
import { fill } from '../../messaging/fill.ts';
import { RemoteError } from '../../messaging/remoteError.ts';

/** What the state of every panel has, besides what is its own. */
export interface PanelState<Host, Snapshot, Strings> {
  readonly strings: Strings;
  readonly host: Channel<Host>;
  /** What the host told last. */
  readonly snapshot: Signal<Snapshot>;
  /** The reasons of the status are open. */
  readonly reasonsOpen: Signal<boolean>;
  /** Set when the extension failed to do what was asked. */
  readonly hostFailure: Signal<string | undefined>;
}

export function createPanelState<Host, Snapshot, Strings>(
  host: Channel<Host>,
  opening: { readonly strings: Strings; readonly snapshot: Snapshot },
): PanelState<Host, Snapshot, Strings> {
  return {
    ...{ strings: opening.strings, host, snapshot: signal(opening.snapshot) },
    ...{ reasonsOpen: signal(false), hostFailure: signal(undefined) },
  };
}

/** What a question to the host takes: whom to ask, and where and in which words a failure is shown. */
interface Asking<Host> {
  readonly host: Channel<Host>;
  readonly strings: { readonly hostFailed: string };
  readonly hostFailure: Signal<string | undefined>;
}

/** The host's answer; undefined if the request was aborted or failed, which the page then says. */
export async function asked<Host, M extends keyof Host & string>(
  { host, strings, hostFailure }: Asking<Host>,
  method: M,
  params: Params<Host[M]>,
): Promise<Result<Host[M]> | undefined> {
  try {
    return await host.request(method, params);
  } catch (error) {
    if (error instanceof RemoteError && error.code === 'aborted') return undefined;
    hostFailure.value = fill(strings.hostFailed, error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
