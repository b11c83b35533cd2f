import type { Fault } from '../http/faults.ts';
import type { Reply } from '../http/recordingServer.ts';

/** A request that is answered with an error. The words are the service's own where they are on record. */
export class Refused extends Error {
  readonly status: number;
  /** The form of the service's documentation: the code as a string and no `data`. Recorded answers have the other. */
  readonly documentedForm: boolean;

  constructor(status: number, message: string, { documentedForm = false } = {}) {
    super(message);
    this.status = status;
    this.documentedForm = documentedForm;
  }
}

const json = { 'content-type': 'application/json' };

export function success(data: unknown): Reply {
  const body = JSON.stringify({ data, error: false, error_message: null, error_code: null });
  return { status: 200, headers: json, body };
}

export function refusal({ status, message, documentedForm }: Refused): Reply {
  const body = documentedForm
    ? { error: true, error_message: message, error_code: `${status}` }
    : { data: null, error: true, error_message: message, error_code: status };
  return { status, headers: json, body: JSON.stringify(body) };
}

/** The refusal as a fault, for states that do not depend on the key: 406, 500, 503, 507, 562. */
export function refuseWith(
  status: number,
  message = 'The service cannot answer now.',
  headers: Readonly<Record<string, string>> = {},
): Fault {
  const reply = refusal(new Refused(status, message));
  return { kind: 'respond', ...reply, headers: { ...reply.headers, ...headers } };
}
