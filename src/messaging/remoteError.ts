import type { WireError } from './wire.ts';

/** A request that failed on the other side, or could not be carried there. */
export class RemoteError extends Error {
  /** From the other side, or `aborted`, `closed`, `unknownMethod`, `badMessage`. */
  readonly code: string;
  readonly field: string | undefined;

  constructor({ code, message, field }: WireError) {
    super(message);
    this.name = 'RemoteError';
    this.code = code;
    this.field = field;
  }
}

/** What a request fails with whose signal fires; also the reason of the signal that its handler has. */
export function abortedError(): RemoteError {
  return new RemoteError({ code: 'aborted', message: 'Cancelled.' });
}

/** What requests fail with at an end that is closed. */
export function closedError(): RemoteError {
  return new RemoteError({ code: 'closed', message: 'The other side is gone.' });
}
