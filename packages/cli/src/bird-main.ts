// The Bird's program of a package or a release: `rookery-bird.mjs bird …`, which a launcher starts, and `rookery-bird.mjs --self-test`.
import { Command } from 'commander'
import { VERSION } from '@rookery/bird/version.ts'
import { addBird } from './commands/bird.ts'
import { explain, isExplained } from './explain.ts'

// What a Bird writes is for its owner alone.
process.umask(0o077)

try {
  if (process.argv[2] === '--self-test') {
    const { testBird } = await import('@rookery/bird/start.ts')
    await testBird()
    process.stdout.write(`${VERSION}\n`)
    process.exit()
  }
  const program = new Command('rookery-bird').version(VERSION).enablePositionalOptions()
  addBird(program)
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  if (!isExplained(error)) process.stderr.write(`${(error as Error).stack ?? ''}\n`)
  process.exit(1)
}
