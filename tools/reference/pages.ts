// Every page of docs/reference, made from the contract, the descriptors, the options and the commands.
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Group } from '@rookery/contract/operation.ts'
import { decoysPage, otherIncidentsPage, tokensPage } from './descriptors.ts'
import { limitsPage } from './limits.ts'
import { block, page, stacked, type Page } from './markdown.ts'
import { groupPage } from './operations.ts'
import { commandsPage, optionsPage } from './options.ts'
import { reachPage } from './reach.ts'

const everyGroup: Readonly<Record<string, Group>> = groups

/** `flockNotes` → `flock-notes`. */
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export function referencePages(): Page[] {
  const operations = Object.entries(everyGroup).map(([name, group]) => groupPage(kebab(name), group))
  const others = [
    reachPage(everyGroup),
    commandsPage(),
    optionsPage(),
    limitsPage(),
    decoysPage(),
    tokensPage(),
    otherIncidentsPage(),
  ]
  return [index(operations, others), ...operations, ...others]
}

const list = (pages: readonly Page[]): string =>
  pages.map(({ name, title, about }) => `- [${title}](${name}): ${about}`).join('\n')

const index = (operations: readonly Page[], others: readonly Page[]): Page =>
  page('README.md', 'Reference', 'Everything that can be called, set and planted.', [
    stacked(
      '## The API',
      list(operations),
      'The examples expect the console’s address and an API key:',
      block(
        'sh',
        'export CONSOLE=http://127.0.0.1:8080\nexport KEY=…   # npm start says where the first one was written',
      ),
      'Of a console that runs, the same is at `/docs`, to read and to try, and at `/api/v1/openapi.json`.',
    ),
    stacked('## The rest', list(others)),
  ])
