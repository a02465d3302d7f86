// 4.1: the console-wide ignore lists: addresses, host names, source ports, annotations.
import { consoleIgnoreLists } from '@rookery/contract/groups/console-ignore-lists.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { annotationHandlers } from './annotations.ts'
import { hostNameHandlers } from './host-names.ts'
import { ipHandlers } from './ips.ts'
import { sourcePortHandlers } from './source-ports.ts'

export const consoleIgnoreListsRoutes = ({ reader }: Pick<AppContext, 'reader'>): Route<Call>[] =>
  implement(consoleIgnoreLists, {
    ...ipHandlers(reader),
    ...hostNameHandlers(reader),
    ...sourcePortHandlers,
    ...annotationHandlers(reader),
  })
