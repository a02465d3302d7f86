// `rookery tokens import <file>` creates many tokens from a CSV file, `rookery tokens test <id>` touches one.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { ApiError } from '@rookery/sdk/api-error.ts'
import { listOperations } from '@rookery/sdk/operations.ts'
import { callConsole } from '../api/call-console.ts'
import { COMMAND_FLAGS } from '../api/command-line.ts'
import { readConnection } from '../api/connection.ts'
import { findOperation } from '../api/find-operation.ts'
import { printableText } from '../api/printable.ts'
import { reportError } from '../api/report-error.ts'
import { save } from '../api/save.ts'
import { UsageError } from '../api/usage-error.ts'

interface ConnectionFlags {
  readonly console?: string
  readonly keyFile?: string
  readonly dataDir?: string
}

interface ImportFlags extends ConnectionFlags {
  readonly flockId?: string
  readonly batchId?: string
  readonly output?: string
}

interface TestFlags extends ConnectionFlags {
  readonly alert?: boolean
}

export function addTokens(program: Command): void {
  const tokens = program.command('tokens').description('decoy tokens')
  const importing = tokens
    .command('import')
    .description(
      'create up to 10,000 tokens from a CSV file, none if a row is wrong, and print a CSV of them',
    )
    .argument('<file>', 'columns kind and memo, and any other parameter of decoytoken/create except files')
    .option('--flock-id <id>', 'Flock of the rows without a flock_id of their own')
    .option('--batch-id <name>', 'name of the batch; the same file has the same name by default')
    .option('--output <path>', 'write the CSV of the tokens to this file')
  addConnection(importing).action(async (file: string, flags: ImportFlags) => {
    try {
      await importTokens(file, flags)
    } catch (error) {
      process.exitCode = reportError(error)
      if (mayBeCut(error))
        process.stderr.write('Run the same command again: tokens that exist are not created twice.\n')
    }
  })
  const testing = tokens
    .command('test')
    .description('touch a token from the console itself, and print how far each touch came')
    .argument('<decoytoken>', 'id of the token')
    .option('--alert', 'raise an incident and its alerts, to test the receivers, too')
  addConnection(testing).action(async (decoytoken: string, flags: TestFlags) => {
    try {
      await testToken(decoytoken, flags)
    } catch (error) {
      process.exitCode = reportError(error)
    }
  })
}

const addConnection = (command: Command): Command =>
  command
    .option('--console <url>', COMMAND_FLAGS.console)
    .option('--key-file <path>', COMMAND_FLAGS['key-file'])
    .option('--data-dir <path>', COMMAND_FLAGS['data-dir'])

function call(path: string, params: Readonly<Record<string, string | File>>, flags: ConnectionFlags) {
  const connection = readConnection({
    ...(flags.console !== undefined && { console: flags.console }),
    ...(flags.keyFile !== undefined && { 'key-file': flags.keyFile }),
    ...(flags.dataDir !== undefined && { 'data-dir': flags.dataDir }),
  })
  if (connection.key === '')
    throw new UsageError('There is no API key: set ROOKERY_API_KEY, or name a file with --key-file.')
  return callConsole(connection, findOperation(listOperations(), path, [], undefined), params)
}

interface TestAnswer {
  readonly passed: boolean
  readonly incident: string | null
  readonly steps: readonly {
    readonly channel: string
    readonly step: string
    readonly passed: boolean
    readonly text: string
  }[]
}

/** One line a step, as `rookery doctor` prints its findings. */
async function testToken(decoytoken: string, { alert, ...flags }: TestFlags): Promise<void> {
  const answer = await call('decoytoken/selftest', { decoytoken, alert: String(alert ?? false) }, flags)
  const { passed, steps } = answer as unknown as TestAnswer
  for (const { channel, step, text, ...it } of steps) {
    const line = `${it.passed ? 'ok   ' : 'WRONG'} ${channel.padEnd(9)} ${step.padEnd(8)} ${text}`
    process.stdout.write(`${printableText(line)}\n`)
  }
  process.exitCode = passed ? 0 : 1
}

async function importTokens(
  path: string,
  { flockId, batchId, output, ...flags }: ImportFlags,
): Promise<void> {
  const csv = new File([read(path)], basename(path), { type: 'text/csv' })
  const params = {
    csv,
    ...(flockId !== undefined && { flock_id: flockId }),
    ...(batchId !== undefined && { batch_id: batchId }),
  }
  const { file } = await call('decoytokens/create', params, flags)
  const bytes = file?.bytes ?? new Uint8Array()
  if (output === undefined) process.stdout.write(bytes)
  else save(output, bytes)
}

function read(path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(readFileSync(path))
  } catch (error) {
    throw new UsageError(`The CSV cannot be read: ${(error as Error).message}.`)
  }
}

/** The console, or the way to it, failed: it may have created some of the tokens. */
const mayBeCut = (error: unknown): boolean =>
  error instanceof ApiError ? error.status >= 500 : !(error instanceof UsageError)
