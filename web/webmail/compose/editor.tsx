// A field in which formatted text is written. What it is given, and what is pasted into it, is cleaned first.
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { bodyOf, imagePath } from './clean-body.ts'
import { LinkDialog } from './link-dialog.tsx'
import { OwnSquire } from './own-squire.ts'
import { Toolbar } from './toolbar.tsx'
import { TOOLS } from './tools.ts'

export interface EditorHandle {
  focus(): void
  /** Where the cursor is. */
  insertImage(fileId: string, words: string): void
  /** What is written, as text. */
  text(): string
  /** What is shown, as a draft holds it: of a draft that came from elsewhere, what cleaning left. */
  body(): string
}

interface Props {
  label: string
  html: string
  isReadOnly?: boolean
  onChange(html: string): void
  /** Whether a file goes along, so that its image may show; without it there are no images. */
  isFile?(id: string): boolean
  /** Hears of images that are pasted, or chosen; without it there are none. */
  onImages?: ((files: readonly File[]) => void) | undefined
  /** Called once there is something to handle. */
  onReady?(handle: EditorHandle): void
}

export function Editor(props: Props) {
  const { label, html, isReadOnly = false } = props
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const images = useRef<HTMLInputElement>(null)
  const latest = useRef(props)
  latest.current = props
  const [editor, setEditor] = useState<OwnSquire>()
  const [on, setOn] = useState<ReadonlySet<string>>(new Set())
  const [link, setLink] = useState<{ href: string | undefined }>()
  /** What it was last given, or gave. */
  const known = useRef<string>(undefined)

  useLayoutEffect(() => {
    const element = root.current as HTMLElement
    const made = new OwnSquire(element, (file) => latest.current.isFile?.(file) ?? false)
    made.addEventListener('input', () => {
      known.current = bodyOf(element)
      latest.current.onChange(known.current)
    })
    const lookAgain = () => setOn(new Set(toolsOn(made)))
    for (const type of ['pathChange', 'select', 'cursor', 'input']) made.addEventListener(type, lookAgain)
    made.addEventListener('pasteImage', (event) => {
      const { clipboardData } = (event as CustomEvent<{ clipboardData: DataTransfer }>).detail
      latest.current.onImages?.([...clipboardData.files])
    })
    const askForLink = (_: unknown, event: KeyboardEvent) => {
      event.preventDefault()
      setLink({ href: linkAt(made) })
    }
    made.setKeyHandler('Ctrl-k', askForLink).setKeyHandler('Meta-k', askForLink)
    setEditor(made)
    latest.current.onReady?.({
      focus: () => made.focus(),
      insertImage: (file, words) => made.insertImage(imagePath(file), { alt: words }),
      text: () => element.innerText,
      body: () => bodyOf(element),
    })
    return () => made.destroy()
  }, [])

  // What came otherwise than by writing.
  useLayoutEffect(() => {
    if (!editor || known.current === html) return
    known.current = html
    editor.setHTML(html)
  }, [editor, html])

  useLayoutEffect(() => {
    if (editor) editor.getRoot().contentEditable = isReadOnly ? 'false' : 'true'
  }, [editor, isReadOnly])

  // A link that is clicked in the midst of writing is not followed.
  useEffect(() => {
    const element = root.current
    const stay = (event: Event) => {
      if ((event.target as Element).closest('a')) event.preventDefault()
    }
    element?.addEventListener('click', stay)
    return () => element?.removeEventListener('click', stay)
  }, [])

  return (
    <div class="editor">
      {editor && (
        <Toolbar
          editor={editor}
          on={on}
          controls={id}
          onLink={() => setLink({ href: linkAt(editor) })}
          onImage={props.onImages ? () => images.current?.click() : undefined}
        />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: no element of HTML is a field of formatted text */}
      <div
        ref={root}
        id={id}
        class="written"
        role="textbox"
        aria-multiline="true"
        aria-label={label}
        aria-readonly={isReadOnly ? 'true' : undefined}
        tabIndex={0}
        dir="auto"
      />
      {props.onImages && (
        <input
          ref={images}
          type="file"
          accept="image/*"
          multiple
          hidden
          onChange={({ currentTarget }) => {
            props.onImages?.([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
      )}
      {link && editor && (
        <LinkDialog
          href={link.href}
          onLink={(href) => editor.focus().makeLink(href)}
          onRemove={() => editor.focus().removeLink()}
          onClose={() => setLink(undefined)}
        />
      )}
    </div>
  )
}

function toolsOn(editor: OwnSquire): string[] {
  const names = TOOLS.filter(({ isOn }) => isOn(editor)).map(({ name }) => name)
  return editor.hasFormat('A') ? [...names, 'Link'] : names
}

function linkAt(editor: OwnSquire): string | undefined {
  const { startContainer } = editor.getSelection()
  const element = startContainer instanceof Element ? startContainer : startContainer.parentElement
  return element?.closest('a')?.getAttribute('href') ?? undefined
}
