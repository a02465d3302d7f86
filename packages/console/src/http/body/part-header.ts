// The header of one part of multipart/form-data: its name, and for a file its own name and type (RFC 7578, 4.2).
export interface PartHeader {
  readonly name: string
  /** Undefined for a text. */
  readonly filename: string | undefined
  readonly contentType: string
}

const DISPOSITION = /^content-disposition:\s*form-data\s*(?=;|$)/i
const TYPE = /^content-type:\s*/i

/** Undefined without a name. */
export function partHeader(text: string): PartHeader | undefined {
  const lines = text.split('\r\n')
  const disposition = lines.find((line) => DISPOSITION.test(line))
  const name = parameter(disposition, 'name')
  if (name === undefined) return undefined
  const type = lines.find((line) => TYPE.test(line))
  return {
    name,
    filename: parameter(disposition, 'filename'),
    contentType: type?.replace(TYPE, '').trim() ?? 'text/plain',
  }
}

/** Browsers write a quote or a line end inside the quotes as `%22`, `%0D`, `%0A` (HTML, multipart/form-data encoding). */
function parameter(line = '', name: string): string | undefined {
  const [, quoted, token] = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^";\\s]+))`, 'i').exec(line) ?? []
  return (quoted ?? token)?.replace(/%22|%0[AD]/gi, decodeURIComponent)
}
