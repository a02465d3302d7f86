// COMMAND and its subcommands: what the server says of its commands.
import docs from '../command-table/command-docs.json' with { type: 'json' }
import { ErrorReply, syntaxError, upper } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { findKeys } from '../command-table/keys.ts'
import { listedNames, listedSpecs } from '../command-table/order.ts'
import {
  commandNames,
  findSpec,
  hasArity,
  lookUp,
  type CommandSpec,
  type KeySpec,
} from '../command-table/table.ts'
import { globOf } from '../../../protocol/glob.ts'
import { array, bulk, bulks, integer, map, nil, set, status, type Protocol } from '../../../protocol/resp.ts'

const documents: ReadonlyMap<string, string> = new Map(Object.entries(docs))

const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  index: ['index'],
  keyword: ['keyword', 'startfrom'],
  range: ['lastkey', 'keystep', 'limit'],
  keynum: ['keynumidx', 'firstkey', 'keystep'],
}

function placeReply([type = '', ...values]: readonly string[], resp: Protocol): string {
  const names = NUMBERS[type] ?? []
  const facts = names.flatMap((name, i) => [
    bulk(name),
    name === 'keyword' ? bulk(values[i]!) : integer(Number(values[i])),
  ])
  return map([bulk('type'), bulk(type), bulk('spec'), map(facts, resp)], resp)
}

const keySpecReply = ({ flags, begin, find, notes }: KeySpec, resp: Protocol): string =>
  map(
    [
      ...(notes === undefined ? [] : [bulk('notes'), bulk(notes)]),
      bulk('flags'),
      set(flags.map(status), resp),
      bulk('begin_search'),
      placeReply(begin, resp),
      bulk('find_keys'),
      placeReply(find, resp),
    ],
    resp,
  )

/** One element of COMMAND's reply. */
function infoReply(spec: CommandSpec | undefined, resp: Protocol): string {
  if (!spec) return nil(resp)
  return array([
    bulk(spec.name),
    integer(spec.arity),
    set([...spec.flags].map(status), resp),
    ...spec.keys.map(integer),
    set(spec.categories.map(status), resp),
    set(spec.tips.map(bulk), resp),
    set(
      spec.keySpecs.map((each) => keySpecReply(each, resp)),
      resp,
    ),
    spec.subcommands.length > 0
      ? array(spec.subcommands.map((name) => infoReply(findSpec(name), resp)))
      : set([], resp),
  ])
}

type Document = string | number | readonly Document[] | { readonly [name: string]: Document }

/** The shapes of COMMAND DOCS: flags are sets of status replies, the history is a set of pairs. */
function documentReply(value: Document, resp: Protocol, name = ''): string {
  if (typeof value === 'number') return integer(value)
  if (typeof value === 'string') return /flags$/.test(name) ? status(value) : bulk(value)
  if (isList(value)) {
    const items = value.map((item) => documentReply(item, resp, name === 'history' ? '' : name))
    return /flags$|^history$/.test(name) ? set(items, resp) : array(items)
  }
  return map(
    Object.entries(value).flatMap(([key, item]) => [bulk(key), documentReply(item, resp, key)]),
    resp,
  )
}

const isList = (value: Document): value is readonly Document[] => Array.isArray(value)

function docsReply(names: readonly string[], resp: Protocol): string {
  const found = names.flatMap((name) => {
    const [parent = '', child] = name.toLowerCase().split('|')
    const text = documents.get(parent)
    if (text === undefined) return []
    const document = JSON.parse(text) as { readonly subcommands?: Readonly<Record<string, Document>> }
    const wanted = child === undefined ? (document as Document) : document.subcommands?.[name.toLowerCase()]
    return wanted === undefined ? [] : [bulk(name.toLowerCase()), documentReply(wanted, resp)]
  })
  return map(found, resp)
}

const keysOf = (words: readonly string[]) => {
  const spec = lookUp(words)
  if (!spec) throw new ErrorReply('ERR Invalid command specified')
  if (spec.keySpecs.every(({ flags }) => flags.includes('not_key')))
    throw new ErrorReply('ERR The command has no key arguments')
  if (!hasArity(spec, words.length))
    throw new ErrorReply('ERR Invalid number of arguments specified for command')
  const found = findKeys(spec, words)
  if (!found && !spec.flags.has('no_mandatory_keys'))
    throw new ErrorReply('ERR Invalid arguments specified for command')
  return found ?? []
}

const list: Command = (call) => {
  const { args } = call
  if (args.length === 2) return bulks(listedSpecs(call).map(({ name }) => name))
  const [, , option, filter, wanted = ''] = args
  if (args.length !== 5 || upper(option) !== 'FILTERBY') throw syntaxError()
  const named = globOf(wanted, call.work.spend, true)
  const matches = {
    MODULE: () => false,
    ACLCAT: ({ categories }: CommandSpec) => categories.includes(`@${wanted.toLowerCase()}`),
    PATTERN: ({ name }: CommandSpec) => named(name),
  }[upper(filter)]
  if (!matches) throw syntaxError()
  return bulks(
    listedSpecs(call)
      .filter(matches)
      .map(({ name }) => name),
  )
}

/** What is said of a command. */
const DESCRIPTION_WORK = 400

/** Those that the words name, or all. */
function namesOf(call: Call): readonly string[] {
  const names = call.args.length > 2 ? call.args.slice(2) : listedNames(call)
  call.work.spend(names.length * DESCRIPTION_WORK)
  return names
}

const info: Command = (call) =>
  array(namesOf(call).map((name) => infoReply(findSpec(name.toLowerCase()), call.client.resp)))

export const commandCommands: Record<string, Command> = {
  command: info,
  'command|count': () => integer(commandNames.length),
  'command|info': info,
  'command|docs': (call) => docsReply(namesOf(call), call.client.resp),
  'command|list': list,
  'command|getkeys': ({ args }) => bulks(keysOf(args.slice(2)).map(({ key }) => key)),
  'command|getkeysandflags': ({ args, client }) =>
    array(
      keysOf(args.slice(2)).map(({ key, flags }) => array([bulk(key), set(flags.map(status), client.resp)])),
    ),
}
