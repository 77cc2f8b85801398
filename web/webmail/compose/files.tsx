// The files that go along: those that are there, and those on their way.
import type { DraftAttachment } from '../../../src/servers/webmail/draft-schemas.ts'
import { bytesInWords } from '../../ui/bytes-in-words.ts'
import { plainWords } from '../../ui/plain-words.ts'
import { imagePath } from './clean-body.ts'
import type { Upload } from './uploads.ts'

interface Props {
  files: readonly DraftAttachment[]
  uploads: readonly Upload[]
  onRemove(id: string): void
  onCancel(key: string): void
  onAgain(key: string): void
}

export function Files({ files, uploads, onRemove, onCancel, onAgain }: Props) {
  if (files.length + uploads.length === 0) return null
  return (
    <section aria-label="Attachments">
      <ul class="plain rows files">
        {files.map(({ id, filename, sizeBytes }) => (
          <li key={id} class="beside apart">
            <span>
              <a href={imagePath(id)} download="">
                <bdi>{plainWords(filename)}</bdi>
              </a>{' '}
              <small>{bytesInWords(sizeBytes)}</small>
            </span>
            <button type="button" class="quiet small" onClick={() => onRemove(id)}>
              Remove<span class="unseen"> {plainWords(filename)}</span>
            </button>
          </li>
        ))}
        {uploads.map(({ key, file, done, fault }) => (
          <li key={key} class="beside apart">
            <span>
              <bdi>{plainWords(file.name)}</bdi> <small>{bytesInWords(file.size)}</small>
              {fault !== undefined && (
                <span class="fault" role="alert">
                  {' '}
                  <bdi>{plainWords(file.name)}</bdi> {fault.replace(/\.?$/, '.')}
                </span>
              )}
            </span>
            <span class="actions">
              {fault === undefined ? (
                <progress value={done} max={1} aria-label={`Uploading ${plainWords(file.name)}`} />
              ) : (
                <button type="button" class="small" onClick={() => onAgain(key)}>
                  Try again<span class="unseen"> {plainWords(file.name)}</span>
                </button>
              )}
              <button type="button" class="quiet small" onClick={() => onCancel(key)}>
                {fault === undefined ? 'Cancel' : 'Remove'}
                <span class="unseen"> {plainWords(file.name)}</span>
              </button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
