// Forms that send something and show what the server says of it: beside the field that it is about, or above them all.
import {
  type ComponentChildren,
  createContext,
  type InputHTMLAttributes,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'preact'

import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import { faultInWords } from './fault-in-words.ts'
import { Refusal } from './request.ts'

interface FormProps {
  /** With the values of the fields by name. What it throws is shown. */
  onSubmit(values: Record<string, string>): Promise<unknown>
  children: ComponentChildren
}

interface FormState {
  faults: Readonly<Record<string, string>>
  busy: boolean
  /** Called by every field, so that what is said of none of them is said above. */
  claim(field: string): void
}

const FormContext = createContext<FormState>({ faults: {}, busy: false, claim: () => {} })

export function Form({ onSubmit, children }: FormProps) {
  const [fault, setFault] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const fields = useRef(new Set<string>())
  const faults = fault instanceof Refusal ? fault.faults : {}
  const named = Object.keys(faults).filter((field) => fields.current.has(field))
  // To the first field that something is wrong with, once it says so.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [fault])

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    // Pressed twice it is sent once.
    if (busy || !form.current) return
    const values = Object.fromEntries(new FormData(form.current)) as Record<string, string>
    setBusy(true)
    setFault(undefined)
    try {
      await onSubmit(values)
    } catch (error) {
      setFault(error as Error)
    }
    setBusy(false)
  }

  return (
    <FormContext.Provider value={{ faults, busy, claim: (field) => fields.current.add(field) }}>
      <form ref={form} class="stack" noValidate onSubmit={(event) => void submit(event)}>
        {fault && named.length === 0 && (
          <p class="alert bad" role="alert">
            {Object.values(faults).map((words) => faultInWords('This', words))[0] ?? fault.message}
          </p>
        )}
        {children}
      </form>
    </FormContext.Provider>
  )
}

interface FieldProps {
  label: string
  name: string
  hint?: ComponentChildren
}

export function Field({ label, name, hint, ...input }: FieldProps & InputHTMLAttributes) {
  const { id, about, fault } = useField(label, name, hint)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} name={name} aria-invalid={fault ? 'true' : undefined} aria-describedby={about} {...input} />
      <About id={`${id}-about`} hint={hint} fault={fault} />
    </div>
  )
}

export function Select({ label, name, hint, children, ...select }: FieldProps & SelectHTMLAttributes) {
  const { id, about, fault } = useField(label, name, hint)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} aria-invalid={fault ? 'true' : undefined} aria-describedby={about} {...select}>
        {children}
      </select>
      <About id={`${id}-about`} hint={hint} fault={fault} />
    </div>
  )
}

export function TextArea({ label, name, hint, ...area }: FieldProps & TextareaHTMLAttributes) {
  const { id, about, fault } = useField(label, name, hint)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={6}
        spellcheck={false}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={about}
        {...area}
      />
      <About id={`${id}-about`} hint={hint} fault={fault} />
    </div>
  )
}

interface ChoicesProps<T extends string> {
  label: string
  /** Of what is said of them together. */
  name: string
  /** Each with what it means. */
  options: readonly (readonly [value: T, words: string])[]
  chosen: readonly T[]
  onChoose(chosen: readonly T[]): void
  /** Above them. */
  children?: ComponentChildren
}

/** Boxes, any of which may be ticked. Each is called what it stands for, and described by what that means. */
export function Choices<T extends string>({ label, name, options, chosen, onChoose, children }: ChoicesProps<T>) {
  const { id, fault } = useField(label, name, undefined)
  const toggle = (value: T, on: boolean) =>
    onChoose(options.map(([each]) => each).filter((each) => (each === value ? on : chosen.includes(each))))
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      {children}
      {options.map(([value, words], n) => (
        <div key={value} class="choice">
          <input
            id={`${id}-${n}`}
            type="checkbox"
            checked={chosen.includes(value)}
            aria-invalid={fault ? 'true' : undefined}
            aria-describedby={`${id}-${n}-about`}
            onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
          />
          <div>
            <label for={`${id}-${n}`}>{value}</label>
            <p id={`${id}-${n}-about`} class="hint">
              {words}
            </p>
          </div>
        </div>
      ))}
      <About id={`${id}-about`} hint={undefined} fault={fault} />
    </fieldset>
  )
}

function useField(label: string, name: string, hint: ComponentChildren) {
  const { faults, claim } = useContext(FormContext)
  const id = useId()
  claim(name)
  const words = faults[name]
  const fault = words && faultInWords(label, words)
  return { id, fault, about: hint || fault ? `${id}-about` : undefined }
}

function About({ id, hint, fault }: { id: string; hint: ComponentChildren; fault: string | undefined }) {
  if (fault) {
    return (
      <p id={id} class="fault" role="alert">
        {fault}
      </p>
    )
  }
  return hint ? (
    <p id={id} class="hint">
      {hint}
    </p>
  ) : null
}

interface SubmitProps {
  children: ComponentChildren
  danger?: boolean
  /** Beside another that is the way on. */
  quiet?: boolean
}

/** The button that sends its form. It keeps the focus while that goes on. */
export function Submit({ children, danger = false, quiet = false }: SubmitProps) {
  const { busy } = useContext(FormContext)
  return (
    <button
      type="submit"
      class={danger ? 'danger' : quiet ? undefined : 'primary'}
      aria-disabled={busy ? 'true' : undefined}
    >
      {children}
    </button>
  )
}
