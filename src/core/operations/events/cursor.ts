import * as z from 'zod/mini';
import { badInput } from '../../base/errors.ts';
import type { Log } from '../../logs/query/log.ts';
import type { QueryEventsInput } from '../kit/inputs.ts';

const text = z.string().check(z.maxLength(2000));
const texts = z.array(text).check(z.maxLength(50));

/** What a page of rows goes on from: the whole question, with its range pinned to blocks, and the last row given. */
const cursorSchema = z.strictObject({
  v: z.literal(1),
  addresses: texts.check(z.maxLength(20)),
  topics: z.array(z.nullable(texts)).check(z.maxLength(4)),
  from: z.string().check(z.regex(/^\d{1,20}$/)),
  to: z.string().check(z.regex(/^\d{1,20}$/)),
  order: z.enum(['oldestFirst', 'newestFirst']),
  limit: z.int().check(z.minimum(1), z.maximum(100)),
  given: z.int().check(z.nonnegative()),
  last: z.strictObject({
    block: z.string().check(z.regex(/^\d{1,20}$/)),
    index: z.int().check(z.nonnegative()),
    hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/)),
  }),
  /** What was asked for in the call that began it, to be held against what a later one says. */
  asked: z.record(z.string(), z.unknown()),
});

export type Cursor = z.infer<typeof cursorSchema>;

/** The parts of a call that a cursor stands for. */
const STANDS_FOR = ['address', 'event', 'args', 'from', 'to', 'order'] as const;

/** What of a call a cursor made from it stands for. */
export function askedParts(input: QueryEventsInput): Cursor['asked'] {
  return Object.fromEntries(
    STANDS_FOR.flatMap((part) => (input[part] === undefined ? [] : [[part, input[part]]])),
  );
}

/** A cursor as base64url, to be given back as it is. */
export function writeCursor(cursor: Cursor): string {
  const bytes = new TextEncoder().encode(JSON.stringify(cursor));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** @throws AppError `badInput` for `cursor` where it is none, or of another question than the call asks. */
export function readCursor(written: string, input: QueryEventsInput): Cursor {
  const read = cursorSchema.safeParse(parsed(written));
  if (!read.success) {
    throw badInput(
      'cursor',
      'Not a cursor of this tool. Give it as it stands in next_call, or ask again without one.',
    );
  }
  const { asked } = read.data;
  const other = STANDS_FOR.find(
    (part) => input[part] !== undefined && JSON.stringify(input[part]) !== JSON.stringify(asked[part]),
  );
  if (other === undefined) return read.data;
  throw badInput(
    'cursor',
    `The cursor is of a question with another ${other}. Leave all but the cursor out to go on, or leave the cursor out to ask anew.`,
  );
}

/** The cursor behind the last row of a page. */
export function cursorBehind(cursor: Omit<Cursor, 'last' | 'v'>, last: Log): Cursor {
  const { blockNumber, logIndex, blockHash } = last;
  return { v: 1, ...cursor, last: { block: blockNumber.toString(), index: logIndex, hash: blockHash } };
}

function parsed(written: string): unknown {
  try {
    const binary = atob(written.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
  } catch {
    return undefined;
  }
}
