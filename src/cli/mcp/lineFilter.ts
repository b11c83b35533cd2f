import { Transform } from 'node:stream';
import { isRecord } from '../../core/index.ts';

/** Of one message. The longest that a tool takes is a hundred times shorter. */
export const MAX_LINE_BYTES = 10 * 1024 * 1024;

/**
 * Passes on lines of input, and replaces longer ones by an error of JSON-RPC to `refuse`. A message that is too long must
 * not end the server, nor fill its memory. The `arguments` of a call become an object if a client writes null for none,
 * or their JSON as text.
 */
export function createLineFilter(refuse: (response: string) => void): Transform {
  let chunks: Buffer[] = [];
  let bytes = 0;
  /** The beginning and the end of a line that is too long: one of them has its ID. */
  let ends: readonly [Buffer, Buffer] | undefined;

  function add(part: Buffer): void {
    bytes += part.length;
    chunks.push(part);
    if (bytes <= MAX_LINE_BYTES && !ends) return;
    const joined = Buffer.concat(chunks);
    ends = [
      ends?.[0] ?? Buffer.from(joined.subarray(0, MAX_END_BYTES)),
      Buffer.from(joined.subarray(-MAX_END_BYTES)),
    ];
    chunks = [ends[1]];
  }

  function takeLine(): Buffer | undefined {
    const line = ends ? undefined : withArgumentsObject(Buffer.concat(chunks));
    if (ends) refuse(formatRefusal(findId(ends.map(String))));
    [chunks, bytes, ends] = [[], 0, undefined];
    return line;
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        add(chunk.subarray(start, end + 1));
        const line = takeLine();
        if (line) this.push(line);
        start = end + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
      done();
    },
    flush(done) {
      done(null, takeLine());
    },
  });
}

function withArgumentsObject(line: Buffer): Buffer {
  const text = String(line);
  if (!/"arguments"\s*:\s*(?:null|")/.test(text)) return line;
  try {
    const message: unknown = JSON.parse(text);
    const params = isRecord(message) ? message.params : undefined;
    if (!isRecord(message) || !isRecord(params)) return line;
    const given = params.arguments;
    const parsed: unknown = typeof given === 'string' ? JSON.parse(given.trim() || 'null') : given;
    return Buffer.from(`${JSON.stringify({ ...message, params: { ...params, arguments: parsed ?? {} } })}\n`);
  } catch {
    return line;
  }
}

const LINE_FEED = 10;
/** Enough for the other members of a request. */
const MAX_END_BYTES = 512;

const ID = String.raw`"id"\s*:\s*(\d{1,16}|"[^"\\]{1,100}")`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const METHOD = String.raw`"method"\s*:\s*"[\w/]{1,100}"`;
// Clients write it beside the version and the method, before or behind all else.
const FIRST = new RegExp(String.raw`^\s*\{\s*(?:(?:${VERSION}|${METHOD})\s*,\s*){0,2}${ID}`);
const LAST = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`);

function findId([start = '', end = '']: readonly string[]): string {
  return FIRST.exec(start)?.[1] ?? LAST.exec(end)?.[1] ?? 'null';
}

function formatRefusal(id: string): string {
  const message = `The message is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB and was not read. Send a shorter one.`;
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":${JSON.stringify(message)}}}\n`;
}
