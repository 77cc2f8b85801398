// What is wrong with a field, as a sentence. Servers say it of the field, without naming it: "must have 1 to 80 characters".

/** What a fault begins with that is said of its field; any other says itself what it is about. */
const OF_THE_FIELD = /^(?:is|was|has|holds|does|must|may|cannot) /

export function faultInWords(label: string, words: string): string {
  const sentence = OF_THE_FIELD.test(words) ? `${label} ${words}` : words
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
