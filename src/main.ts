// Where a process begins: makes sure of the runtime, then does what the command line says.
import { runCli } from './cli/run-cli.ts'
import { assertRuntime } from './lib/runtime.ts'

try {
  assertRuntime()
} catch (error) {
  process.stderr.write(`mdk: ${(error as Error).message}\n`)
  process.exit(1)
}
// Whoever reads some of what is printed and goes, as `head` does, has what they wanted: the work is done all the same.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
process.exitCode = await runCli(process.argv.slice(2), process.env)
