// A page for each group of the contract: its operations, what they take, what they answer, how they are called.
import { rightsOf } from '@rookery/contract/openapi.ts'
import { aboutGroup, type Group, type Operation } from '@rookery/contract/operation.ts'
import { answerRows, curl, parameterRows, type ParameterRow } from '@rookery/contract/reference.ts'
import { block, code, page, stacked, table, type Page } from './markdown.ts'

/** `name`: the contract file's, as `flock-notes`. */
export function groupPage(name: string, group: Group): Page {
  const { title, text } = aboutGroup(group)
  return page(`${name}.md`, title, text, Object.values(group).map(section))
}

function section(operation: Operation): string {
  const { method, path, aliases, title, deprecated, answers } = operation
  const spellings = [path, ...aliases].map((spelling) => `${method} /api/v1${spelling}`)
  return stacked(
    `## ${title}${deprecated ? ' (deprecated)' : ''}`,
    spellings.map(code).join(' or '),
    [rightsOf(operation), deprecated ? 'Deprecated: kept for clients that call it.' : '']
      .filter(Boolean)
      .join(' '),
    table(
      ['Parameter', 'Type', 'Required', 'What it is'],
      parameterRows(operation).map((row) => [code(row.name), row.type, required(row), row.description]),
    ),
    answers === 'file' ? 'Answers JSON, or the file itself.' : '',
    table(
      ['Answer', 'Type', 'What it is'],
      answerRows(operation).map(({ name, type, description }) => [code(name), type, description]),
    ),
    block('sh', curl(operation)),
  )
}

function required(row: ParameterRow): string {
  if (row.isRequired) return 'yes'
  return row.default === undefined ? 'no' : `default ${code(row.default)}`
}
