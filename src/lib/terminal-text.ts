// Text that a stranger may have written, for a terminal: nothing in it may steer it (ECMA-48), nor turn round what stands
// beside it (UAX 9, explicit directional formatting). Pure.

/** The text with every control character but the line feed, and each that changes its direction, shown as U+FFFD. */
export function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** The same on one line, so that it cannot pass for a line of ours. */
export function harmlessLine(text: string): string {
  return text.replace(/\p{Cc}|[\u2028-\u202e\u2066-\u2069]/gu, '\ufffd')
}
