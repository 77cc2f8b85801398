// `mdk dev`
import { type AddCommands, withExamples } from './cli.ts'

export const devCommand: AddCommands = (program, cli) => {
  withExamples(
    program.command('dev').description('try it: everything embedded and seeded, nothing leaves this machine'),
    'dev',
  ).action(async () => {
    // Loaded for this command alone: the others start several times as fast without it.
    const { runDev } = await import('./run-dev.ts')
    await runDev(cli)
  })
}
