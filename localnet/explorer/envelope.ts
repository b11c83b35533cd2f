import type { Dialect, EnvelopeRules, MethodContext, RefusalWords } from './dialect.ts';
import { HttpFailure, InvalidParam, Refused } from './failures.ts';
import { ForwardFailed, NodeRefused } from './forwardedMethods.ts';

/** Answers one request, as text: some dialects write JSON that is none. Throws HttpFailure. */
export async function answerRequest(
  request: unknown,
  dialect: Dialect,
  context: MethodContext,
): Promise<string> {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) throw new HttpFailure(500);
  const fields = request as Record<string, unknown>;
  if (!('id' in fields)) return errorText(dialect.envelope.refusals.idMissing, 0, dialect.envelope);
  const { id } = fields;
  try {
    const result = await dispatch(fields, dialect, context);
    return `{"jsonrpc":"2.0","result": ${JSON.stringify(result)},"id": ${idText(id, dialect.envelope)}}\n`;
  } catch (error) {
    return errorText(errorWords(error, dialect.envelope), id, dialect.envelope);
  }
}

/** The envelope of an error. Its id is pasted in by the same rule as in a result. */
export function errorText(words: unknown, id: unknown, envelope: EnvelopeRules): string {
  // Plain texts are pasted in without escaping, as the server does.
  const error = typeof words === 'string' ? `"${words}"` : JSON.stringify(words);
  return `{"jsonrpc":"2.0","error": ${error},"id": ${idText(id, envelope)}}\n`;
}

async function dispatch(
  fields: Record<string, unknown>,
  { envelope, methods }: Dialect,
  context: MethodContext,
): Promise<unknown> {
  const { jsonrpc, method: name, params } = fields;
  if (jsonrpc !== undefined && jsonrpc !== '2.0') throw new Refused('wrongVersion');
  if (name === undefined) throw new Refused('methodOrVersionMissing');
  if (params === undefined && !envelope.paramsOptional) throw new Refused('methodOrVersionMissing');
  if (jsonrpc === undefined) {
    throw new Refused(params === undefined ? 'methodOrVersionMissing' : envelope.versionMissing);
  }
  if (params !== undefined && !Array.isArray(params)) throw new Refused('paramsNotList');

  const method = typeof name === 'string' && Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!method || (method.needsParams && params === undefined)) throw new Refused('methodNotFound');
  const given = params ?? [];
  if (given.length < method.minParams || given.length > method.maxParams) throw new Refused('paramCount');
  return method.run(given, context);
}

function errorWords(error: unknown, envelope: EnvelopeRules): RefusalWords | unknown {
  if (error instanceof Refused) return envelope.refusals[error.refusal];
  if (error instanceof InvalidParam) return envelope.invalidParam(error.message);
  if (error instanceof ForwardFailed) return envelope.forwardFailed(error.message);
  if (error instanceof NodeRefused) return error.error;
  throw error;
}

function idText(id: unknown, { id: rule }: EnvelopeRules): string {
  if (typeof id === 'number' && Number.isInteger(id)) return String(id);
  // The template language renders null as nothing and cannot render a map at all.
  if (typeof id === 'object' && id !== null) throw new HttpFailure(500);
  const text = id === null ? '' : String(id);
  return rule === 'quoted' ? `"${text}"` : text;
}
