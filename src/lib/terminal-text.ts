// Text that a stranger may have written, for a terminal: nothing in it may steer it (ECMA-48). Pure.

/** The text with every control character but the line feed shown as U+FFFD. */
export function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, '\ufffd')
}

/** The same on one line, so that it cannot pass for a line of ours. */
export function harmlessLine(text: string): string {
  return text.replace(/\p{Cc}|[\u2028\u2029]/gu, '\ufffd')
}
