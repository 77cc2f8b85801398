// What the server says is wrong with a message that is to be sent, by the field that shows it. Pure.
import { faultInWords } from '../../ui/fault-in-words.ts'
import { Refusal } from '../../ui/request.ts'

type PeopleField = 'to' | 'cc' | 'bcc'

export interface FieldFaults {
  /** What no field shows, in sentences. */
  above: readonly string[]
  of(field: 'subject'): string | undefined
  /** By where somebody stands in it; -1: of all. */
  ofPeople(field: PeopleField): ReadonlyMap<number, string>
}

const LABELS: Readonly<Record<string, string>> = { body: 'The text', attachmentIds: 'An attachment', mailboxId: 'From' }

/** `isAsRefused`: whether a field is as it was when it was refused. What was said of one that is changed counts no more. */
export function faultsByField(
  fault: Error | undefined,
  isAsRefused: (field: string) => boolean = () => true,
): FieldFaults {
  const faults = Object.entries(fault instanceof Refusal ? fault.faults : {})
  const people = new Map<string, Map<number, string>>([
    ['to', new Map()],
    ['cc', new Map()],
    ['bcc', new Map()],
  ])
  const above: string[] = []
  let subject: string | undefined
  for (const [path, words] of faults) {
    const [, field = '', index] = /^(\w+)(?:\[(\d+)\].*)?/.exec(path) ?? []
    if (!isAsRefused(field)) continue
    if (people.has(field)) people.get(field)?.set(index === undefined ? -1 : Number(index), words)
    else if (field === 'subject') subject = words
    else above.push(faultInWords(LABELS[field] ?? 'This', words))
  }
  if (fault && faults.length === 0) above.push(fault.message)
  return {
    above,
    of: () => subject,
    ofPeople: (field) => people.get(field) ?? new Map(),
  }
}
