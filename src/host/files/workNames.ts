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
