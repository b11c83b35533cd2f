import type { Hex } from 'ox';
import type { Reply } from '../http/recordingServer.ts';
import { readMovement } from '../tokens/movements.ts';
import { type RestCall, restReply } from './restCall.ts';
import { invalid } from './restPages.ts';

const nothing = /^0x0*$/;

/** Why nothing is told of an address: it is none, the instance may not tell, or an old release has never met it. */
export async function notTold(call: RestCall, written: string): Promise<Reply | undefined> {
  const { era, knobs } = call;
  if (!/^0x[\da-f]{40}$/i.test(written)) {
    return era === 'v5' || era === 'v8'
      ? restReply(422, { message: 'Invalid address hash' })
      : invalid('address_hash_param', 'Invalid format. Expected ~r/^0x([A-Fa-f0-9]{40})$/');
  }
  const address = written.toLowerCase() as Hex.Hex;
  if (knobs.restricted?.includes(address)) return restReply(403, { message: 'Restricted access' });
  if (era === 'v5' && !(await isKnown(call, address))) return restReply(404, { message: 'Not found' });
  return undefined;
}

async function isKnown({ ask, index }: RestCall, address: Hex.Hex): Promise<boolean> {
  const methods = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'];
  const answers = await Promise.all(methods.map((method) => ask(method, [address, 'latest'])));
  if (answers.some((answer) => !nothing.test(String(answer ?? '0x')))) return true;
  for (const log of index.logs({ from: 0, to: index.head() ?? 0 })) {
    const movement = readMovement(log);
    if (movement?.from === address || movement?.to === address) return true;
  }
  return false;
}
