import * as z from 'zod/mini';
import { isRecord } from '../base/records.ts';
import { openQueryInput } from './kit/inputs.ts';
import { operationTools } from './tools.ts';

/**
 * The JSON schema of what a tool takes, by its name; undefined where there is no such tool.
 *
 * @example toolSchema('get_network')?.type // 'object'
 */
export function toolSchema(name: string): Readonly<Record<string, unknown>> | undefined {
  const input =
    name === 'open_query' ? openQueryInput : operationTools.find((tool) => tool.name === name)?.input;
  if (!input) return undefined;
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', target: 'draft-7' });
  return isRecord(schema) ? schema : undefined;
}
