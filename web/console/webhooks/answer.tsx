// What a receiver answered, as it came: text, whatever it says.

export function Answer({ text }: { text: string }) {
  return (
    <section class="stack tight" aria-label="What the receiver answered">
      <small>The receiver answered:</small>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by the keyboard */}
      <pre class="answer" tabIndex={0}>
        {text}
      </pre>
    </section>
  )
}
