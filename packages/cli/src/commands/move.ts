// `rookery move --to …`: everything from SQLite to PostgreSQL, or back. No console may be running.
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Config } from '@rookery/console/config/config.ts'
import { openDataFolder } from '@rookery/console/data-folder.ts'
import type { Engine } from '@rookery/console/db/engine.ts'
import { takeLock } from '@rookery/console/db/lock.ts'
import { outageFault } from '@rookery/console/db/writer.ts'
import { move } from '@rookery/console/maintenance/move.ts'
import { openEngine } from '@rookery/console/open-context.ts'
import { addOptions, configOf } from '../flags.ts'
import { runOffline } from './offline.ts'

const AGAIN = 'Run the same command again: it goes on where it stopped.'

export function addMove(program: Command): void {
  const command = program
    .command('move')
    .description(
      'copy everything into an empty database of the other kind while every console is stopped; a move that was stopped goes on',
    )
    .requiredOption(
      '--to <target>',
      'a postgres:// URL, or `postgres` for that of ROOKERY_DATABASE_URL: from the data directory; `sqlite`: from ROOKERY_DATABASE_URL into the data directory',
    )
  addOptions(command, ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL', 'ROOKERY_MASTER_KEY']).action(
    async (flags: Record<string, unknown>) => {
      const config = configOf(flags)
      const [from, to] = placesOf(config, String(flags['to']))
      const folder = openDataFolder(config.ROOKERY_DATA_DIR)
      const release = takeLock(folder.lock)
      try {
        // What a killed console has left in the log goes into the file now: afterwards the file changes no more.
        if (from === '' && existsSync(folder.database)) await (await openEngine('', folder.database)).close()
        await runOffline({ ...config, ROOKERY_DATABASE_URL: from }, async (source) => {
          const target = await openEngine(to, folder.database)
          try {
            const tell = (line: string): void => void process.stderr.write(`${line}\n`)
            const { rows, tables, auditHead } = await move({ source, target, tell })
            process.stdout.write(
              `Moved ${rows.toLocaleString('en')} rows of ${tables} tables to ${target.place}, none missing; the audit trail is the same, and ends at ${auditHead}.\n${source.engine.place} stays as it was.\n${nextStep(to)}\n`,
            )
          } catch (error) {
            throw withAdvice(error, [source.engine, target])
          } finally {
            await target.close()
          }
        })
      } finally {
        release()
      }
    },
  )
}

/** The URLs of source and target; an empty one is the data directory. */
function placesOf({ ROOKERY_DATABASE_URL: url }: Config, to: string): [string, string] {
  if (to === 'sqlite') {
    if (url !== '') return [url, '']
    throw new Fault('bad-input', '--to sqlite moves from PostgreSQL: set ROOKERY_DATABASE_URL to its URL.')
  }
  if (to === 'postgres' && url !== '') return ['', url]
  if (!/^postgres(ql)?:\/\//.test(to) || !URL.canParse(to))
    throw new Fault(
      'bad-input',
      `--to must be sqlite, a postgres:// URL, or postgres while ROOKERY_DATABASE_URL is set, not ${JSON.stringify(to.replace(/\/\/.*@/, '//…@'))}.`,
    )
  if (url !== '' && url !== to)
    throw new Fault(
      'bad-input',
      'ROOKERY_DATABASE_URL is another PostgreSQL than --to: a move begins or ends in the data directory. Unset it, or move it to sqlite first.',
    )
  return ['', to]
}

const nextStep = (to: string): string =>
  to === ''
    ? 'Unset ROOKERY_DATABASE_URL, and start the console.'
    : 'Set ROOKERY_DATABASE_URL to the URL, and start the console. With several, give each the master key of this one.'

/** Which of the two is away, and what to do then. */
function withAdvice(error: unknown, engines: readonly Engine[]): unknown {
  if (error instanceof Fault) return error
  for (const engine of engines) {
    const meaning = engine.diagnose(error)
    if (meaning === 'other') continue
    const { code, message } = outageFault(meaning, engine.place, error)
    return new Fault(code, `${message} ${AGAIN}`, { cause: error })
  }
  return error
}
