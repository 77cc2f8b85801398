// Ten codes for the day the second factor is lost, shown once.
import { Dialog } from '../dialog.tsx'
import { toast } from '../toast.tsx'

export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const text = codes.join('\n')
  return (
    <Dialog title="Your recovery codes" onClose={onClose}>
      <div class="stack">
        <p>Each lets you in once when you do not have your second factor. They are shown this once: keep them safe.</p>
        <ul class="plain codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div class="actions end">
          <button type="button" onClick={() => void navigator.clipboard?.writeText(text).then(() => toast('Copied.'))}>
            Copy
          </button>
          <a
            class="button"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download="recovery-codes.txt"
          >
            Download
          </a>
          <button type="button" class="primary" onClick={onClose}>
            I have kept them
          </button>
        </div>
      </div>
    </Dialog>
  )
}
