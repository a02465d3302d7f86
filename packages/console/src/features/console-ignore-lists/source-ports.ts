// The addresses whose port scans are ignored.
import { parseIpLine } from '../../addresses/ip-list.ts'
import { replaceList, switchList, type ListHandlers } from './lists.ts'

export const sourcePortHandlers = {
  replaceSourcePortIps: ({ ignorelist_src_port_ips: text = '', clear = false, force = false }, call) =>
    replaceList(call, 'src_port', {
      parameter: 'ignorelist_src_port_ips',
      text,
      clear,
      check: (line) =>
        parseIpLine(line, { parameter: 'ignorelist_src_port_ips', ports: false, refusesWide: !force }),
    }),
  enableSourcePorts: switchList('src_port', true),
  disableSourcePorts: switchList('src_port', false),
} satisfies ListHandlers
