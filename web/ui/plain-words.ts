// What strangers call things, as it is shown: the characters that turn the direction of those after them are left out. By them
// `gpj.exe` looks like `exe.jpg`. What is written from right to left needs none of them. Pure.

/** Embeddings, overrides and isolates (Unicode Standard Annex 9), and what breaks a line. */
const TURNS = /[\u202a-\u202e\u2066-\u2069\u2028\u2029\p{Cc}]/gu

export const plainWords = (words: string): string => words.replace(TURNS, '')
