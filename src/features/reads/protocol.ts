import * as z from 'zod/mini';
import type { Localizer } from '../../host/l10n.ts';
import { type MethodsOf, request } from '../../messaging/channel.ts';
import { buttonTitle, type PanelError, type Suggestion } from '../../messaging/panel.ts';

/** A value, or a list of values with their names: the members of a struct, the items of a list. */
export interface WireValue {
  /** Empty if it has none. */
  readonly name: string;
  readonly type: string;
  /** On one line. */
  readonly text: string;
  /** What *Copy* copies: the exact value, where `text` is a name or grouped. */
  readonly exact: string;
  readonly parts?: readonly WireValue[];
}

/** What a function returned in one block. */
export type WireRead =
  | { readonly state: 'returned'; readonly values: readonly WireValue[]; readonly note: string | undefined }
  | {
      readonly state: 'failed';
      readonly message: string;
      /** The index of the argument that is wrong, if one is. */
      readonly input: number | undefined;
    };

export interface WireInput {
  /** Empty if it has none. */
  readonly name: string;
  readonly type: string;
  /** An example of what to write. */
  readonly example: string;
  /** The members of an enum; empty otherwise. */
  readonly members: readonly Suggestion[];
  /** What a list is of; undefined otherwise. */
  readonly item: WireInput | undefined;
  /** The members of a struct; empty otherwise. */
  readonly fields: readonly WireInput[];
}

export interface WireView {
  /** The selector, which is unique in a panel. */
  readonly id: string;
  readonly name: string;
  readonly signature: string;
  readonly returns: string;
  readonly inputs: readonly WireInput[];
  readonly isLoading: boolean;
  /** Undefined before it is read. */
  readonly read: WireRead | undefined;
  /** In the block that is compared with. */
  readonly compared: WireRead | undefined;
  readonly differs: boolean;
}

/** The whole state of the view but what is typed. */
export interface ReadsSnapshot {
  readonly heading: string;
  readonly address: string;
  /** Whose ABI it is, and what else is to know of it. */
  readonly notes: readonly string[];
  /** The block that was read, such as `417`; undefined before. */
  readonly block: string | undefined;
  /** The block that is compared with; undefined if none is. */
  readonly compared: string | undefined;
  readonly isLoading: boolean;
  readonly status: string;
  readonly error: PanelError | undefined;
  /** Why a field of the bar is wrong. */
  readonly invalid: { readonly field: keyof ReadsForm | 'function'; readonly message: string } | undefined;
  readonly views: readonly WireView[];
  /** Increases when names of addresses may have changed. */
  readonly namesVersion: number;
}

export interface ReadsOpening {
  readonly strings: ReadsStrings;
  readonly snapshot: ReadsSnapshot;
}

const MAX_TYPED_CHARS = 100_000;
const blockText = z.string().check(z.maxLength(100));
const senderText = z.string().check(z.maxLength(200));
const typedText = z.string().check(z.maxLength(MAX_TYPED_CHARS));
export const viewId = z.string().check(z.regex(/^0x[0-9a-f]{8}$/));
const typedCall = z.object({ id: viewId, args: z.array(typedText).check(z.maxLength(64)) });

const readsForm = z.object({ block: blockText, compare: blockText, from: z._default(senderText, '') });

/** What is typed above the functions; `from` is the sender of the calls, an address or a name, or empty. */
export type ReadsForm = Readonly<z.infer<typeof readsForm>>;

/** A function, and arguments for it, if there are any. */
export type TypedCall = Readonly<z.infer<typeof typedCall>>;

/** `from` is the sender to read it as, or empty; undefined for that of the form. */
export interface ShownCall extends TypedCall {
  readonly from: string | undefined;
}

/** Requests of the view to the host. A webview is untrusted: every parameter is validated. */
export const readsRequests = {
  open: request<ReadsOpening>(),
  /** The function to show, once: undefined if there is none, or a page has shown it. */
  takeTarget: request<ShownCall | undefined>(),
  /** Reads all functions without arguments, those with arguments that were read before, and `call`. */
  read: request().with(z.object({ form: readsForm, call: z.optional(typedCall) })),
  /** Reads one function in the same blocks; all of them if the form is another one than before. */
  call: request().with(z.object({ form: readsForm, call: typedCall })),
  /** Reports what is typed for a function. */
  typed: request().with(typedCall),
  /** Suggests addresses for a part of a name, or for first digits. */
  completeAddresses: request<readonly Suggestion[]>().with(typedText),
  /** Watches what a function returned for the arguments that it was last read with. */
  watch: request().with(viewId),
  /** Adds a function that the ABI does not have. */
  declare: request().with(typedText),
  /** Copies the last read of a function for another tool, which the user chooses. */
  copyAs: request().with(viewId),
  cancel: request(),
  remedy: request().with(buttonTitle),
  copyText: request().with(typedText),
};

export type ReadsHost = MethodsOf<typeof readsRequests>;

/** Actions that commands trigger in the view. */
export const readsActions = ['showTarget'] as const;
export type ReadsAction = (typeof readsActions)[number];

/** All texts of the webview that are not in a snapshot. */
export function createReadsStrings(l10n: Localizer) {
  return {
    block: l10n.t('Block'),
    blockHint: l10n.t('latest, a number, latest-1000, finalized, or a time such as -7d'),
    compare: l10n.t('Compare with Block'),
    compareHint: l10n.t('Another block, or empty'),
    from: l10n.t('Sender'),
    fromHint: l10n.t('Address, name or empty'),
    read: l10n.t('Read'),
    cancel: l10n.t('Cancel'),
    tryAgain: l10n.t('Retry'),
    filter: l10n.t('Filter Functions'),
    filterHint: l10n.t('Part of a name or value'),
    state: l10n.t('State'),
    functions: l10n.t('Functions'),
    name: l10n.t('Name'),
    value: l10n.t('Value'),
    type: l10n.t('Type'),
    copy: l10n.t('Copy'),
    suggestions: l10n.t('Suggestions'),
    suggestionCount: l10n.t('Suggestions: {0}. Use the up and down arrows.'),
    watch: l10n.t('Watch'),
    watchHint: l10n.t('Watch in the Addresses view'),
    copyAs: l10n.t('Copy As…'),
    nothing: l10n.t('returned nothing'),
    differs: l10n.t('differs'),
    declare: l10n.t('Other Function'),
    declareHint: l10n.t('balanceOf(address) view returns (uint256)'),
    add: l10n.t('Add'),
    loading: l10n.t('Loading'),
    noMatch: l10n.t('No function matches the filter.'),
    hostFailed: l10n.t('The extension did not respond: {0}'),
  } as const;
}

export type ReadsStrings = ReturnType<typeof createReadsStrings>;

/** The view state that survives hiding and reloading. No values: the host has those. */
export const readsViewStateSchema = z.object({
  address: z.string(),
  ...readsForm.shape,
  filter: z.string().check(z.maxLength(1000)),
  /** What is typed, by function. */
  args: z.record(z.string(), z.array(typedText)),
  /** Functions that were declared. */
  declared: z.array(typedText),
});

export type ReadsViewState = Readonly<z.infer<typeof readsViewStateSchema>>;
