// A state in a word, and in a colour that says the same.
import type { ComponentChildren } from 'preact'

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent'

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}
