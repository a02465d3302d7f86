// What the console's ignore lists have in common: each can be replaced, switched on and off, and asked whether it is on.
import type { consoleIgnoreLists } from '@rookery/contract/groups/console-ignore-lists.ts'
import type { Handlers } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Query } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { linesOf } from '../../addresses/ip-list.ts'
import { CONSOLE, readLines, replaceLines } from '../../stores/ignore/store.ts'
import type { ListName } from '../../stores/ignore/tables.ts'
import { readSettings, writeSetting } from '../../stores/settings/store.ts'

/** The handlers of one list. */
export type ListHandlers = Partial<Handlers<typeof consoleIgnoreLists, Call>>

export const switchList =
  (list: ListName, isOn: boolean) =>
  async (_params: unknown, { change }: Call) => {
    await change((tx) => writeSetting(tx, `${list}_ignore_enabled`, String(isOn)))
    return {}
  }

export const isEnabled = async (reader: Query, list: ListName): Promise<boolean> =>
  (await readSettings(reader))[`${list}_ignore_enabled`] === 'true'

/** A list as it was typed. */
export const listView = async (reader: Query, list: ListName) => ({
  is_enabled: await isEnabled(reader, list),
  lines: await readLines(reader, list, CONSOLE),
})

export interface Replacement {
  /** The name of the parameter that holds `text`. */
  readonly parameter: string
  readonly text: string
  /** Without it, the text must have a line. */
  readonly clear: boolean
  /** Throws a `bad-input` at a line that the list cannot take. */
  readonly check: (line: string) => unknown
}

/** Replaces a list by the lines of a text, after a check of each. */
export async function replaceList({ change }: Call, list: ListName, replacement: Replacement) {
  const { parameter, text, clear, check } = replacement
  const lines = linesOf(text, parameter)
  if (lines.length === 0 && !clear) {
    throw new Fault('bad-input', `Parameter ${parameter} is required.`, {
      details: { [parameter]: 'is required, unless clear is true' },
    })
  }
  for (const line of lines) check(line)
  await change((tx) => replaceLines(tx, list, CONSOLE, lines))
  return {}
}
