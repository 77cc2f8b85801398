// What the editor's toolbar does, and by which keys the editor does the same.
import type Squire from 'squire-rte'
import type { ToolName } from './tool-icon.tsx'

export interface Tool {
  name: ToolName
  keys?: string
  isOn(editor: Squire): boolean
  toggle(editor: Squire): unknown
}

const format = (name: ToolName, tag: string, keys?: string): Tool => ({
  name,
  ...(keys ? { keys } : {}),
  isOn: (editor) => editor.hasFormat(tag),
  toggle: (editor) => {
    if (editor.hasFormat(tag)) editor.changeFormat(null, { tag })
    else editor.changeFormat({ tag })
  },
})

const isWithin = (editor: Squire, tag: string): boolean =>
  new RegExp(`(?:^|>)${tag}(?:$|[>.#[])`).test(editor.getPath())

const list = (name: ToolName, tag: 'UL' | 'OL', keys: string): Tool => ({
  ...{ name, keys },
  isOn: (editor) => isWithin(editor, tag),
  toggle: (editor) => {
    if (isWithin(editor, tag)) editor.removeList()
    else if (tag === 'UL') editor.makeUnorderedList()
    else editor.makeOrderedList()
  },
})

export const TOOLS: readonly Tool[] = [
  format('Bold', 'B', 'Control+B'),
  format('Italic', 'I', 'Control+I'),
  format('Underline', 'U', 'Control+U'),
  format('Strikethrough', 'S', 'Control+Shift+7'),
  list('Bulleted list', 'UL', 'Control+Shift+8'),
  list('Numbered list', 'OL', 'Control+Shift+9'),
  {
    name: 'Quote',
    isOn: (editor) => isWithin(editor, 'BLOCKQUOTE'),
    toggle: (editor) => (isWithin(editor, 'BLOCKQUOTE') ? editor.decreaseQuoteLevel() : editor.increaseQuoteLevel()),
  },
  {
    ...{ name: 'Code', keys: 'Control+D' },
    isOn: (editor) => isWithin(editor, 'PRE') || isWithin(editor, 'CODE'),
    toggle: (editor) => editor.toggleCode(),
  },
]
