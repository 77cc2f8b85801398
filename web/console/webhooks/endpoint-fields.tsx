// What an endpoint is: where events are posted, which, and what it is for.
import { useState } from 'preact/hooks'
import { Field } from '../../ui/form.tsx'
import { EVENT_TYPES } from '../words.ts'

interface EndpointFieldsProps {
  url?: string
  description?: string | null | undefined
  eventTypes?: readonly string[]
}

export function EndpointFields({ url, description, eventTypes = ['*'] }: EndpointFieldsProps) {
  const [all, setAll] = useState(eventTypes.includes('*'))
  return (
    <>
      <Field
        label="URL"
        name="url"
        type="url"
        hint="Of a receiver that answers already: it is asked before anything is stored."
        placeholder="https://example.com/hooks"
        autoComplete="off"
        defaultValue={url ?? ''}
        autoFocus
      />
      <Field label="Description" name="description" autoComplete="off" defaultValue={description ?? ''} />
      <fieldset class="field">
        <legend>Events</legend>
        <div>
          <label class="choice">
            <input type="radio" name="events" value="all" checked={all} onChange={() => setAll(true)} />
            <span>All, and those that are added later</span>
          </label>
          <label class="choice">
            <input type="radio" name="events" value="some" checked={!all} onChange={() => setAll(false)} />
            <span>Only these</span>
          </label>
        </div>
        {!all && (
          <div class="choices">
            {EVENT_TYPES.map(([type, words]) => (
              <label key={type} class="choice" title={words}>
                <input type="checkbox" name={`type:${type}`} defaultChecked={eventTypes.includes(type)} />
                <span>{type}</span>
              </label>
            ))}
          </div>
        )}
      </fieldset>
    </>
  )
}
