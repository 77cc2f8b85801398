// How many files, connections among them, the system lets this process have open. Knows nothing of what they are.

/** The limit that holds now (RLIMIT_NOFILE); Node has raised it to the highest it may at its start. */
export function openFilesLimit(): number {
  // What costs time and nobody reads.
  Object.assign(process.report, { excludeNetwork: true, excludeEnv: true })
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  const soft = Number(userLimits?.open_files?.soft)
  // It may be `unlimited`, and some systems have none.
  return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft
}
