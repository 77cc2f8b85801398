// The text of a message: text nodes, with links that lead where they say. What is quoted is folded.
import { useState } from 'preact/hooks'
import { blocksOf, piecesOf } from './text-parts.ts'

/** `isSuspect`: what it names is not made easy to follow. */
export function TextBody({ text, isSuspect }: { text: string; isSuspect: boolean }) {
  return (
    <div class="mail-text" dir="auto">
      {blocksOf(text).map((block, i) =>
        block.isQuoted ? (
          <Quoted key={i} text={block.text} isSuspect={isSuspect} />
        ) : (
          <Words key={i} text={block.text} isSuspect={isSuspect} />
        ),
      )}
    </div>
  )
}

function Quoted({ text, isSuspect }: { text: string; isSuspect: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div class="quoted">
      <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide quoted text' : 'Show quoted text'}
      </button>
      {isOpen && (
        <blockquote>
          <Words text={text} isSuspect={isSuspect} />
        </blockquote>
      )}
    </div>
  )
}

function Words({ text, isSuspect }: { text: string; isSuspect: boolean }) {
  if (isSuspect) return <p>{text}</p>
  return (
    <p>
      {piecesOf(text).map(({ text: words, href }, i) =>
        href === undefined ? (
          words
        ) : (
          <a key={i} href={href} target="_blank" rel="noopener noreferrer nofollow">
            {words}
          </a>
        ),
      )}
    </p>
  )
}
