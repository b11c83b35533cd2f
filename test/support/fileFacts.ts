import { parseLayout } from '../../src/core/project/layout.ts';
import { readFacts } from '../../src/core/project/readers/readFacts.ts';

/** A project without a file that says otherwise. */
export const layout = parseLayout({});
/** An address, and a hash, of one digit. */
export const address = (digit: string) => `0x${digit.repeat(40)}` as const;
export const hash = (digit: string) => `0x${digit.repeat(64)}` as const;
export const abi = [{ type: 'event', name: 'Pinged', anonymous: false, inputs: [] }];

/** What a file at `path` tells, and the file `beside` it. */
export const readFactsOf = (path: string, json: unknown, beside?: string) =>
  readFacts({ path, text: typeof json === 'string' ? json : JSON.stringify(json), beside }, layout);

export const readDeployments = (path: string, json: unknown, beside?: string) =>
  readFactsOf(path, json, beside).deployments.map(
    ({ chainId, address: at, contract }) => `${chainId} ${contract} ${at}`,
  );

export const readLabels = (path: string, json: unknown) =>
  readFactsOf(path, json).labels.map(({ chainId, address: at, name }) => `${chainId} ${name} ${at}`);
