// `rookery tokens import <file>`: creates many tokens from a CSV file.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { ApiError } from '@rookery/sdk/api-error.ts'
import { listOperations } from '@rookery/sdk/operations.ts'
import { callConsole } from '../api/call-console.ts'
import { COMMAND_FLAGS } from '../api/command-line.ts'
import { readConnection } from '../api/connection.ts'
import { findOperation } from '../api/find-operation.ts'
import { reportError } from '../api/report-error.ts'
import { save } from '../api/save.ts'
import { UsageError } from '../api/usage-error.ts'

interface Flags {
  readonly flockId?: string
  readonly batchId?: string
  readonly output?: string
  readonly console?: string
  readonly keyFile?: string
  readonly dataDir?: string
}

export function addTokens(program: Command): void {
  program
    .command('tokens')
    .description('decoy tokens')
    .command('import')
    .description('create up to 10,000 tokens from a CSV file, all or none, and print a CSV of them')
    .argument('<file>', 'columns kind and memo, and any other parameter of decoytoken/create except files')
    .option('--flock-id <id>', 'Flock of the rows without a flock_id of their own')
    .option('--batch-id <name>', 'name of the batch; the same file has the same name by default')
    .option('--output <path>', 'write the CSV of the tokens to this file')
    .option('--console <url>', COMMAND_FLAGS.console)
    .option('--key-file <path>', COMMAND_FLAGS['key-file'])
    .option('--data-dir <path>', COMMAND_FLAGS['data-dir'])
    .action(async (file: string, flags: Flags) => {
      try {
        await importTokens(file, flags)
      } catch (error) {
        process.exitCode = reportError(error)
        if (mayBeCut(error))
          process.stderr.write('Run the same command again: tokens that exist are not created twice.\n')
      }
    })
}

async function importTokens(path: string, flags: Flags): Promise<void> {
  const csv = new File([read(path)], basename(path), { type: 'text/csv' })
  const connection = readConnection({
    ...(flags.console !== undefined && { console: flags.console }),
    ...(flags.keyFile !== undefined && { 'key-file': flags.keyFile }),
    ...(flags.dataDir !== undefined && { 'data-dir': flags.dataDir }),
  })
  if (connection.key === '')
    throw new UsageError('There is no API key: set ROOKERY_API_KEY, or name a file with --key-file.')
  const operation = findOperation(listOperations(), 'decoytokens/create', [], undefined)
  const { file } = await callConsole(connection, operation, {
    csv,
    ...(flags.flockId !== undefined && { flock_id: flags.flockId }),
    ...(flags.batchId !== undefined && { batch_id: flags.batchId }),
  })
  const bytes = file?.bytes ?? new Uint8Array()
  if (flags.output === undefined) process.stdout.write(bytes)
  else save(flags.output, bytes)
}

function read(path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(readFileSync(path))
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** The console, or the way to it, failed: it may have created some of the tokens. */
const mayBeCut = (error: unknown): boolean =>
  error instanceof ApiError ? error.status >= 500 : !(error instanceof UsageError)
