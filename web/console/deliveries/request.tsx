// What is posted, as the receiver gets it. What proves it shows nowhere.
import type { ShownDelivery } from '../../../src/servers/console/webhook-schemas.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Json } from '../../ui/json.tsx'

export function Request({ request: { url, headers, body } }: { request: NonNullable<ShownDelivery['request']> }) {
  return (
    <div class="stack">
      <Json label="Payload" value={JSON.parse(body)} />
      <details>
        <summary>Exactly as sent</summary>
        <Text label="Body as it is sent" text={body} />
      </details>
      <h3>Headers</h3>
      <dl class="card facts headers">
        <dt>POST</dt>
        <dd>
          <bdi>{url}</bdi>
        </dd>
        {headers.map(({ name, value }) => (
          <>
            <dt key={name}>{name}</dt>
            <dd>{value ?? <span class="soft">of each attempt, not shown</span>}</dd>
          </>
        ))}
      </dl>
    </div>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <section class="code exact" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton label={label} value={text} />
    </section>
  )
}
