import * as vscode from 'vscode';
import {
  type Clock,
  concatBytes,
  createLogStore,
  createTimeSlices,
  digestRows,
  type LogOrder,
  type LogStore,
  readRows,
} from '../../../core/index.ts';
import { ifExists } from '../../../host/files/storage.ts';
import type { StoredRun } from '../queries/queryHistory.ts';

/** Logs of one run that are kept: as many as *Load all* loads before it asks. */
export const MAX_STORED_ROWS = 100_000;
/** Of one run, before and after they are packed. */
const MAX_TEXT_BYTES = 192 * 1024 * 1024;
const MAX_PACKED_BYTES = 32 * 1024 * 1024;

/** Those that there are when they begin to be kept. */
export type RunRows = Pick<LogStore, 'length' | 'slice'>;
type SavedRows = Pick<NonNullable<StoredRun['rows']>, 'sha256' | 'bytes'>;

/** The rows of complete runs, on disk: NDJSON, packed by gzip, a file each, named by the run. */
export interface RunRowsStore {
  /** Keeps the rows of a run; undefined where they are too many. @throws what the file system does. */
  save(runId: string, rows: RunRows, order: LogOrder): Promise<SavedRows | undefined>;
  /** The rows of a run, in the order that the store tells. @throws AppError `badLogs` where they are not those that were kept, or gone. */
  load(run: StoredRun): Promise<LogStore>;
  remove(runId: string): Promise<void>;
  /** Removes the rows of all other runs: a window that ends leaves some. */
  keepOnly(runIds: ReadonlySet<string>): Promise<void>;
}

/** @param folder may not be there yet. */
export function createRunRowsStore(folder: vscode.Uri, clock: Clock): RunRowsStore {
  const { fs } = vscode.workspace;
  const fileOf = (runId: string) => vscode.Uri.joinPath(folder, `${runId}${ENDING}`);
  const remove = async (file: vscode.Uri) => {
    await ifExists(fs.delete(file, { recursive: false, useTrash: false }));
  };
  return {
    async save(runId, rows, order) {
      if (rows.length > MAX_STORED_ROWS) return undefined;
      const packing = new CompressionStream('gzip');
      const writer = packing.writable.getWriter();
      const packed = collected(packing.readable, MAX_PACKED_BYTES);
      let text = 0;
      const digest = digestRows(rows, {
        ...{ order, clock },
        async onPiece(piece) {
          text += piece.length;
          if (text > MAX_TEXT_BYTES) throw new TooMuch();
          await writer.write(piece as Uint8Array<ArrayBuffer>);
        },
      });
      try {
        const sha256 = await digest;
        await writer.close();
        const bytes = await packed;
        await fs.createDirectory(folder);
        await fs.writeFile(fileOf(runId), bytes);
        return { sha256, bytes: bytes.length };
      } catch (error) {
        writer.abort().catch(() => undefined);
        packed.catch(() => undefined);
        if (error instanceof TooMuch) return undefined;
        throw error;
      }
    },
    async load({ id, rows }) {
      const file = fileOf(id);
      const stat = await ifExists(fs.stat(file));
      if (!stat || !rows || stat.size > MAX_PACKED_BYTES) throw new RowsGoneError();
      const bytes = await fs.readFile(file);
      const unpacked = new Blob([bytes as Uint8Array<ArrayBuffer>])
        .stream()
        .pipeThrough(new DecompressionStream('gzip'));
      const limits = { mostRows: MAX_STORED_ROWS, mostBytes: MAX_TEXT_BYTES };
      return readRows(piecesOf(unpacked), { sha256: rows.sha256, ...limits, clock });
    },
    remove: (runId) => remove(fileOf(runId)),
    async keepOnly(runIds) {
      const found = (await ifExists(fs.readDirectory(folder))) ?? [];
      for (const [name] of found) {
        const isWanted = !name.endsWith(ENDING) || runIds.has(name.slice(0, -ENDING.length));
        if (!isWanted) await remove(vscode.Uri.joinPath(folder, name));
      }
    },
  };
}

/** Rows in memory, for a window whose storage nobody would clear: one without a workspace. */
export function createMemoryRunRows(clock: Clock): RunRowsStore {
  const held = new Map<string, LogStore>();
  return {
    async save(runId, rows, order) {
      if (rows.length > MAX_STORED_ROWS) return undefined;
      const sha256 = await digestRows(rows, { order, clock });
      const copy = createLogStore();
      const slices = createTimeSlices(clock);
      for (let at = 0; at < rows.length; at += ROWS_PER_STEP) {
        copy.append(rows.slice(at, ROWS_PER_STEP));
        if (slices.isOver()) await slices.rest();
      }
      held.set(runId, copy);
      return { sha256, bytes: copy.bytes };
    },
    async load({ id }) {
      const rows = held.get(id);
      if (!rows) throw new RowsGoneError();
      return rows;
    },
    remove: async (runId) => void held.delete(runId),
    async keepOnly(runIds) {
      for (const runId of held.keys()) if (!runIds.has(runId)) held.delete(runId);
    },
  };
}

const ROWS_PER_STEP = 1000;
const ENDING = '.ndjson.gz';

class TooMuch extends Error {}
/** The rows of a run are not on disk any more. */
export class RowsGoneError extends Error {}

async function collected(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of piecesOf(stream)) {
    bytes += part.length;
    if (bytes > most) throw new TooMuch();
    parts.push(part);
  }
  return concatBytes(parts);
}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // What is broken is broken for its reader too.
    reader.cancel().catch(() => undefined);
  }
}
