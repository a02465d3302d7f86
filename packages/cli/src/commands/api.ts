// `rookery api <path> [--name value]...`: every operation of the contract, over the SDK.
import type { Command } from 'commander'
import { listOperations } from '@rookery/sdk/operations.ts'
import type { AnsweredFile } from '@rookery/sdk/types.ts'
import { callConsole } from '../api/call-console.ts'
import { readConnection } from '../api/connection.ts'
import { parseCommandLine, type CommandLine } from '../api/command-line.ts'
import { findOperation } from '../api/find-operation.ts'
import { listHelp, operationHelp } from '../api/help.ts'
import { readParameters } from '../api/parameters.ts'
import { printableJson, printableText } from '../api/printable.ts'
import { reportError } from '../api/report-error.ts'
import { save } from '../api/save.ts'
import { UsageError } from '../api/usage-error.ts'

export function addApi(program: Command): void {
  program
    .command('api')
    .description('call any operation of the API: `rookery api --help` lists them')
    .usage('<path> [--name value]...')
    .argument('[arguments...]', 'the part behind /api/v1/, and parameters as --name value')
    // Its flags are the operation's parameters; one of them may be named --version.
    .helpOption(false)
    .allowUnknownOption()
    .action(async () => {
      // Unparsed: a parameter may have the name of one of the program's flags.
      const args = process.argv.slice(process.argv.indexOf('api') + 1)
      try {
        await run(parseCommandLine(args))
      } catch (error) {
        process.exitCode = reportError(error)
      }
    })
}

async function run({ path, wantsHelp, wantsJson, flags, parameters }: CommandLine): Promise<void> {
  const operations = listOperations()
  if (path === undefined) {
    if (!wantsHelp && parameters.length > 0)
      throw new UsageError('The path of the operation is missing. `rookery api --help` lists all.')
    return print(listHelp(operations))
  }
  const names = parameters.map(([name]) => name.replaceAll('-', '_'))
  const operation = findOperation(operations, path, names, flags.method)
  if (wantsHelp) return print(operationHelp(operation))

  const params = readParameters(operation, parameters)
  const connection = readConnection(flags)
  if (connection.key === '' && !(operation.isForFactories && 'factory_auth' in params))
    throw new UsageError('There is no API key: set ROOKERY_API_KEY, or name a file with --key-file.')
  const { file, ...answer } = await callConsole(connection, operation, params)
  const target = flags.output
  if (file) return writeFile(file, target)
  const isForPeople = process.stdout.isTTY && !wantsJson && target === undefined
  const text = printableJson(answer, isForPeople ? 2 : 0)
  if (target === undefined || target === '-') return print(text)
  save(target, `${text}\n`)
}

function writeFile({ name, contentType, bytes }: AnsweredFile, target: string | undefined): void {
  if (target !== undefined && target !== '-') return save(target, bytes)
  if (target === '-' || !process.stdout.isTTY) return void process.stdout.write(bytes)
  if (contentType.startsWith('text/'))
    return print(printableText(new TextDecoder().decode(bytes)).replace(/\n$/, ''))
  throw new UsageError(`The answer is a file (${name}, ${bytes.length} bytes): name a path with --output.`)
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)
