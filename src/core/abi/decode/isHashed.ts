import type { EventParameter } from '../abiType.ts';

/**
 * Whether a log has only the hash of this parameter, as a topic: it is indexed and not of one word.
 *
 * @example isHashed({ name: 'note', type: { kind: 'string', text: 'string' }, indexed: true }) // true
 */
export function isHashed({ indexed, type: { kind } }: EventParameter): boolean {
  return indexed && (kind === 'string' || kind === 'bytes' || kind === 'array' || kind === 'tuple');
}
