/** A document whose version goes up with each change of its text. */
interface Versioned {
  readonly version: number;
}

/** Gives what `read` makes of a document, made once for each version of its text. */
export function perVersion<Document extends Versioned, Made>(
  read: (document: Document) => Made,
): (document: Document) => Made {
  const kept = new WeakMap<Document, { readonly version: number; readonly made: Made }>();
  return (document) => {
    const known = kept.get(document);
    if (known && known.version === document.version) return known.made;
    const made = read(document);
    kept.set(document, { version: document.version, made });
    return made;
  };
}
