import * as z from 'zod/mini';
import type { SourceFacts } from '../../sources/sourceFacts.ts';

const isTrue = z.exactOptional(z.literal(true));
const parameter = z.object({ name: z.string(), type: z.string(), indexed: isTrue });
const place = { line: z.number(), offset: z.number() };
const type = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('struct'), name: z.string(), members: z.array(parameter) }),
  z.object({ kind: z.literal('enum'), name: z.string() }),
  z.object({ kind: z.literal('alias'), name: z.string(), type: z.string() }),
  z.object({ kind: z.literal('constant'), name: z.string(), value: z.string() }),
]);
const item = z.object({
  ...place,
  kind: z.enum(['event', 'error', 'function']),
  name: z.string(),
  inputs: z.array(parameter),
  outputs: z.exactOptional(z.array(parameter)),
  anonymous: isTrue,
});
const scope = { types: z.array(type), items: z.array(item) };

/** What a source declares, as it is kept between sessions. */
export const keptSource: z.ZodMiniType<SourceFacts> = z.object({
  ...scope,
  language: z.enum(['solidity', 'vyper']),
  imports: z.array(
    z.object({
      path: z.string(),
      as: z.exactOptional(z.string()),
      names: z.exactOptional(z.array(z.tuple([z.string(), z.string()]))),
    }),
  ),
  contracts: z.array(
    z.object({
      ...{ ...scope, ...place },
      kind: z.enum(['contract', 'abstract', 'interface', 'library']),
      name: z.string(),
      bases: z.array(z.string()),
    }),
  ),
  uses: z.array(
    z.object({
      ...place,
      kind: z.enum(['event', 'error']),
      name: z.string(),
      end: z.number(),
      contract: z.union([z.number(), z.undefined()]),
    }),
  ),
  cut: z.boolean(),
});
