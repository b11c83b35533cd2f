import { inflateRawSync } from 'node:zlib';

/** Of APPNOTE.TXT, 4.3.7, 4.3.12 and 4.3.16: where each part of a ZIP stands. */
export interface ZipEntry {
  readonly name: string;
  /** Where its header in the central directory begins. */
  readonly header: number;
}

/** The entries of a ZIP without a comment and with fewer than 65,535 entries, as vsce writes it. */
export function listZipEntries(zip: Buffer): readonly ZipEntry[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const entries: ZipEntry[] = [];
  let header = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [name, extra, comment] = [28, 30, 32].map((at) => zip.readUInt16LE(header + at)) as [
      number,
      number,
      number,
    ];
    entries.push({ name: zip.toString('utf8', header + 46, header + 46 + name), header });
    header += 46 + name + extra + comment;
  }
  return entries;
}

/** Gives each entry the mode of a plain file, in place. */
export function setPlainModes(zip: Buffer): void {
  for (const { header } of listZipEntries(zip)) zip.writeUInt32LE(0o100644 * 2 ** 16, header + 38);
}

/** @throws Error if the ZIP has no such entry. */
export function readZipEntry(zip: Buffer, name: string): string {
  const entry = listZipEntries(zip).find((found) => found.name === name);
  if (entry === undefined) throw new Error(`${name} is missing in the ZIP.`);
  const local = zip.readUInt32LE(entry.header + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const bytes = zip.subarray(start, start + zip.readUInt32LE(entry.header + 20));
  const isDeflated = zip.readUInt16LE(entry.header + 10) === 8;
  return (isDeflated ? inflateRawSync(bytes) : bytes).toString('utf8');
}
