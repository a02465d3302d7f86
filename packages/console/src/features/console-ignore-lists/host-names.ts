// The host names whose touches are ignored, each with every name below it.
import type { Query } from '../../db/query.ts'
import { compileHostList, parseHostLine } from '../../addresses/host-list.ts'
import { CONSOLE, readLines } from '../../stores/ignore/store.ts'
import { isEnabled, replaceList, switchList, type ListHandlers } from './lists.ts'
import { checkedHostName } from './model.ts'

export const hostNameHandlers = (reader: Query) =>
  ({
    replaceHostNames: ({ hostnames: text = '', clear = false }, call) =>
      replaceList(call, 'hostname', {
        parameter: 'hostnames',
        text,
        clear,
        check: (line) => parseHostLine(line, 'hostnames'),
      }),
    enableHostNames: switchList('hostname', true),
    disableHostNames: switchList('hostname', false),
    async isHostNameIgnored({ hostname }) {
      const name = checkedHostName(hostname)
      return {
        is_hostname_whitelisted: compileHostList(await readLines(reader, 'hostname', CONSOLE)).has(name),
        is_whitelist_enabled: await isEnabled(reader, 'hostname'),
      }
    },
  }) satisfies ListHandlers
