import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Fault, Intercept, RecordedRequest } from './faults.ts';

export type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The body travels compressed. An injected request gets it as it is. */
  readonly gzip?: true;
};

export type RecordingServer = {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** The newest requests, oldest first, faulted ones included. */
  readonly requests: readonly RecordedRequest[];
  /** All requests since the start or the last `forgetRequests`. */
  readonly requestCount: number;
  forgetRequests(): void;
  /** Replaces the hook that may put a fault in place of an answer; undefined takes it away. */
  setIntercept(intercept: Intercept | undefined): void;
  /** Whether its responses can be read by pages of other origins (CORS); true at the start, as of most public servers. */
  setAllowsWebPages(allows: boolean): void;
  /** The answer to a request that comes without a connection, for tests of what is answered and not of how it travels. */
  inject(request: InjectedRequest): Promise<Reply>;
  /** Ends open connections too. */
  stop(): Promise<void>;
};

export type InjectedRequest = Omit<RecordedRequest, 'number'>;

export type RecordingServerOptions = {
  /** 0 takes a free port. */
  readonly port: number;
  readonly handle: (request: RecordedRequest) => Promise<Reply>;
  readonly intercept?: Intercept | undefined;
};

const keptRequests = 1000;
const maxBodyBytes = 20 * 1024 * 1024;

/** An HTTP server on the loopback address that keeps what it was asked and can be made to fail. */
export async function startRecordingServer(options: RecordingServerOptions): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  let requestCount = 0;
  let intercept = options.intercept;
  let allowsWebPages = true;

  const record = (received: InjectedRequest): RecordedRequest => {
    requestCount += 1;
    const request = { number: requestCount, ...received };
    requests.push(request);
    if (requests.length > keptRequests) requests.shift();
    return request;
  };

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(incoming);
    if (body === undefined) {
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
    const { method = '', url = '', headers } = incoming;
    const request = record({ method, url, headers, body });
    await send(request, intercept?.(request), options.handle, response);
  };

  const server = createServer((incoming, response) => {
    if (allowsWebPages) response.setHeader('access-control-allow-origin', '*');
    if (isPreflight(incoming)) {
      if (allowsWebPages) allowAll(incoming, response);
      response.writeHead(204).end();
      return;
    }
    // A caller that went away is no failure of the server.
    answer(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    get requestCount() {
      return requestCount;
    },
    forgetRequests() {
      requests.length = 0;
      requestCount = 0;
    },
    setIntercept(next) {
      intercept = next;
    },
    setAllowsWebPages(allows) {
      allowsWebPages = allows;
    },
    async inject(received) {
      const request = record(received);
      const fault = intercept?.(request);
      if (fault === undefined) return options.handle(request).catch(reportOwnFailure);
      if (fault.kind !== 'respond') throw new Error(`A ${fault.kind} needs a connection.`);
      return fault;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function allowAll({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-methods', 'GET, POST');
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '');
}

async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function send(
  request: RecordedRequest,
  fault: Fault | undefined,
  handle: RecordingServerOptions['handle'],
  response: ServerResponse,
): Promise<void> {
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'reset') {
    response.destroy();
    return;
  }
  if (fault?.kind === 'respond') {
    write(response, fault);
    return;
  }
  if (fault?.kind === 'delay') await delay(fault.milliseconds);
  const reply = await handle(request).catch(reportOwnFailure);
  if (fault?.kind === 'edit') write(response, { ...reply, body: fault.change(reply.body ?? '') });
  else if (fault?.kind === 'truncate') writeHalf(response, reply);
  else write(response, reply);
}

/** Says in the answer what went wrong here, so that no test takes it for a failure that it asked for. */
function reportOwnFailure(error: unknown): Reply {
  const body = error instanceof Error ? error.stack : String(error);
  return { status: 500, headers: { 'content-type': 'text/plain' }, body: `This test server failed: ${body}` };
}

function write(response: ServerResponse, reply: Reply): void {
  const bytes = bytesOf(reply);
  response.writeHead(reply.status, headersOf(reply, bytes)).end(bytes);
}

function writeHalf(response: ServerResponse, reply: Reply): void {
  const bytes = bytesOf(reply);
  response.writeHead(reply.status, headersOf(reply, bytes));
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

function bytesOf({ body = '', gzip }: Reply): Buffer {
  return gzip ? gzipSync(body) : Buffer.from(body);
}

function headersOf({ status, headers, gzip }: Reply, { length }: Buffer) {
  // HTTP has no length for an answer that can have no body.
  const size = status === 204 ? {} : { 'content-length': length };
  return { ...headers, ...(gzip && { 'content-encoding': 'gzip' }), ...size };
}
