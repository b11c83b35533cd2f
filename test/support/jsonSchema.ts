/** A part of a JSON schema, draft 7, with the words that ours are made of. */
interface Schema {
  readonly [word: string]: unknown;
}

/** Words that say nothing about what fits. */
const ANNOTATION_KEYWORDS = [
  ...['$schema', 'title', 'description', 'markdownDescription', 'examples', 'defaultSnippets'],
  ...['patternErrorMessage', 'definitions', 'default'],
];

/** Whether a value fits a schema. Throws on a word that it does not know, so that none goes unheeded. */
export function fitsSchema(schema: Schema, value: unknown, root: Schema = schema): boolean {
  if (typeof schema === 'boolean') return schema;
  const fits = (part: unknown, one: unknown) => fitsSchema(part as Schema, one, root);
  return Object.entries(schema).every(([word, told]) => {
    if (ANNOTATION_KEYWORDS.includes(word)) return true;
    const list = Array.isArray(value) ? value : undefined;
    const text = typeof value === 'string' ? value : undefined;
    const number = typeof value === 'number' ? value : undefined;
    const object =
      typeof value === 'object' && value !== null && !list ? (value as Record<string, unknown>) : undefined;
    switch (word) {
      case '$ref':
        return fits((root.definitions as Schema)[String(told).replace('#/definitions/', '')], value);
      case 'anyOf':
        return (told as readonly unknown[]).some((part) => fits(part, value));
      case 'if':
        return fits(schema[fits(told, value) ? 'then' : 'else'] ?? {}, value);
      case 'then':
      case 'else':
        return true;
      case 'type':
        return typeOf(value).some((type) => [told].flat().includes(type));
      case 'enum':
        return (told as readonly unknown[]).includes(value);
      case 'items':
        return list?.every((item) => fits(told, item)) ?? true;
      case 'minItems':
        return (list?.length ?? Number(told)) >= Number(told);
      case 'maxItems':
        return (list?.length ?? 0) <= Number(told);
      case 'uniqueItems':
        return list === undefined || new Set(list.map((item) => JSON.stringify(item))).size === list.length;
      case 'maxLength':
        return (text?.length ?? 0) <= Number(told);
      case 'pattern':
        return text === undefined || new RegExp(String(told), 'u').test(text);
      case 'minimum':
        return number === undefined || number >= Number(told);
      case 'maximum':
        return number === undefined || number <= Number(told);
      case 'maxProperties':
        return Object.keys(object ?? {}).length <= Number(told);
      case 'required':
        return object === undefined || (told as readonly string[]).every((key) => Object.hasOwn(object, key));
      case 'properties':
        return Object.entries(told as Schema).every(
          ([key, part]) => object === undefined || !Object.hasOwn(object, key) || fits(part, object[key]),
        );
      case 'additionalProperties': {
        const others = Object.keys(object ?? {}).filter(
          (key) => !Object.hasOwn((schema.properties as object) ?? {}, key),
        );
        return told === false
          ? others.length === 0
          : others.every((key) => object === undefined || fits(told, object[key]));
      }
      default:
        throw new Error(`The schema says ${word}, which is not looked at here.`);
    }
  });
}

function typeOf(value: unknown): readonly string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
  return [typeof value];
}
