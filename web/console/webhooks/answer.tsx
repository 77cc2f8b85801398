// What a receiver answered, as it came: text, whatever it says.

export function Answer({ text }: { text: string }) {
  return (
    <figure class="stack tight">
      <figcaption>
        <small>The receiver answered:</small>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by the keyboard */}
      <pre class="answer" tabIndex={0}>
        {text}
      </pre>
    </figure>
  )
}
