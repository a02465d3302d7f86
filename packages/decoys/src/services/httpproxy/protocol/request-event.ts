// The event that a request to a proxy raises: what it asked for, and with which credentials (RFC 9110, 11.7.2).
import { readable } from '../../../session/readable.ts'
import type { DecoyEvent } from '../../../session/session.ts'
import { basicCredentials } from '../../http/protocol/request-event.ts'

/** All latin1. Credentials of another scheme than Basic are reported as they were sent. */
export const requestEvent = (target: string, fields: ReadonlyMap<string, string>): DecoyEvent => {
  const credentials = fields.get('proxy-authorization') ?? ''
  return {
    logtype: '7001',
    fields: {
      URL: readable(target),
      USERAGENT: readable(fields.get('user-agent') ?? ''),
      USERNAME: '',
      PASSWORD: readable(credentials),
      ...basicCredentials(credentials),
    },
  }
}
