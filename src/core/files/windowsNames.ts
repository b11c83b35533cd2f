/**
 * Whether Windows interprets `name` otherwise than as a file of that name: as a device, as a stream of another
 * file, or without its last dot.
 */
export function isForbiddenOnWindows(name: string): boolean {
  return FORBIDDEN.test(name) || DEVICE.test(name);
}

const FORBIDDEN = /[<>:"|?*\p{Cc}]|[. ]$/u;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;
