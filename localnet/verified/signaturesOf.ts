import { Hash, Hex } from 'ox';
import * as z from 'zod/mini';

/** The signatures of an ABI with their hashes, by kind, as Sourcify and its database have them. */
export function signaturesOf(abi: readonly unknown[], kind: 'function' | 'event' | 'error') {
  const signatures = new Set(abi.flatMap((entry) => signatureOf(entry, kind)));
  return [...signatures].map((signature) => {
    const hash = Hash.keccak256(Hex.fromString(signature));
    return { signature, signatureHash32: hash, signatureHash4: Hex.slice(hash, 0, 4) };
  });
}

const parameterSchema = z.object({ type: z.string(), components: z.optional(z.array(z.unknown())) });
const entrySchema = z.object({ type: z.string(), name: z.string(), inputs: z.array(z.unknown()) });

function signatureOf(entry: unknown, kind: string): readonly string[] {
  const { data } = entrySchema.safeParse(entry);
  return data?.type === kind ? [`${data.name}(${data.inputs.map(typeOf).join()})`] : [];
}

function typeOf(parameter: unknown): string {
  const { type, components } = parameterSchema.parse(parameter);
  return components ? type.replace(/^tuple/, `(${components.map(typeOf).join()})`) : type;
}
