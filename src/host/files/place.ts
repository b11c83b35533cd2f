/**
 * Why nothing is written at a place. `appeared` and `changed` are what another program did while the file was made;
 * `full`: so much was written that other programs would be left without room.
 */
export type RefusalReason =
  | 'folder'
  | 'special'
  | 'links'
  | 'protected'
  | 'name'
  | 'same'
  | 'appeared'
  | 'changed'
  | 'full';

/** A place where no file can be written without harm to what is there. */
export class PlaceRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, options?: ErrorOptions) {
    super(`The place is refused: ${reason}`, options);
    this.name = 'PlaceRefused';
    this.reason = reason;
  }
}

/** A file in the making, under a name of its own until it is put in its place. */
export interface Draft {
  append(chunk: Uint8Array): Promise<void>;
  /** All that was appended is in the unfinished file, which is as the one in its place will be. */
  finish(): Promise<void>;
  /** Gives the file its place. What was there before is kept until `settle` or `undo`. */
  replace(): Promise<void>;
  /** Puts back what was in its place before. Does nothing if nothing was replaced. */
  undo(): Promise<void>;
  /** Drops what was in its place before. */
  settle(): Promise<void>;
  /** Removes what is unfinished. Never throws. */
  discard(): Promise<void>;
}

/** Names that an unfinished export takes beside its place; short, so that no place is refused for the length of these. */
export interface WorkNames {
  /** The file in the making. */
  readonly part: string;
  /** What was in its place, until the export is whole. */
  readonly old: string;
}

export function workNames(): WorkNames {
  const id = crypto.randomUUID().slice(0, 8);
  return { part: `.chainside-${id}.part`, old: `.chainside-${id}.old` };
}

const WORK_NAME = /^\.chainside-[0-9a-f]{8}\.(?:part|old)$/;

/** Whether the last segment of `path` is a name that an export gives to what is unfinished. */
export function isWorkPath(path: string): boolean {
  return WORK_NAME.test(path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1));
}

const WINDOWS_FORBIDDEN = /[<>:"|?*\p{Cc}]|[. ]$/u;
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;

/**
 * Whether Windows takes `name` for something other than a file of that name: a device, a stream of another file, the
 * name without its last dot.
 */
export function isRefusedByWindows(name: string): boolean {
  return WINDOWS_FORBIDDEN.test(name) || WINDOWS_DEVICE.test(name);
}
