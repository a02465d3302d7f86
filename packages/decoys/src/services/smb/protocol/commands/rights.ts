// Rights that CREATE asks for ([MS-SMB2] 2.2.13.1), and what is reported when they are refused.
import { DISPOSITION } from '../codec/create.ts'
import { STATUS } from '../codec/status.ts'
import { fileEvent, type Who } from '../events.ts'

export const RIGHT = {
  readData: 0x1,
  execute: 0x20,
  delete: 0x10000,
  systemSecurity: 0x1000000,
  maximumAllowed: 0x2000000,
  all: 0x10000000,
  genericExecute: 0x20000000,
  genericWrite: 0x40000000,
  genericRead: 0x80000000,
} as const

interface OpenRequest {
  readonly name: string
  readonly desiredAccess: number
  readonly disposition: number
}

/** `wantsMore`: than to read. */
export function refusedOpen(
  call: Who & { readonly tree: { readonly name: string } },
  { name, desiredAccess, disposition }: OpenRequest,
  found: { readonly path: string; readonly size: number } | string | number,
  wantsMore: boolean,
) {
  const node = typeof found === 'object' ? found : undefined
  return fileEvent(call, {
    path: node?.path ?? name,
    action: !node ? 'create' : desiredAccess & RIGHT.delete ? 'delete' : 'open',
    mode: wantsMore || disposition !== DISPOSITION.open ? 'w' : 'r',
    size: node?.size ?? 0,
    status: STATUS.accessDenied,
  })
}
