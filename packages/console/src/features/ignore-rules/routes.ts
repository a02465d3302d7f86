// Extension: what an incident's touches can be ignored by, and adding such a line as one change that can be undone.
import { ignoreRules } from '@rookery/contract/groups/ignore-rules.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { findAnnotation } from '@rookery/tokens/annotations.ts'
import type { Answer } from '@rookery/contract/operation.ts'
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { isLogtype } from '../../logtypes.ts'
import { parseHostLine } from '../../addresses/host-list.ts'
import { entriesOf, entryOf, parseIpLine } from '../../addresses/ip-list.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import {
  addLine,
  changeFlockIgnore,
  CONSOLE,
  readFlockIgnore,
  removeLine,
} from '../../stores/ignore/store.ts'
import type { ListName } from '../../stores/ignore/tables.ts'
import { readSettings, writeSetting } from '../../stores/settings/store.ts'
import { openRulesOfIncident } from './of-incident.ts'

export const ignoreRulesRoutes = (
  deps: Pick<AppContext, 'engine' | 'reader' | 'vault' | 'world'>,
): Route<Call>[] =>
  implement(ignoreRules, {
    ofIncident: openRulesOfIncident(deps),

    check: ({ list, lines, of_flock = false }) =>
      Promise.resolve({ wrong: wrongLines(list, lines, of_flock) }),

    async addInFlock({ flock_id, line: given, force = false }, { caller, change }: Call) {
      const line = checkedLine('ip', given, { portAlone: true, force })
      return change(async (tx) => {
        await existingFlock(tx.query, caller.scope, flock_id)
        const { mode, inherits } = await readFlockIgnore(tx.query, flock_id)
        const was_there = await addLine(tx, 'ip', flock_id, line)
        if (mode !== 'on') await changeFlockIgnore(tx, flock_id, switchedOn(mode, inherits))
        return { line, was_there, was_mode: mode, was_inherits: inherits === 1 }
      })
    },
    async undoInFlock({ flock_id, line, was_there, was_mode, was_inherits }, { caller, change }: Call) {
      await change(async (tx) => {
        await existingFlock(tx.query, caller.scope, flock_id)
        if (!was_there) await removeLine(tx, 'ip', flock_id, line)
        const now = await readFlockIgnore(tx.query, flock_id)
        const before = { mode: was_mode, inherits: was_inherits ? 1 : 0 }
        const left = switchedOn(was_mode, before.inherits)
        if (was_mode !== 'on' && now.mode === left.mode && now.inherits === left.inherits)
          await changeFlockIgnore(tx, flock_id, before)
      })
      return {}
    },

    async add({ list, line: given, force = false }, { change }: Call) {
      const line = checkedLine(list, given, { force })
      return change(async (tx) => {
        const was_on = (await readSettings(tx.query))[`${list}_ignore_enabled`] === 'true'
        const was_there = await addLine(tx, list, CONSOLE, line)
        if (!was_on) await writeSetting(tx, `${list}_ignore_enabled`, 'true')
        return { line, was_there, was_on }
      })
    },
    async undo({ list, line, was_there, was_on }, { change }: Call) {
      await change(async (tx) => {
        if (!was_there) await removeLine(tx, list, CONSOLE, line)
        if (!was_on) await writeSetting(tx, `${list}_ignore_enabled`, 'false')
      })
      return {}
    },
  })

/** A Flock that followed the console's list keeps it; one whose list was off gets its own lines alone, as it was set. */
const switchedOn = (mode: 'global' | 'on' | 'off', inherits: number) => ({
  mode: 'on' as const,
  inherits: mode === 'global' ? 1 : inherits,
})

/** One entry as the list takes it, with its comment; anything else is a `bad-input`. */
function checkedLine(list: ListName, given: string, how: { portAlone?: boolean; force: boolean }): string {
  const [line = '', ...others] = entriesOf(given, 'line')
  if (others.length > 0 || entryOf(line) === '')
    throw invalidParameter('line', `must be one entry, not ${JSON.stringify(given.slice(0, 80))}`)
  checkEntry(list, line, how)
  return line
}

/** A line with one entry, or with a comment alone; anything else is a `bad-input`. */
function checkEntry(
  list: ListName,
  line: string,
  { portAlone = false, force }: { portAlone?: boolean; force: boolean },
): void {
  if (list === 'hostname') parseHostLine(line, 'line')
  else if (list === 'annotation') {
    if (!findAnnotation(line))
      throw invalidParameter('line', `must be the name of an annotation, not ${JSON.stringify(line)}`)
  } else {
    const rules = { parameter: 'line', portAlone, refusesWide: !force }
    parseIpLine(line, list === 'ip' ? { ...rules, isLogtype } : { ...rules, ports: false })
  }
}

/** In a Flock's list a line may have several entries, with commas between them. */
function wrongLines(list: ListName, text: string, ofFlock: boolean): WrongLine[] {
  const wrong: WrongLine[] = []
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const reasonOf = (force: boolean): string | undefined => {
      try {
        for (const entry of ofFlock ? entriesOf(line, 'line') : [line.trim()])
          if (entryOf(entry) !== '') checkEntry(list, entry, { portAlone: ofFlock, force })
        return undefined
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        return error.details?.['line'] ?? error.message
      }
    }
    const reason = reasonOf(false)
    if (reason === undefined) continue
    wrong.push({ number: index + 1, line, reason, is_wide: reasonOf(true) === undefined })
    if (wrong.length === MAX_WRONG) break
  }
  return wrong
}

type WrongLine = Answer<typeof ignoreRules.check>['wrong'][number]
const MAX_WRONG = 100
