// Where a process begins: makes sure of the runtime, then does what the command line says.
import { runCli } from './cli/run-cli.ts'
import { assertRuntime } from './lib/runtime.ts'

try {
  assertRuntime()
} catch (error) {
  process.stderr.write(`mdk: ${(error as Error).message}\n`)
  process.exit(1)
}
process.exitCode = await runCli(process.argv.slice(2), process.env)
