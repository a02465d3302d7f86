// `rookery api <path> [--name value]...`: every operation of the contract, over the SDK.
import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { ApiError } from '@rookery/sdk/api-error.ts'
import { openClient } from '@rookery/sdk/client.ts'
import { callOperation, listOperations, type ListedOperation } from '@rookery/sdk/operations.ts'
import type { AnsweredFile } from '@rookery/sdk/types.ts'
import { readConnection, type Connection } from '../api/connection.ts'
import { findOperation } from '../api/find.ts'
import { listHelp, operationHelp } from '../api/help.ts'
import { readParameters } from '../api/parameters.ts'
import { printableJson, printableText } from '../api/printing.ts'
import { UsageError } from '../api/usage-error.ts'
import { readWords, type Words } from '../api/words.ts'

export function addApi(program: Command): void {
  program
    .command('api')
    .description('call any operation of the API: `rookery api --help` lists them')
    .usage('<path> [--name value]...')
    .argument('[words...]', 'what follows /api/v1/, and a parameter as --name value')
    // Its flags are those of the operation, which may be called --version.
    .helpOption(false)
    .allowUnknownOption()
    .action(async () => {
      // As they were written: whatever a parameter is called, the program's own flags do not eat it.
      const words = process.argv.slice(process.argv.indexOf('api') + 1)
      try {
        await run(readWords(words))
      } catch (error) {
        process.exitCode = tell(error)
      }
    })
}

async function run(words: Words): Promise<void> {
  const operations = listOperations()
  if (words.path === undefined) {
    if (!words.wantsHelp && words.given.length > 0)
      throw new UsageError('Which operation? `rookery api --help` lists them.')
    return print(listHelp(operations))
  }
  const names = words.given.map(([name]) => name.replaceAll('-', '_'))
  const operation = findOperation(operations, words.path, names, words.own.method)
  if (words.wantsHelp) return print(operationHelp(operation))

  const params = readParameters(operation, words.given)
  const connection = readConnection(words.own)
  if (connection.key === '' && !(operation.isForFactories && 'factory_auth' in params))
    throw new UsageError(`There is no API key: set ROOKERY_API_KEY, or name a file with --key-file.`)
  const { file, ...answer } = await ask(connection, operation, params)
  const target = words.own.output
  if (file) return putFile(file, target)
  const isForEyes = process.stdout.isTTY && !words.wantsJson
  const text = printableJson(answer, isForEyes && target === undefined ? 2 : 0)
  if (target === undefined || target === '-') return print(text)
  save(target, `${text}\n`)
}

async function ask(
  { baseUrl, key }: Connection,
  operation: ListedOperation,
  params: Readonly<Record<string, string | File>>,
) {
  try {
    return await callOperation(openClient({ baseUrl, key }), operation, params)
  } catch (error) {
    if (error instanceof ApiError || !(error instanceof TypeError)) throw error
    const { cause } = error as { cause?: { code?: string; message?: string } }
    throw new Error(`No console answers at ${baseUrl}: ${cause?.code ?? cause?.message ?? error.message}`, {
      cause: error,
    })
  }
}

function putFile({ name, contentType, bytes }: AnsweredFile, target: string | undefined): void {
  if (target !== undefined && target !== '-') return save(target, bytes)
  if (target === '-' || !process.stdout.isTTY) return void process.stdout.write(bytes)
  if (contentType.startsWith('text/'))
    return print(printableText(new TextDecoder().decode(bytes)).replace(/\n$/, ''))
  throw new UsageError(`This is a file (${name}, ${bytes.length} bytes): say where to with --output.`)
}

/** For its owner alone: some answers hold keys. */
function save(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content, { mode: 0o600 })
  } catch (error) {
    throw new UsageError(`--output: ${(error as Error).message}`)
  }
  process.stderr.write(`${path}: ${Buffer.byteLength(content)} bytes\n`)
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Says what went wrong, and answers the exit code. */
function tell(error: unknown): number {
  const say = (text: string): void => void process.stderr.write(`${printableText(text)}\n`)
  if (error instanceof ApiError) {
    const why = Object.entries(error.details).map(([name, reason]) => `  ${name} ${reason}`)
    const request = error.requestId === '' ? '' : `, request ${error.requestId}`
    say([`${error.message} (${error.code}, ${error.status}${request})`, ...why].join('\n'))
    return 1
  }
  say((error as Error).message)
  return error instanceof UsageError || (error as Error).name === 'Fault' ? 2 : 1
}
