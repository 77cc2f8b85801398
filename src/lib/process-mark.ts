// Marks what a process leaves lying about, so that another can tell later whether it still runs. Only Linux says
// enough for that: elsewhere nobody is ever taken for gone.
import { hash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

/** Names this process among all that ever ran: `<where>-<pid>-<start>`, or a bare `-` where that cannot be known. */
export function ownMark(): string {
  const start = startOf('self')
  return start === undefined ? '-' : `${whereabouts()}-${process.pid}-${start}`
}

/** True when the process with this mark ran here and has ended; false as well when nobody can tell. */
export function isGone(mark: string): boolean {
  const [where, pid = '', start] = mark.split('-')
  return where === whereabouts() && /^\d+$/.test(pid) && startOf(pid) !== start
}

/** One start of the machine and one namespace of process ids on it: two containers see different processes. */
function whereabouts(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')
    return hash('sha256', `${boot}${readlinkSync('/proc/self/ns/pid')}`).slice(0, 12)
  } catch {
    return undefined
  }
}

/**
 * When a process that runs started, in clock ticks since the machine did: proc(5), field 22. The name before it may hold
 * anything. One that has ended may be listed until its parent looks, with a Z for its state.
 */
function startOf(pid: string): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}
