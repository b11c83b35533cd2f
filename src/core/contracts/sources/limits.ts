/** Sources are short; one longer than this was made by a program, and nothing is read in it. */
export const LONGEST_SOURCE = 1_000_000;
/** Of one kind in a source. The longest of OpenZeppelin has 60 declarations, a generated one hundreds. */
export const MOST_DECLARATIONS = 2_000;
/** Characters of one declaration, as many as an event may have elsewhere. */
export const LONGEST_DECLARATION = 4_096;
/** Characters of an item with all its structs, as many as may be read again. */
export const LONGEST_ITEM = 16_384;
/** Characters of all items of one link: a hundred times those of the largest known contracts. */
export const MOST_LINKED_CHARACTERS = 8_000_000;
/** Members of a struct and names of an enum or an import; a tuple of more would not fit into a declaration. */
export const MOST_MEMBERS = 512;
/** Files that are looked at for one name, or for one contract with all that it inherits. */
export const MOST_LINKED_FILES = 512;
/** Structs in structs, arrays in arrays, constants that name constants, modules in modules. */
export const DEEPEST_NESTING = 16;
