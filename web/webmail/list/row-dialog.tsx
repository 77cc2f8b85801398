// What may be done with a row, for fingers: they do not point without pressing, and there is no room for all of it in the row.
import { Dialog } from '../../ui/dialog.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { plainWords } from '../../ui/plain-words.ts'
import { type Action, isOffered } from '../filing.ts'
import type { Folder, Row } from '../shapes.ts'
import { NO_SUBJECT } from './message-row.tsx'

interface Props {
  row: Row
  folder: Folder
  onAct(action: Action): void
  onClose(): void
}

export function RowDialog({ row, folder, onAct, onClose }: Props) {
  const actions: (readonly [action: Action, words: string, icon: IconName])[] = [
    ['archive', 'Archive', 'archive'],
    ['inbox', 'Move to inbox', 'inbox'],
    ['trash', 'Trash', 'trash'],
    ['spam', 'Spam', 'spam'],
    row.isRead ? ['unread', 'Mark as unread', 'messages'] : ['read', 'Mark as read', 'opened'],
  ]
  return (
    <Dialog title={plainWords(row.subject).trim() || NO_SUBJECT} onClose={onClose}>
      <div class="stack tight">
        {actions
          .filter(([action]) => isOffered(action, folder))
          .map(([action, words, icon]) => (
            <button
              key={action}
              type="button"
              onClick={() => {
                onClose()
                onAct(action)
              }}
            >
              <Icon name={icon} />
              {words}
            </button>
          ))}
      </div>
    </Dialog>
  )
}
