// What a client may send to Debian's Apache with the files of a skin.
import { ADDRESS_MASK, DATE_MASK, enduranceOf, FIELDS, PATHS, requestGrammar } from '../../../golden/requests.ts'

export const vocabulary = { paths: PATHS, fields: FIELDS }

export const grammar = requestGrammar(
  [
    DATE_MASK,
    // A random number without leading zeros: the length of the body follows it.
    {
      name: 'boundary of ranges',
      hide: (text) =>
        text
          .replace(/(?<=--|boundary=)[\da-f]{10,16}/g, 'BOUNDARY')
          .replace(/^(Content-Length: )\d+(?=\r\nContent-Type: multipart\/byteranges)/gm, '$1N'),
    },
    // Apache lists its methods in the order of a hash table, whose seed is new at every start.
    {
      name: 'order inside Allow',
      hide: (text) =>
        text.replace(
          /^(Allow: )(.*)(?=\r\n)/gm,
          (_, name: string, methods: string) => name + methods.split(',').sort().join(),
        ),
    },
    ADDRESS_MASK,
  ],
  vocabulary,
)

export const endurance = enduranceOf('/login.html')
