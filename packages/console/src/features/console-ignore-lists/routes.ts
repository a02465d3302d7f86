// 4.1: the console-wide ignore lists: addresses, host names, source ports, annotations.
import { consoleIgnoreLists } from '@rookery/contract/groups/console-ignore-lists.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { findAnnotation } from '@rookery/tokens/annotations.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { compileHostList, parseHostLine } from '../../net/host-list.ts'
import {
  checkedAddress,
  checkedRange,
  coveringLine,
  ipLine,
  linesOf,
  parseIpLine,
} from '../../net/ip-list.ts'
import { canonicalRange } from '../../net/ranges.ts'
import { addLine, CONSOLE, readLines, replaceLines } from '../../stores/ignore/store.ts'
import type { ListName } from '../../stores/ignore/tables.ts'
import { readSettings, writeSetting } from '../../stores/settings/store.ts'
import { annotationView, checkedAnnotation, checkedHostName } from './model.ts'

export function consoleIgnoreListsRoutes({ reader }: Pick<AppContext, 'reader'>): Route<Call>[] {
  const switchList =
    (list: ListName, isOn: boolean) =>
    async (_params: unknown, { change }: Call) => {
      await change((tx) => writeSetting(tx, `${list}_ignore_enabled`, String(isOn)))
      return {}
    }
  const isOn = async (list: ListName): Promise<boolean> =>
    (await readSettings(reader))[`${list}_ignore_enabled`] === 'true'

  /** Replaces a list by the lines of a text, after a check of each; without `clear` the text must have a line. */
  async function replace(
    { change }: Call,
    list: ListName,
    parameter: string,
    text: string,
    clear: boolean,
    check: (line: string) => unknown,
  ) {
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

  return implement(consoleIgnoreLists, {
    async addIp({ src_ip, dst_port }, { change }: Call) {
      const line = ipLine(checkedRange(src_ip, 'src_ip'), dst_port)
      await change((tx) => addLine(tx, 'ip', CONSOLE, line))
      return { message: 'Whitelist added' }
    },
    replaceIps: ({ whitelist_ips: text = '', clear = false }, call: Call) =>
      replace(call, 'ip', 'whitelist_ips', text, clear, (line) =>
        parseIpLine(line, { parameter: 'whitelist_ips' }),
      ),
    async removeIp({ src_ip }, { change }: Call) {
      const range = checkedRange(src_ip, 'src_ip')
      await change(async (tx) => {
        const lines = await readLines(tx.query, 'ip', CONSOLE)
        const kept = lines.filter((line) => rangeOf(line) !== range)
        if (kept.length === lines.length) throw new Fault('not-found', `${range} is not on the list.`)
        await replaceLines(tx, 'ip', CONSOLE, kept)
      })
      return {}
    },
    enableIps: switchList('ip', true),
    disableIps: switchList('ip', false),
    async isIpIgnored({ src_ip, dst_port }) {
      const address = checkedAddress(src_ip, 'src_ip')
      const line = coveringLine(await readLines(reader, 'ip', CONSOLE), address, dst_port)
      return {
        is_ip_ignored: line !== undefined,
        is_ip_whitelisted: line !== undefined,
        is_whitelist_enabled: await isOn('ip'),
        matched_entry: line ?? '',
        matched_list: line === undefined ? '' : 'console',
      }
    },

    replaceHostNames: ({ hostnames = '', clear = false }, call: Call) =>
      replace(call, 'hostname', 'hostnames', hostnames, clear, (line) => parseHostLine(line, 'hostnames')),
    enableHostNames: switchList('hostname', true),
    disableHostNames: switchList('hostname', false),
    async isHostNameIgnored({ hostname }) {
      const name = checkedHostName(hostname)
      return {
        is_hostname_whitelisted: compileHostList(await readLines(reader, 'hostname', CONSOLE)).has(name),
        is_whitelist_enabled: await isOn('hostname'),
      }
    },

    replaceSourcePortIps: ({ ignorelist_src_port_ips: text = '', clear = false }, call: Call) =>
      replace(call, 'src_port', 'ignorelist_src_port_ips', text, clear, (line) =>
        parseIpLine(line, { parameter: 'ignorelist_src_port_ips', ports: false }),
      ),
    enableSourcePorts: switchList('src_port', true),
    disableSourcePorts: switchList('src_port', false),

    async ignoredAnnotations() {
      const names = await readLines(reader, 'annotation', CONSOLE)
      const known = names.map(findAnnotation).filter((annotation) => annotation !== undefined)
      return { ignored_annotations: known.map(annotationView) }
    },
    async ignoreAnnotation({ annotation }, { change }: Call) {
      const { name } = checkedAnnotation(annotation)
      await change((tx) => addLine(tx, 'annotation', CONSOLE, name))
      return { message: 'Annotation successfully ignored' }
    },
    async removeAnnotation({ annotation }, { change }: Call) {
      const { name } = checkedAnnotation(annotation)
      await change(async (tx) => {
        const names = await readLines(tx.query, 'annotation', CONSOLE)
        if (!names.includes(name)) throw new Fault('not-found', `Annotation ${name} is not ignored.`)
        const kept = names.filter((it) => it !== name)
        await replaceLines(tx, 'annotation', CONSOLE, kept)
      })
      return { message: 'Annotation removed successfully' }
    },
    enableAnnotations: switchList('annotation', true),
    disableAnnotations: switchList('annotation', false),
    async isAnnotationIgnored({ annotation }) {
      const { name } = checkedAnnotation(annotation)
      return {
        ignored: (await readLines(reader, 'annotation', CONSOLE)).includes(name),
        is_enabled: await isOn('annotation'),
      }
    },
  })
}

/** The range that a line speaks of; undefined for a comment. */
function rangeOf(line: string): string | undefined {
  const range = parseIpLine(line, { parameter: 'list' })?.range
  return range === undefined ? undefined : canonicalRange(range)
}
