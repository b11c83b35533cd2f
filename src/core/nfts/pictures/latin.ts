/** `length` bytes from `at` on as characters, those that there are. */
export function latin(view: DataView, at: number, length: number): string {
  const end = Math.min(at + length, view.byteLength);
  let text = '';
  for (let index = at; index < end; index++) text += String.fromCharCode(view.getUint8(index));
  return text;
}
