// 4.1: the console-wide ignore lists: addresses, host names, source ports, annotations.
import { consoleIgnoreLists } from '@rookery/contract/groups/console-ignore-lists.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { annotationHandlers } from './annotations.ts'
import { hostNameHandlers } from './host-names.ts'
import { ipHandlers } from './ips.ts'
import { listView } from './lists.ts'
import { sourcePortHandlers } from './source-ports.ts'

export const consoleIgnoreListsRoutes = ({ reader }: Pick<AppContext, 'reader'>): Route<Call>[] =>
  implement(consoleIgnoreLists, {
    all: async () => ({
      ignore_lists: {
        ip: await listView(reader, 'ip'),
        hostname: await listView(reader, 'hostname'),
        src_port: await listView(reader, 'src_port'),
        annotation: await listView(reader, 'annotation'),
      },
    }),
    ...ipHandlers(reader),
    ...hostNameHandlers(reader),
    ...sourcePortHandlers,
    ...annotationHandlers(reader),
  })
