// The decoder for a content type.
import { Fault } from '@rookery/kernel/fault.ts'
import type { BodyDecoder } from './decoder.ts'
import { formDecoder } from './form.ts'
import { jsonDecoder } from './json.ts'
import { multipartDecoder } from './multipart.ts'

/** `isWanted`: whether the value of a parameter is used; a multipart body drops the others as they arrive. */
export function bodyDecoder(contentType = '', isWanted: (name: string) => boolean): BodyDecoder {
  const [kind = ''] = contentType.toLowerCase().split(';')
  switch (kind.trim()) {
    case 'application/x-www-form-urlencoded':
    // curl's -d sends this type; a body without a type is read as a form, too.
    case '':
      return formDecoder()
    case 'application/json':
      return jsonDecoder()
    case 'multipart/form-data':
      return multipartDecoder(contentType, isWanted)
    default:
      throw new Fault(
        'unsupported-media-type',
        `Content type ${kind.slice(0, 80)} is not supported: send a form, multipart/form-data or application/json.`,
      )
  }
}
