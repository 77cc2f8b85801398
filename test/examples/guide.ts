// The blocks of code that a guide shows, in their order.
import { readFile } from 'node:fs/promises'

export interface CodeBlock {
  /** As the guide names it: `sh`, `python`, … */
  language: string
  code: string
}

/** Takes the guide's file name, such as `05-webhooks.md`. */
export async function codeBlocks(guide: string): Promise<CodeBlock[]> {
  const text = await readFile(new URL(`../../docs/guides/${guide}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }))
}
